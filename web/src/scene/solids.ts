// Boxes, balls and cylinders of the sizes that the games' tables tell.

import { BoxGeometry, type BufferGeometry, CylinderGeometry, IcosahedronGeometry, type Material, Mesh } from "three";
import type { ShapeRow } from "../facts/shape";

/** A solid with its middle where the table has it. */
export function solid({ form, size_m, centre_m }: ShapeRow, material: Material): Mesh {
  const mesh = new Mesh(geometry(form), material);
  mesh.scale.set(...size_m);
  mesh.position.set(...centre_m);
  return mesh;
}

function geometry(form: ShapeRow["form"]): BufferGeometry {
  switch (form) {
    case "Box":
      return new BoxGeometry(1, 1, 1);
    case "Ball":
      return new IcosahedronGeometry(0.5, 3);
    case "Disc":
      return new CylinderGeometry(0.5, 0.5, 1, 32);
  }
}
