// A camera from the side that keeps everybody in the picture, and moves gently.

import { type PerspectiveCamera, Vector3 } from "three";

const EASE_PER_S = 4;
const JUMP_M = 9;
/** Half of the height that is seen at least, and the room around those who are in the picture, in metres. */
const NEAREST_M = 4.1;
const MARGIN_M = 2.9;
const ABOVE = 0.055;
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
    // Half of the height: the third axis is that, so that the opening of the camera does not matter.
    const size_m = Math.max(NEAREST_M, ((right - left) / 2 + MARGIN_M) / camera.aspect, (high - low) / 2 + MARGIN_M);
    const wanted = new Vector3((left + right) / 2, (low + high) / 2 + 0.55, size_m);
    const part = this.isFirst || wanted.distanceTo(this.at) > JUMP_M ? 1 : 1 - Math.exp(-EASE_PER_S * passed_s);
    this.isFirst = false;
    this.at.lerp(wanted, part);
    const away_m = this.at.z / half;
    // From a little above: the ground shows its top.
    camera.position.set(this.at.x, this.at.y + away_m * ABOVE, away_m);
    camera.up.set(0, 1, 0);
    camera.lookAt(this.at.x, this.at.y, 0);
  }
}
