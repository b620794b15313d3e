// A camera from the side that keeps everybody in the picture, and moves gently.

import { type PerspectiveCamera, Vector3 } from "three";

const EASE_PER_S = 4;
const JUMP_M = 9;
const NEAREST_M = 8.5;
const MARGIN_M = 3.4;
/** What is farther out than this is on its way out of the stage. */
const FARTHEST = { x: 21, low: -9, high: 15 };

export class SideCamera {
  private readonly at = new Vector3();
  private isFirst = true;

  move(camera: PerspectiveCamera, there: Vector3[], passed_s: number): void {
    const points = there.length > 0 ? there : [new Vector3()];
    const xs = points.map(({ x }) => Math.max(-FARTHEST.x, Math.min(FARTHEST.x, x)));
    const ys = points.map(({ y }) => Math.max(FARTHEST.low, Math.min(FARTHEST.high, y)));
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const half = Math.tan((camera.fov * Math.PI) / 360);
    const away_m = Math.max(
      NEAREST_M,
      ((right - left) / 2 + MARGIN_M) / (half * camera.aspect),
      ((high - low) / 2 + MARGIN_M) / half,
    );
    const wanted = new Vector3((left + right) / 2, (low + high) / 2 + 0.9, away_m);
    const part = this.isFirst || wanted.distanceTo(this.at) > JUMP_M ? 1 : 1 - Math.exp(-EASE_PER_S * passed_s);
    this.isFirst = false;
    this.at.lerp(wanted, part);
    camera.position.copy(this.at);
    camera.up.set(0, 1, 0);
    camera.lookAt(this.at.x, this.at.y - 0.25, 0);
  }
}
