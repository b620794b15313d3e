// Satisfactory: a map of the world. Everything that stands in it as boxes, belts and their like as lines, the fog below.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, DataTexture, EdgesGeometry, GridHelper, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, type PerspectiveCamera, PlaneGeometry, RGBAFormat, Raycaster, Vector2,
} from "three";
import { wordColour } from "../colours";
import { api } from "../data/api";
import type { Recording } from "../data/recording";
import { WORLD } from "../facts/satisfactory";
import { still } from "../scene/actor";
import { GameScene, type Home } from "../scene/game";
import { FactoryBoxes } from "./factory/boxes";
import { FactoryPanel } from "./factory/panel";

/** The explored land, red, green, blue; what was never seen is left out. */
const LAND = [62, 84, 74];

export class SatisfactoryScene extends GameScene {
  home: Home = { position: [0, 200, 300], target: [0, 0, 0] };
  readonly boxes: FactoryBoxes;
  /** Lines by kind. */
  readonly lines = new Map<string, LineSegments>();
  /** The explored part of the world, where the save has a map of it. */
  fog: Mesh | undefined;
  private readonly panel: FactoryPanel;
  private readonly frame = new LineSegments(new EdgesGeometry(new BoxGeometry(1, 1, 1)), new LineBasicMaterial({ color: "#ffffff" }));

  constructor(recording: Recording) {
    super(recording);
    this.boxes = new FactoryBoxes(recording);
    this.root.add(this.boxes.object);
    this.frame.visible = false;
    this.frame.matrixAutoUpdate = false;
    this.frame.frustumCulled = false;
    this.root.add(this.frame);
    const low = this.lookAtMost();
    this.cameras = [
      { id: "free", label: "3D" },
      { id: "map", label: "Map (2D)", enter: (camera, controls) => {
        controls.target.y = 0;
        camera.position.set(controls.target.x, Math.max(60, camera.position.distanceTo(controls.target)), controls.target.z + 0.01);
        controls.enableRotate = false;
        controls.mouseButtons.LEFT = 2;
      } },
    ];
    this.panel = new FactoryPanel(recording, this.boxes, () => this.redraw());
    this.panels = [{ id: "factory", label: "Factory", element: this.panel.element }];
    void this.addLines();
    void this.addFog(low);
  }

  /** Looks at where most was built; how low that goes. */
  private lookAtMost(): number {
    const [x, y, z] = ([0, 1, 2] as const).map((axis) => this.boxes.sorted(axis, "building"));
    const at = (values: Float32Array | undefined, part: number) => values?.[Math.floor((values.length - 1) * part)] ?? 0;
    const centre: [number, number, number] = [at(x, 0.5), at(y, 0.5), at(z, 0.5)];
    const spread = Math.max(at(x, 0.9) - at(x, 0.1), at(z, 0.9) - at(z, 0.1));
    const away = Math.min(1500, Math.max(30, spread * 0.9));
    this.home = { position: [centre[0] + away * 0.7, centre[1] + away * 0.7, centre[2] + away * 0.7], target: centre };
    const low = at(y, 0.02) - 2;
    const grid = new GridHelper(2000, 100, 0x4a5666, 0x2b3440);
    grid.position.set(centre[0], low, centre[2]);
    this.root.add(still(grid));
    return low;
  }

  /** Belts, pipes, rails and wires, each a layer. */
  private async addLines(): Promise<void> {
    const pack = await api.lines(this.recording.id);
    for (const { kind, points } of pack.index.lines) {
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(pack.f32(points), 3));
      const lines = still(new LineSegments(geometry, new LineBasicMaterial({ color: wordColour(kind) })));
      lines.frustumCulled = false;
      this.root.add(lines);
      this.lines.set(kind, lines);
      this.panel.addLayer(`${kind} as lines`, wordColour(kind), (isShown) => (lines.visible = isShown));
    }
    this.redraw();
  }

  /** The map of what has been explored, as the save keeps it, under everything. */
  private async addFog(low: number): Promise<void> {
    const pack = await api.fog(this.recording.id);
    const { side, seen } = pack.index;
    if (side === 0) return;
    const pixels = new Uint8Array(side * side * 4);
    pack.u8(seen).forEach((value, index) => pixels.set([...LAND, Math.min(255, value)], index * 4));
    const texture = new DataTexture(pixels, side, side, RGBAFormat);
    texture.needsUpdate = true;
    const [west, east, north, south] = [WORLD.MAP_WEST_CM, WORLD.MAP_EAST_CM, WORLD.MAP_NORTH_CM, WORLD.MAP_SOUTH_CM].map((edge) => edge / 100) as [number, number, number, number];
    const plane = new Mesh(new PlaneGeometry(east - west, south - north), new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false }));
    // The picture's first row is the north; a plane's is its lower edge, which is turned to the north here.
    plane.rotation.x = Math.PI / 2;
    plane.material.side = 2;
    plane.position.set((west + east) / 2, low - 1, (north + south) / 2);
    plane.renderOrder = -1;
    this.fog = still(plane);
    this.root.add(plane);
    this.panel.addLayer("explored land", `rgb(${LAND.join(", ")})`, (isShown) => (plane.visible = isShown));
    this.redraw();
  }

  override pick(camera: PerspectiveCamera, x: number, y: number): void {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), camera);
    const hit = this.boxes.pick(ray);
    this.frame.visible = hit !== undefined;
    if (hit) {
      this.frame.matrix.copy(hit.matrix);
      this.frame.matrixWorldNeedsUpdate = true;
      this.panel.tell(this.boxes.ids[hit.row] as number, hit.own);
    } else this.panel.tellNothing();
    this.redraw();
  }

  override shown(): number[] { return Array.from(this.boxes.ids); }
  override positions(): Record<number, [number, number, number]> { return this.boxes.drawn(); }
}
