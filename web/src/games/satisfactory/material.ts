// What boxes are made of: flat colour with edges, so that one tells a machine from the next, and a raised middle on
// machines. Edges are as thick on the screen from near as from far, and vanish on what is only a few pixels large.

import { MeshLambertMaterial, type Plane } from "three";

/** How dark an edge is, and from how many pixels on a side has edges. */
const EDGE_DARK = 0.52;
const FROM_PX = [5, 14];
/** How far from its border the middle of a machine begins, as a part of its side, and how much lighter it is. */
const RAISED_FROM = 0.16;
const RAISED_LIGHT = 0.16;

const EDGES = /* glsl */ `
  vec2 boxStep = max(fwidth(vUv), vec2(1e-6));
  vec2 boxBorder = min(vUv, 1.0 - vUv);
  vec2 boxPx = boxBorder / boxStep;
  float boxRoom = smoothstep(float(${FROM_PX[0]}), float(${FROM_PX[1]}), min(1.0 / boxStep.x, 1.0 / boxStep.y));
  float boxEdge = (1.0 - smoothstep(0.6, 1.7, min(boxPx.x, boxPx.y))) * boxRoom;
  vec2 boxAway = (boxBorder - RAISED_FROM_VALUE) / boxStep;
  float boxRaised = clamp(min(boxAway.x, boxAway.y) + 0.5, 0.0, 1.0) * boxRoom;
  outgoingLight *= 1.0 + RAISED_LIGHT_VALUE * boxRaised;
  outgoingLight *= 1.0 - float(${EDGE_DARK}) * boxEdge;
  #include <opaque_fragment>
`;

export function boxMaterial(isRaised: boolean, clippingPlanes: Plane[]): MeshLambertMaterial {
  // The plain type does not know that it can have definitions: this one asks for the place on each side.
  const material: MeshLambertMaterial & { defines?: Record<string, string> } = new MeshLambertMaterial({
    clippingPlanes,
  });
  material.defines = { USE_UV: "" };
  const edges = EDGES.replace("RAISED_FROM_VALUE", RAISED_FROM.toFixed(3)).replace(
    "RAISED_LIGHT_VALUE",
    (isRaised ? RAISED_LIGHT : 0).toFixed(3),
  );
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>", edges);
  };
  material.customProgramCacheKey = () => `box ${isRaised}`;
  return material;
}
