// Satisfactory: a map of the world. Buildings as oriented boxes, one instanced mesh for each class.

import { BoxGeometry, BufferAttribute, BufferGeometry, Color, GridHelper, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, type PerspectiveCamera, Quaternion, Raycaster, Vector2, Vector3 } from "three";
import { wordColour } from "../colours";
import { api } from "../data/api";
import type { Group, Recording } from "../data/recording";
import { button, el, words } from "../dom";
import { still } from "../scene/actor";
import { GameScene, type Home } from "../scene/game";
import { categoryOf, classOf, sizeOf } from "./factory-sizes";

/** Floors and walls are the ground for everything else: grey. */
function categoryColour(category: string): string {
  return category === "architecture" ? "#596270" : wordColour(category);
}

interface Class { name: string; category: string; mesh: InstancedMesh; entities: number[]; isShown: boolean }

export class SatisfactoryScene extends GameScene {
  home: Home = { position: [0, 200, 300], target: [0, 0, 0] };
  private readonly classes = new Map<string, Class>();
  private readonly rows = new Map<number, { group: Group; row: number }>();
  /** Lines by kind. */
  readonly lines = new Map<string, LineSegments>();
  private readonly details = el("div", { class: "details", "aria-live": "polite" }, el("p", { class: "note" }, "Click a building to see what it is."));
  private readonly list = el("div", { class: "classes" });
  private readonly search = el("input", { type: "search", placeholder: "Search classes", "aria-label": "Search classes", input: () => this.showList() });
  private readonly frame = new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial({ color: "#ffffff", wireframe: true }));

  constructor(recording: Recording) {
    super(recording);
    this.build();
    this.frame.visible = false;
    this.root.add(this.frame);
    this.cameras = [
      { id: "free", label: "3D" },
      { id: "map", label: "Map (2D)", enter: (camera, controls) => {
        controls.target.y = 0;
        camera.position.set(controls.target.x, Math.max(60, camera.position.distanceTo(controls.target)), controls.target.z + 0.01);
        controls.enableRotate = false;
        controls.mouseButtons.LEFT = 2;
      } },
    ];
    const saves = el("div");
    const layers = el("div", { class: "tools" }, button("Show all", "Show all classes", () => this.showOnly(() => true)), button("Show none", "Hide all classes", () => this.showOnly(() => false)));
    this.panels = [{ id: "factory", label: "Factory", element: el("div", { class: "panel factory" }, saves, this.details, this.search, layers, this.list) }];
    this.showList();
    void this.session(saves);
    void this.addLines(layers);
  }

  /** Belts, pipes, rails and wires, each a layer. */
  private async addLines(layers: HTMLElement): Promise<void> {
    const pack = await api.lines(this.recording.id);
    for (const { kind, points } of pack.index.lines) {
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(pack.f32(points), 3));
      const lines = still(new LineSegments(geometry, new LineBasicMaterial({ color: wordColour(kind) })));
      this.root.add(lines);
      this.lines.set(kind, lines);
      const box = el("input", { type: "checkbox", checked: true, change: () => { lines.visible = box.checked; this.redraw(); } });
      layers.append(el("label", {}, box, `${kind} as lines`));
    }
    this.redraw();
  }

  private build(): void {
    const members = new Map<string, { kind: string; of: { group: Group; row: number; id: number }[] }>();
    for (const group of this.recording.statics) {
      if (!group.columns.has("position")) continue;
      group.entities.forEach((id, row) => {
        const name = classOf(this.recording.entities[id]?.name ?? "");
        const own = members.get(name) ?? { kind: group.kind, of: [] };
        own.of.push({ group, row, id });
        members.set(name, own);
        this.rows.set(id, { group, row });
      });
    }
    const [matrix, at, turn, size] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3()];
    const built: Vector3[] = [];
    for (const [name, { kind, of }] of members) {
      const category = categoryOf(name, kind);
      const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color: new Color(categoryColour(category)).offsetHSL(0, 0, (name.length % 5) * 0.03 - 0.06), roughness: 0.8 }), of.length);
      const [width, height, depth] = sizeOf(name, kind);
      // The game's places are at the foot of a building, or the middle of a foundation.
      const isCentred = category === "architecture";
      for (const [index, { group, row }] of of.entries()) {
        const positions = group.columns.get("position")?.numbers;
        const rotations = group.columns.get("rotation")?.numbers;
        at.fromArray(positions as Float32Array, row * 3);
        if (kind === "building") built.push(at.clone());
        if (rotations) turn.fromArray(rotations as Float32Array, row * 4);
        else turn.identity();
        matrix.compose(at, turn, size.set(width, height, depth));
        if (!isCentred) matrix.multiply(new Matrix4().makeTranslation(0, 0.5, 0));
        mesh.setMatrixAt(index, matrix);
      }
      mesh.name = name;
      mesh.userData["lift"] = isCentred ? 0 : 0.5;
      this.classes.set(name, { name, category, mesh, entities: of.map(({ id }) => id), isShown: true });
      this.root.add(mesh);
    }
    this.centre(built);
  }

  /** Looks at where most was built. */
  private centre(built: Vector3[]): void {
    const middle = (axis: "x" | "y" | "z") => built.map((at) => at[axis]).sort((a, b) => a - b)[Math.floor(built.length / 2)] ?? 0;
    const centre = new Vector3(middle("x"), middle("y"), middle("z"));
    const far = built.map((at) => at.distanceTo(centre)).sort((a, b) => a - b)[Math.floor(built.length * 0.8)] ?? 100;
    const away = Math.min(1500, Math.max(30, far * 1.6));
    this.home = { position: [centre.x + away * 0.7, centre.y + away * 0.7, centre.z + away * 0.7], target: [centre.x, centre.y, centre.z] };
    const grid = new GridHelper(2000, 100, 0x4a5666, 0x2b3440);
    grid.position.set(centre.x, centre.y - 2, centre.z);
    this.root.add(grid);
  }

  private showOnly(isWanted: (own: Class) => boolean): void {
    for (const own of this.classes.values()) own.mesh.visible = own.isShown = isWanted(own);
    this.showList();
    this.redraw();
  }

  private showList(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const found = [...this.classes.values()].filter(({ name, category }) => name.toLowerCase().includes(wanted) || category.includes(wanted));
    const categories = [...new Set(found.map(({ category }) => category))].sort();
    this.list.replaceChildren(...categories.map((category) => {
      const own = found.filter((one) => one.category === category).sort((a, b) => b.entities.length - a.entities.length);
      const dot = el("i", { class: "dot" });
      dot.style.background = categoryColour(category);
      const all = el("input", { type: "checkbox", checked: own.some(({ isShown }) => isShown), change: () => this.toggle(own, all.checked) });
      const total = own.reduce((sum, { entities }) => sum + entities.length, 0);
      const rows = own.map((one) => {
        const box = el("input", { type: "checkbox", checked: one.isShown, change: () => this.toggle([one], box.checked) });
        return el("label", { class: "class" }, box, one.name, el("span", { class: "note" }, String(one.entities.length)));
      });
      return el("fieldset", {}, el("legend", {}, el("label", {}, all, dot, `${category} (${total})`)), ...rows);
    }));
  }

  private toggle(classes: Class[], isShown: boolean): void {
    for (const own of classes) own.mesh.visible = own.isShown = isShown;
    this.showList();
    this.redraw();
  }

  override pick(camera: PerspectiveCamera, x: number, y: number): void {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), camera);
    const shown = [...this.classes.values()].filter(({ isShown }) => isShown);
    const hit = ray.intersectObjects(shown.map(({ mesh }) => mesh), false)[0];
    const own = shown.find(({ mesh }) => mesh === hit?.object);
    const id = hit?.instanceId === undefined ? undefined : own?.entities[hit.instanceId];
    this.frame.visible = own !== undefined && id !== undefined;
    if (own && id !== undefined && hit?.instanceId !== undefined) {
      own.mesh.getMatrixAt(hit.instanceId, this.frame.matrix);
      this.frame.matrixAutoUpdate = false;
      this.frame.matrixWorldNeedsUpdate = true;
      this.show(id, own);
    }
    this.redraw();
  }

  /** Everything the recording says of what was clicked. */
  private show(id: number, { name, category }: Class): void {
    const { group, row } = this.rows.get(id) as { group: Group; row: number };
    const facts: [string, string][] = [["name", this.recording.entities[id]?.name ?? ""], ["class", name], ["category", category]];
    for (const [column, { kind, width, numbers, names }] of group.columns) {
      if (kind === "rotation") continue;
      const values = Array.from(numbers.subarray(row * width, (row + 1) * width));
      facts.push([words(column), kind === "name" ? (names[values[0] ?? 0] ?? "") : values.map((value) => value.toFixed(2)).join(", ")]);
    }
    const body = facts.map(([key, value]) => el("tr", {}, el("th", { scope: "row" }, key), el("td", {}, value)));
    const rows = el("tbody", {}, ...body);
    this.details.replaceChildren(el("h3", {}, name), el("table", {}, rows));
    // Recipe, inventories and all else the save says of it come when they are asked for.
    void api.details(this.recording.id, this.recording.entities[id]?.name ?? "").then((found) => {
      for (const [key, value] of found?.rows ?? []) rows.append(el("tr", {}, el("th", { scope: "row" }, words(key.replace(/\bm(?=[A-Z])/g, ""))), el("td", {}, value)));
    });
  }

  /** Other saves of the same session, on a slider. */
  private async session(host: HTMLElement): Promise<void> {
    const session = this.recording.outline.summary.details["session"];
    const { rows } = await api.rows(0);
    const saves = rows.filter(({ format, summary }) => session && format === this.recording.outline.format && summary?.details["session"] === session)
      .sort((a, b) => (a.summary?.duration_s ?? 0) - (b.summary?.duration_s ?? 0) || (a.summary?.date ?? "").localeCompare(b.summary?.date ?? ""));
    if (saves.length < 2) return;
    const here = saves.findIndex(({ id }) => id === this.recording.id);
    const slider: HTMLInputElement = el("input", {
      type: "range", min: 0, max: saves.length - 1, value: here, "aria-label": "Save of this session", change: () => (location.hash = `#/r/${saves[Number(slider.value)]?.id}`),
    });
    host.append(el("label", { class: "session" }, `Save ${here + 1} of ${saves.length} of this session`, slider));
  }

  override shown(): number[] { return [...this.classes.values()].flatMap(({ entities }) => entities); }

  override positions(): Record<number, [number, number, number]> {
    const all: Record<number, [number, number, number]> = {};
    const [matrix, at] = [new Matrix4(), new Vector3()];
    for (const { mesh, entities, isShown } of this.classes.values()) {
      if (!isShown) continue;
      for (const [index, id] of entities.entries()) {
        mesh.getMatrixAt(index, matrix);
        at.set(0, -(mesh.userData["lift"] as number), 0).applyMatrix4(matrix);
        all[id] = [at.x, at.y, at.z];
      }
    }
    return all;
  }
}
