// The camera that follows the play: the ball and the cars near it, from the side line, as on television.

import { type PerspectiveCamera, Vector3 } from "three";

/** How fast it turns to what happens: parts of the way in a second. */
const EASE_PER_S = 2.6;
/** Farther than this, in metres, it jumps: a kick-off, a person who went elsewhere in time. */
const JUMP_M = 28;
const NEAREST_M = 15;
const FARTHEST_M = 46;
/** How many cars count, and how much the ball does against them. */
const MAX_CARS = 3;
const BALL_WEIGHT = 0.62;

export class PlayCamera {
  private readonly target = new Vector3();
  private away_m = 30;
  private isFirst = true;

  move(camera: PerspectiveCamera, ball: Vector3, cars: Vector3[], passed_s: number): void {
    const near = [...cars].sort((a, b) => a.distanceTo(ball) - b.distanceTo(ball)).slice(0, MAX_CARS);
    const wanted = ball.clone();
    let spread = 6;
    if (near.length > 0) {
      const middle = near.reduce((sum, car) => sum.add(car), new Vector3()).divideScalar(near.length);
      wanted.multiplyScalar(BALL_WEIGHT).addScaledVector(middle, 1 - BALL_WEIGHT);
      spread = Math.max(...[ball, ...near.slice(0, 2)].map((one) => one.distanceTo(wanted)));
    }
    wanted.y = Math.min(wanted.y, 12) * 0.7 + 0.5;
    // A narrow picture needs more room.
    const room = Math.max(1, 1.35 / Math.max(0.4, camera.aspect));
    const away_m = Math.min(FARTHEST_M, Math.max(NEAREST_M, (spread * 1.35 + 8) * room));
    const part = this.isFirst || wanted.distanceTo(this.target) > JUMP_M ? 1 : 1 - Math.exp(-EASE_PER_S * passed_s);
    this.isFirst = false;
    this.target.lerp(wanted, part);
    this.away_m += (away_m - this.away_m) * part;
    camera.up.set(0, 1, 0);
    camera.position.set(this.target.x + this.away_m * 0.86, this.target.y + this.away_m * 0.5, this.target.z * 0.93);
    camera.lookAt(this.target);
  }
}
