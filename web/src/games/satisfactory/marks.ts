// Dots on what is small and far apart: resource nodes and collectables would vanish on a map of the whole world.

import { BufferAttribute, BufferGeometry, Points, PointsMaterial } from "three";
import { disc } from "./nodes";

/** What gets dots. */
export const MARKED = new Set(["collectable"]);

const SIZE_PX = 7;

/** Room for so many dots, as large on the screen from near as from far. */
export function marks(count: number, colour: string): Points {
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(count * 3), 3));
  const dots = new Points(
    geometry,
    new PointsMaterial({
      color: colour,
      size: SIZE_PX * Math.min(2, devicePixelRatio),
      sizeAttenuation: false,
      map: disc(true),
      alphaTest: 0.4,
    }),
  );
  dots.name = "marks";
  dots.frustumCulled = false;
  dots.matrixAutoUpdate = false;
  return dots;
}

/** Puts a dot on each of some rows. */
export function moveMarks(dots: Points, rows: Uint32Array, positions: Float32Array): void {
  const at = dots.geometry.getAttribute("position");
  rows.forEach((row, index) =>
    at.setXYZ(index, positions[row * 3] as number, positions[row * 3 + 1] as number, positions[row * 3 + 2] as number),
  );
  at.needsUpdate = true;
  dots.geometry.setDrawRange(0, rows.length);
  dots.visible = rows.length > 0;
}
