// The camera that follows the play: the ball and the cars near it, from the side line, as on television.

import { type PerspectiveCamera, Vector3 } from "three";

/** How fast it turns to what happens: parts of the way in a second. */
const EASE_PER_S = 2.6;
/** Farther than this, in metres, it jumps: a kick-off, a person who went elsewhere in time. */
const JUMP_M = 28;
const NEAREST_M = 15;
const FARTHEST_M = 60;
/** How many cars count, how much the ball does against them, and which part of the picture they may fill. */
const MAX_CARS = 2;
const BALL_WEIGHT = 0.6;
const FILLS = { across: 0.8, up: 0.56 };
/** Which way it looks: from the side, down at an angle. */
const AHEAD = new Vector3(-0.87, -0.5, 0).normalize();
const UP = new Vector3(-0.5, 0.87, 0).normalize();

export class PlayCamera {
  private readonly target = new Vector3();
  private away_m = 30;
  private isFirst = true;

  move(camera: PerspectiveCamera, ball: Vector3, cars: Vector3[], passed_s: number): void {
    const near = [...cars].sort((a, b) => a.distanceTo(ball) - b.distanceTo(ball)).slice(0, MAX_CARS);
    const wanted = ball.clone();
    if (near.length > 0) {
      const middle = near.reduce((sum, car) => sum.add(car), new Vector3()).divideScalar(near.length);
      wanted.multiplyScalar(BALL_WEIGHT).addScaledVector(middle, 1 - BALL_WEIGHT);
    }
    wanted.y = Math.min(wanted.y, 14) * 0.75;
    const away_m = this.room(camera, wanted, [ball, ...near]);
    const part = this.isFirst || wanted.distanceTo(this.target) > JUMP_M ? 1 : 1 - Math.exp(-EASE_PER_S * passed_s);
    this.isFirst = false;
    this.target.lerp(wanted, part);
    this.away_m += (away_m - this.away_m) * part;
    camera.up.set(0, 1, 0);
    camera.position.copy(this.target).addScaledVector(AHEAD, -this.away_m);
    camera.lookAt(this.target);
  }

  /** From how far all of them are in the picture. */
  private room(camera: PerspectiveCamera, target: Vector3, all: Vector3[]): number {
    const half = Math.tan((camera.fov * Math.PI) / 360);
    const from = new Vector3();
    const needed = all.map((one) => {
      from.subVectors(one, target);
      const across = (Math.abs(from.z) + 1) / (half * camera.aspect * FILLS.across);
      const up = (Math.abs(from.dot(UP)) + 1) / (half * FILLS.up);
      return Math.max(across, up) - from.dot(AHEAD);
    });
    return Math.min(FARTHEST_M, Math.max(NEAREST_M, ...needed));
  }
}
