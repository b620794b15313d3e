// The picture: renderer, light, camera.

import {
  AmbientLight,
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Scene,
  Texture,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { dispose } from "./actor";
import type { CameraMode, GameScene } from "./game";
import { sky } from "./sky";

/** How wide the camera opens unless a mode says otherwise, and at most on a narrow screen, in degrees. */
const FOV_DEG = 55;
const MAX_FOV_DEG = 95;
/** The nearest that is drawn, in metres and as a part of the way to what is looked at. */
const NEAR_M = 0.05;
const NEAR_PART = 0.01;

/** Moved farther than this between press and release, the camera was dragged. */
const DRAG_PX = 5;
const RADIAN = Math.PI / 180;

export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly camera = new PerspectiveCamera(FOV_DEG, 1, NEAR_M, 60_000);
  readonly controls: OrbitControls;
  mode: CameraMode;
  private readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  private readonly watcher: ResizeObserver;
  private needsPicture = true;
  /** Where the person's own camera was, while another one is on. */
  private kept: [Vector3, Vector3] | undefined;

  constructor(private readonly game: GameScene) {
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The scene at the playhead");
    this.canvas.tabIndex = 0;
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.localClippingEnabled = true;
    this.scene.add(new HemisphereLight(0xdfe9ff, 0x3a3530, 1.6), new AmbientLight(0xffffff, 0.35), game.root);
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(3, 10, 5);
    this.scene.add(sun);
    this.mode = game.cameras[0] as CameraMode;
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomSpeed = 1.4;
    this.controls.addEventListener("change", () => (this.needsPicture = true));
    this.goHome();
    this.watcher = new ResizeObserver(() => this.resize());
    let pressed: [number, number] = [0, 0];
    this.canvas.addEventListener("pointerdown", ({ clientX, clientY }) => {
      pressed = [clientX, clientY];
    });
    this.canvas.addEventListener("click", (event) => {
      // The end of a drag is not a click.
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > DRAG_PX) return;
      const box = this.canvas.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * 2 - 1;
      const y = 1 - ((event.clientY - box.top) / box.height) * 2;
      this.camera.updateMatrixWorld();
      game.pick(this.camera, x, y);
    });
  }

  goHome(): void {
    this.camera.position.set(...this.game.home.position);
    this.controls.target.set(...this.game.home.target);
    this.camera.up.set(0, 1, 0);
    this.controls.update();
    this.mode.enter?.(this.camera, this.controls, this.seen(FOV_DEG));
    this.needsPicture = true;
  }

  /** How many metres a camera of an opening sees above and below what it looks at. */
  private seen(fov_deg: number): number {
    return this.camera.position.distanceTo(this.controls.target) * Math.tan((fov_deg / 2) * RADIAN);
  }

  setCamera(id: string): void {
    this.mode = this.game.cameras.find((mode) => mode.id === id) ?? (this.game.cameras[0] as CameraMode);
    this.game.cameraChanged(this.mode.id);
    if (this.mode.move) this.kept ??= [this.camera.position.clone(), this.controls.target.clone()];
    else if (this.kept) {
      this.camera.position.copy(this.kept[0]);
      this.controls.target.copy(this.kept[1]);
      this.kept = undefined;
    }
    this.controls.enabled = this.mode.move === undefined;
    this.controls.enableRotate = true;
    this.controls.mouseButtons.LEFT = 0;
    const seen_m = this.seen(this.camera.fov);
    this.open();
    this.mode.enter?.(this.camera, this.controls, seen_m);
    if (this.controls.enabled) this.controls.update();
    this.needsPicture = true;
  }

  /** Where the camera is and what it looks at, for a link. */
  view(): [number[], number[]] {
    const round = (vector: Vector3) => vector.toArray().map((value) => Math.round(value * 1000) / 1000);
    return [round(this.camera.position), round(this.controls.target)];
  }

  setView(position: number[], target: number[]): void {
    if (this.kept) {
      this.kept = [new Vector3().fromArray(position), new Vector3().fromArray(target)];
      return;
    }
    this.camera.position.fromArray(position);
    this.controls.target.fromArray(target);
    this.controls.update();
    this.needsPicture = true;
  }

  /** Puts the picture into the page. */
  attach(host: HTMLElement): void {
    host.prepend(this.canvas);
    this.watcher.disconnect();
    this.watcher.observe(host);
    this.resize();
  }

  applyTheme(theme: "dark" | "light"): void {
    if (this.scene.background instanceof Texture) this.scene.background.dispose();
    this.scene.background = sky(this.game.background[theme]);
    this.game.themeChanged(theme);
    this.needsPicture = true;
  }

  invalidate(): void {
    this.needsPicture = true;
  }

  private resize(): void {
    const { clientWidth = 0, clientHeight = 0 } = this.canvas.parentElement ?? {};
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.open();
    this.needsPicture = true;
  }

  /** Opens the camera as its mode wants it; a tall picture keeps the width of a square one. */
  private open(): void {
    const { aspect } = this.camera;
    const own = this.mode.fov_deg ?? FOV_DEG;
    const tall = (2 * Math.atan(Math.tan((own / 2) * RADIAN) / aspect)) / RADIAN;
    this.camera.fov = aspect >= 1 ? own : Math.min(MAX_FOV_DEG, tall);
    this.camera.updateProjectionMatrix();
  }

  /** What is far away is told apart only if nothing very near has to be. */
  private focus(): void {
    const away_m = this.camera.position.distanceTo(this.controls.target);
    const near = this.mode.move ? NEAR_M : Math.max(NEAR_M, away_m * NEAR_PART);
    if (Math.abs(near - this.camera.near) < this.camera.near * 0.05) return;
    this.camera.near = near;
    this.camera.updateProjectionMatrix();
  }

  /** Draws, if anything changed. */
  draw(time_s: number, passed_s: number): void {
    if (this.mode.move) {
      this.mode.move(this.camera, time_s, passed_s);
      this.needsPicture = true;
    }
    if (!this.needsPicture) return;
    this.needsPicture = false;
    this.render();
  }

  render(): void {
    const { width, height } = this.canvas;
    this.focus();
    this.game.beforeDrawing(this.camera, width, height);
    this.renderer.render(this.scene, this.camera);
  }

  close(): void {
    this.watcher.disconnect();
    this.controls.dispose();
    if (this.scene.background instanceof Texture) this.scene.background.dispose();
    dispose(this.scene);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
