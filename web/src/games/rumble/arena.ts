// A round arena with a soft horizon. Its form is ours; its size is about that of the game's.

import {
  BackSide,
  CanvasTexture,
  CircleGeometry,
  CylinderGeometry,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  RingGeometry,
  SphereGeometry,
  SRGBColorSpace,
} from "three";
import { FIGURE } from "../../facts/rumble";
import { group } from "../../scene/actor";

const PILLARS = 12;

function sand(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1024;
  const context = canvas.getContext("2d");
  if (context) {
    const fade = context.createRadialGradient(512, 512, 20, 512, 512, 512);
    fade.addColorStop(0, "#8d7d66");
    fade.addColorStop(0.75, "#73644f");
    fade.addColorStop(1, "#54493b");
    context.fillStyle = fade;
    context.fillRect(0, 0, 1024, 1024);
    // Flags of stone in rings: the eye needs something to measure by.
    context.strokeStyle = "rgba(40, 32, 24, 0.34)";
    context.lineWidth = 3;
    for (let ring = 1; ring <= 7; ring++) {
      const radius = ring * 72;
      context.beginPath();
      context.arc(512, 512, radius, 0, 2 * Math.PI);
      context.stroke();
      const stones = ring * 8;
      for (let stone = 0; stone < stones; stone++) {
        const angle = (stone / stones) * 2 * Math.PI + (ring % 2) * (Math.PI / stones);
        context.beginPath();
        context.moveTo(512 + Math.cos(angle) * (radius - 72), 512 + Math.sin(angle) * (radius - 72));
        context.lineTo(512 + Math.cos(angle) * radius, 512 + Math.sin(angle) * radius);
        context.stroke();
      }
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

function sky(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = 4;
  canvas.height = 256;
  const context = canvas.getContext("2d");
  if (context) {
    const fade = context.createLinearGradient(0, 0, 0, 256);
    fade.addColorStop(0, "#2b4668");
    fade.addColorStop(0.44, "#7d94ad");
    fade.addColorStop(0.5, "#d9c3a0");
    fade.addColorStop(0.54, "#57493a");
    fade.addColorStop(1, "#2a231c");
    context.fillStyle = fade;
    context.fillRect(0, 0, 4, 256);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

export function arena(): Object3D {
  const radius = FIGURE.arena_radius_m;
  const floor = new Mesh(new CircleGeometry(radius, 96), new MeshStandardMaterial({ map: sand(), roughness: 0.95 }));
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = -0.01;
  const stone = new MeshStandardMaterial({ color: "#7d6f5c", roughness: 0.95 });
  const edge = new Mesh(new CylinderGeometry(radius + 0.35, radius + 0.7, 0.5, 96, 1, true), stone);
  edge.position.y = -0.24;
  const rim = new Mesh(
    new RingGeometry(radius - 0.05, radius + 0.35, 96),
    new MeshStandardMaterial({ color: "#c9a25b", roughness: 0.8 }),
  );
  rim.rotation.x = -Math.PI / 2;
  const made = group(floor, edge, rim);
  for (let index = 0; index < PILLARS; index++) {
    const angle = (index / PILLARS) * 2 * Math.PI;
    const pillar = new Mesh(new CylinderGeometry(0.32, 0.42, 2.6, 10), stone);
    pillar.position.set(Math.cos(angle) * (radius + 1.6), 0.9, Math.sin(angle) * (radius + 1.6));
    const cap = new Mesh(new CylinderGeometry(0.52, 0.36, 0.25, 10), stone);
    cap.position.set(pillar.position.x, 2.3, pillar.position.z);
    made.add(pillar, cap);
  }
  const dome = new Mesh(
    new SphereGeometry(160, 32, 24),
    new MeshBasicMaterial({ map: sky(), side: BackSide, depthWrite: false, fog: false }),
  );
  dome.renderOrder = -10;
  made.add(dome);
  return made;
}
