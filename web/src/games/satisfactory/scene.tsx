// Satisfactory: a map of the world. Everything that stands in it as boxes, belts and their like as ribbons, the land below.

import {
  BoxGeometry,
  EdgesGeometry,
  GridHelper,
  LineBasicMaterial,
  LineSegments,
  type Mesh,
  type Object3D,
  type PerspectiveCamera,
  Raycaster,
  Vector2,
} from "three";
import type { Recording } from "../../data/recording";
import type { People } from "../../people";
import { still } from "../../scene/actor";
import { GameScene, type Home } from "../../scene/game";
import { FactoryBoxes, type FactoryClass } from "./boxes";
import { type ExtraLayer, FactoryPanel, FactoryState } from "./panel";
import { FEWEST_POINTS, relief } from "./relief";
import { kindOf, ribbons } from "./ribbons";

/** From how far a thing is looked at, and the whole, at least and at most, in metres. */
const NEAR_M = 26;
const WHOLE_M = { least: 14, most: 2200 };

export class SatisfactoryScene extends GameScene {
  home: Home = { position: [0, 200, 300], target: [0, 0, 0] };
  override background = { dark: "#0f1a24", light: "#b9cbd8" };
  readonly boxes: FactoryBoxes;
  /** Lines by kind. */
  readonly lines = new Map<string, Object3D>();
  /** The land, where enough is known of it. */
  fog: Mesh | undefined;
  private readonly state: FactoryState;
  private readonly visited = new Map<FactoryClass, number>();
  private readonly frame = new LineSegments(
    new EdgesGeometry(new BoxGeometry(1, 1, 1)),
    new LineBasicMaterial({ color: "#ffffff", depthTest: false }),
  );
  private goTo: ((position: [number, number, number], away_m: number) => void) | undefined;

  constructor(recording: Recording, people: People) {
    super(recording, people);
    this.boxes = new FactoryBoxes(recording);
    this.root.add(this.boxes.object);
    this.frame.visible = false;
    this.frame.matrixAutoUpdate = false;
    this.frame.frustumCulled = false;
    this.frame.renderOrder = 5;
    this.root.add(this.frame);
    this.lookAtMost();
    this.cameras = [
      {
        id: "map",
        label: "Map",
        enter: (camera, controls) => {
          const away_m = Math.max(20, camera.position.distanceTo(controls.target));
          camera.position.set(controls.target.x, controls.target.y + away_m, controls.target.z + 0.01);
          controls.enableRotate = false;
          controls.mouseButtons.LEFT = 2;
          controls.touches.ONE = 1;
          this.goTo = ([x, y, z], near_m) => {
            controls.target.set(x, y, z);
            camera.position.set(x, y + near_m, z + 0.01);
            controls.update();
          };
        },
      },
      {
        id: "free",
        label: "3D",
        enter: (camera, controls) => {
          controls.touches.ONE = 0;
          if (camera.position.z - controls.target.z < 0.1)
            camera.position.z = controls.target.z + (camera.position.y - controls.target.y) * 0.7;
          this.goTo = ([x, y, z], near_m) => {
            controls.target.set(x, y, z);
            camera.position.set(x + near_m * 0.6, y + near_m * 0.6, z + near_m * 0.6);
            controls.update();
          };
        },
      },
    ];
    this.firstCamera = recording.outline.format === "satisfactory" ? "map" : "free";
    this.state = new FactoryState(
      this.boxes,
      () => this.redraw(),
      (own) => this.fly(own),
    );
    this.panels = [{ id: "factory", label: "Map layers", render: () => <FactoryPanel state={this.state} /> }];
    const ignore = () => {
      // Without them the boxes are still there.
    };
    this.addLines().catch(ignore);
    this.addLand().catch(ignore);
  }

  /** Looks at where most was built, from so far that all of it is in the picture. */
  private lookAtMost(): void {
    const kinds = ["building", "vehicle", "player"].find((kind) => this.boxes.sorted(0, kind).length > 0) ?? "";
    const [x, y, z] = ([0, 1, 2] as const).map((axis) => this.boxes.sorted(axis, kinds));
    const at = (values: Float32Array | undefined, part: number) =>
      values?.[Math.floor((values.length - 1) * part)] ?? 0;
    const middle = (values: Float32Array | undefined) => (at(values, 0.08) + at(values, 0.92)) / 2;
    const target: [number, number, number] = [middle(x), at(y, 0.5), middle(z)];
    const spread = Math.max(at(x, 0.92) - at(x, 0.08), at(z, 0.92) - at(z, 0.08), at(y, 0.92) - at(y, 0.08)) + 8;
    const away_m = Math.min(WHOLE_M.most, Math.max(WHOLE_M.least, spread * 0.85));
    this.home = { position: [target[0] + away_m * 0.55, target[1] + away_m * 0.75, target[2] + away_m * 0.7], target };
    if (this.recording.outline.format === "satisfactory") return;
    const grid = new GridHelper(200, 25, 0x4a5666, 0x2b3440);
    grid.position.set(target[0], at(y, 0) - 0.6, target[2]);
    this.root.add(still(grid));
  }

  private fly(own: FactoryClass): void {
    const nth = this.visited.get(own) ?? 0;
    this.visited.set(own, nth + 1);
    const row = own.start + (nth % own.count);
    const id = this.boxes.ids[row];
    if (id === undefined) return;
    if (!own.isShown) this.state.show([own], true);
    this.goTo?.(this.boxes.positionOf(row), NEAR_M + Math.max(...own.shape.size_m) * 1.5);
    this.select(row, own);
  }

  private addLayer(layer: ExtraLayer): void {
    this.state.extra.value = [...this.state.extra.peek(), layer];
  }

  private async addLines(): Promise<void> {
    const pack = await this.recording.source.lines(this.recording.id);
    for (const { kind, points } of pack.index.lines) {
      const made = ribbons(kind, pack.f32(points));
      this.root.add(made);
      this.lines.set(kind, made);
      const { name, colour } = kindOf(kind);
      this.addLayer({
        name,
        colour,
        show: (isShown) => {
          made.visible = isShown;
        },
      });
    }
    this.redraw();
  }

  /** The land from the heights of what is known, lighter where it has been explored. */
  private async addLand(): Promise<void> {
    const points = this.boxes.grounded();
    if (points.length / 3 < FEWEST_POINTS || this.recording.outline.format !== "satisfactory") return;
    const pack = await this.recording.source.fog(this.recording.id);
    const { side, seen } = pack.index;
    const land = still(relief({ points }, side > 0 ? { side, seen: pack.u8(seen) } : undefined));
    this.fog = land;
    this.root.add(land);
    this.addLayer({
      name: "Land",
      colour: "#6f7f6a",
      show: (isShown) => {
        land.visible = isShown;
      },
    });
    this.redraw();
  }

  private select(row: number, own: FactoryClass): void {
    const matrix = this.boxes.matrixOf(row);
    this.frame.visible = matrix !== undefined;
    if (matrix) {
      this.frame.matrix.copy(matrix);
      this.frame.matrixWorldNeedsUpdate = true;
    }
    this.state.selection.value = { id: this.boxes.ids[row] as number, own, recording: this.recording };
    this.redraw();
  }

  override pick(camera: PerspectiveCamera, x: number, y: number): void {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), camera);
    const hit = this.boxes.pick(ray);
    if (hit) return this.select(hit.row, hit.own);
    this.frame.visible = false;
    this.state.selection.value = undefined;
    this.redraw();
  }

  override shown(): number[] {
    return Array.from(this.boxes.ids);
  }

  override positions(): Record<number, [number, number, number]> {
    return this.boxes.drawn();
  }
}
