// Satisfactory: a map of the world. Everything that stands in it as boxes, belts and their like as ribbons, the land below.

import {
  BoxGeometry,
  EdgesGeometry,
  GridHelper,
  LineBasicMaterial,
  LineSegments,
  type Object3D,
  type PerspectiveCamera,
  Plane,
  Raycaster,
  Vector2,
  Vector3,
} from "three";
import type { Recording } from "../../data/recording";
import type { People } from "../../people";
import { still } from "../../scene/actor";
import { GameScene, type Home } from "../../scene/game";
import { FactoryBoxes, type FactoryClass } from "./boxes";
import { ResourceNodes } from "./nodes";
import { PowerPage, ProductionPage, ProgressPage } from "./pages";
import { type ExtraLayer, FactoryPanel, FactoryState } from "./panel";
import { FEWEST_POINTS, type Land, relief } from "./relief";
import { kindOf, ribbons } from "./ribbons";
import { StoragePage } from "./storage";
import { Held } from "./world";

/** From how far a thing is looked at, and the whole, at least and at most, in metres. */
const NEAR_M = 26;
const WHOLE_M = { least: 14, most: 2200 };
/** Seen nearly without perspective, as maps are. */
const MAP_FOV_DEG = 14;
/** On a dark page the land is darker. */
const DIM_LAND = "#b4bcc4";
const HALF = Math.PI / 360;
const NO_CEILING_M = 1e6;
/** What stands highest may be as high as this, in metres. */
const TALLEST_M = 20;

export class SatisfactoryScene extends GameScene {
  home: Home = { position: [0, 200, 300], target: [0, 0, 0] };
  override background = { dark: "#0f1a24", light: "#b9cbd8" };
  readonly boxes: FactoryBoxes;
  /** Lines by kind. */
  readonly lines = new Map<string, Object3D>();
  /** The land, where enough is known of it. */
  land: Land | undefined;
  private isMap = false;
  private isDark = true;
  private readonly state: FactoryState;
  private readonly visited = new Map<FactoryClass, number>();
  private readonly frame = new LineSegments(
    new EdgesGeometry(new BoxGeometry(1, 1, 1)),
    new LineBasicMaterial({ color: "#ffffff", depthTest: false }),
  );
  /** Half of the height that is seen there comes second. */
  private goTo: ((position: [number, number, number], half_m: number) => void) | undefined;
  /** Nothing above it is drawn. */
  private readonly ceiling = new Plane(new Vector3(0, -1, 0), NO_CEILING_M);
  /** Rows by the names of things, made when the first is asked for. */
  private rows: Map<string, number> | undefined;

