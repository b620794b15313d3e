// Soft spots on the ground below what moves: how high it is, and where.

import { CanvasTexture, Mesh, MeshBasicMaterial, PlaneGeometry, type Vector3 } from "three";

let texture: CanvasTexture | undefined;

function soft(): CanvasTexture {
  if (texture) return texture;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d");
  if (context) {
    const fade = context.createRadialGradient(32, 32, 4, 32, 32, 31);
    fade.addColorStop(0, "rgba(0, 0, 0, 0.75)");
    fade.addColorStop(0.55, "rgba(0, 0, 0, 0.45)");
    fade.addColorStop(1, "rgba(0, 0, 0, 0)");
    context.fillStyle = fade;
    context.fillRect(0, 0, 64, 64);
  }
  texture = new CanvasTexture(canvas);
  return texture;
}

export class Shadow {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;

  constructor(private readonly size_m: number) {
    this.mesh = new Mesh(
      new PlaneGeometry(1, 1),
      new MeshBasicMaterial({ map: soft().clone(), transparent: true, depthWrite: false }),
    );
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.renderOrder = 1;
    this.mesh.visible = false;
  }

  /** Below a point, on ground of a height: wider and fainter, the higher the point is. */
  under(point: Vector3 | undefined, ground_m: number, scale = 1): void {
    this.mesh.visible = point !== undefined;
    if (!point) return;
    const high = Math.max(0, point.y - ground_m);
    this.mesh.position.set(point.x, ground_m + 0.02, point.z);
    this.mesh.scale.setScalar(this.size_m * scale * (1 + high * 0.06));
    this.mesh.material.opacity = 1 / (1 + high * 0.12);
  }
}