  constructor(recording: Recording, people: People) {
    super(recording, people);
    this.boxes = new FactoryBoxes(recording, [this.ceiling]);
    this.boxes.onFilled = () => this.redraw();
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
        fov_deg: MAP_FOV_DEG,
        enter: (camera, controls, seen_m) => {
          const above = ([x, y, z]: [number, number, number], half_m: number) => {
            const away_m = half_m / Math.tan(camera.fov * HALF);
            controls.target.set(x, y, z);
            camera.position.set(x, y + away_m, z + away_m * 1e-5);
            controls.update();
          };
          controls.enableRotate = false;
          controls.zoomToCursor = true;
          controls.mouseButtons.LEFT = 2;
          controls.touches.ONE = 1;
          above(controls.target.toArray(), seen_m);
          this.goTo = above;
        },
      },
      {
        id: "free",
        label: "3D",
        enter: (camera, controls, seen_m) => {
          controls.touches.ONE = 0;
          controls.zoomToCursor = false;
          const aslant = ([x, y, z]: [number, number, number], half_m: number) => {
            const away_m = half_m / Math.tan(camera.fov * HALF);
            controls.target.set(x, y, z);
            camera.position.set(x + away_m * 0.45, y + away_m * 0.62, z + away_m * 0.64);
            controls.update();
          };
          aslant(controls.target.toArray(), seen_m);
          this.goTo = aslant;
        },
      },
    ];
    this.firstCamera = recording.outline.format === "satisfactory" ? "map" : "free";
    this.homeCamera = this.firstCamera;
    this.state = new FactoryState(this.boxes, this.heights(), () => this.redraw(), {
      toClass: (own) => this.fly(own),
      toThing: (name) => this.flyTo(name),
      toPlace: (place) => this.goTo?.(place, NEAR_M),
      find: (name) => this.boxes.classOf(this.rowOf(name) ?? -1),
      cut: (top_m) => this.cut(top_m),
      ask: () => Held.of(recording),
    });
    this.addPanels();
    const ignore = () => {
      // Without them the boxes are still there.
    };
    this.addLines().catch(ignore);
    this.addWorld().catch(ignore);
  }

  private addPanels(): void {
    const groups = this.recording.outline.stats?.recording ?? {};
    const has = (...names: string[]) => names.some((name) => Object.keys(groups[name] ?? {}).length > 0);
    const { state } = this;
    this.panels = [{ id: "factory", label: "Map", render: () => <FactoryPanel state={state} /> }];
    if (has("production"))
      this.panels.push({ id: "production", label: "Production", render: () => <ProductionPage groups={groups} /> });
    if (has("circuits", "power_by_rating"))
      this.panels.push({ id: "power", label: "Power", render: () => <PowerPage groups={groups} /> });
    if (has("items"))
      this.panels.push({ id: "storage", label: "Storage", render: () => <StoragePage state={state} /> });
    if (has("progress", "collectibles"))
      this.panels.push({ id: "progress", label: "Progress", render: () => <ProgressPage groups={groups} /> });
  }

  /** The lowest and the highest that was built. */
  private heights(): [number, number] {
    const [low, high] = this.boxes.span("building");
    return [low, high + TALLEST_M];
  }

  private cut(top_m: number): void {
    this.ceiling.constant = Number.isFinite(top_m) ? top_m : NO_CEILING_M;
  }

  private rowOf(name: string): number | undefined {
    this.rows ??= this.boxes.rowsByName(this.recording);
    return this.rows.get(name);
  }

  private flyTo(name: string): void {
    const row = this.rowOf(name);
    const own = row === undefined ? undefined : this.boxes.classOf(row);
    if (row === undefined || !own) return;
    this.goTo?.(this.boxes.positionOf(row), NEAR_M);
    this.select(row, own);
  }

  /** Looks at where most was built, from so far that all of it is in the picture. */
  private lookAtMost(): void {
    const kinds = ["building", "vehicle", "player"].find((kind) => this.boxes.sorted(0, kind).length > 0) ?? "";
    const [x, y, z] = ([0, 1, 2] as const).map((axis) => this.boxes.sorted(axis, kinds));
    const at = (values: Float32Array | undefined, part: number) =>
      values?.[Math.floor((values.length - 1) * part)] ?? 0;
    // In a world some things are far off; of a blueprint all is looked at.
    const isWorld = this.recording.outline.format === "satisfactory";
    const [first, last] = isWorld ? [0.08, 0.92] : [0, 1];
    const middle = (values: Float32Array | undefined) => (at(values, first) + at(values, last)) / 2;
    const target: [number, number, number] = [middle(x), isWorld ? at(y, 0.5) : middle(y), middle(z)];
    const reach = (values: Float32Array | undefined) => at(values, last) - at(values, first);
    const spread = Math.max(reach(x), reach(y), reach(z)) + 8;
    const away_m = Math.min(WHOLE_M.most, Math.max(WHOLE_M.least, spread * (isWorld ? 0.85 : 1.3)));
    this.home = { position: [target[0] + away_m * 0.55, target[1] + away_m * 0.75, target[2] + away_m * 0.7], target };
    if (isWorld) return;
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
    this.goTo?.(this.boxes.positionOf(row), NEAR_M + Math.max(...own.shape.size_m));
    this.select(row, own);
  }

  private addLayer(layer: ExtraLayer): void {
    this.state.extra.value = [...this.state.extra.peek(), layer];
  }

  private async addLines(): Promise<void> {
    const pack = await this.recording.source.lines(this.recording.id);
    for (const { kind, points } of pack.index.lines) {
      const made = ribbons(kind, pack.f32(points), [this.ceiling]);
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

  /** Nodes, and the land from the heights of what is known, lighter where it has been explored. */
  private async addWorld(): Promise<void> {
    if (this.recording.outline.format !== "satisfactory") return;
    const world = await this.recording.source.world(this.recording.id);
    const nodes = new ResourceNodes(world.index.nodes);
    this.root.add(nodes.object);
    this.state.nodes.value = nodes;
    this.redraw();
    const ground = world.f32(world.index.ground);
    if (ground.length / 3 < FEWEST_POINTS) return;
    const pack = await this.recording.source.fog(this.recording.id);
    const { side, seen } = pack.index;
    const fog = side > 0 ? { side, seen: pack.u8(seen) } : undefined;
    const land = await relief(ground, this.boxes.placesOf("building"), fog);
    still(land);
    this.land = land;
    this.layLand();
    this.root.add(land);
    this.addLayer({
      name: "Land",
      colour: "#6f8f70",
      show: (isShown) => {
        land.visible = isShown;
      },
    });
    this.redraw();
  }

  override themeChanged(theme: "dark" | "light"): void {
    this.isDark = theme === "dark";
    this.layLand();
  }

  override cameraChanged(id: string): void {
    this.isMap = id === "map";
    this.layLand();
  }

  /** On a map the land is only what everything lies on; what stands in a cave is seen, too. */
  private layLand(): void {
    const material = this.land?.material;
    if (!material) return;
    material.depthTest = material.depthWrite = !this.isMap;
    material.color.set(this.isDark ? DIM_LAND : "#ffffff");
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
    return this.boxes.shown();
  }

  override positions(): Record<number, [number, number, number]> {
    return this.boxes.drawn();
  }
}
