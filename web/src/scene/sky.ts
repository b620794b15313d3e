// What is behind everything: one colour, or a fade from above to below.

import { CanvasTexture, Color, SRGBColorSpace } from "three";

/** A colour, or colours from top to bottom. */
export type Backdrop = string | readonly string[];

export function sky(backdrop: Backdrop): Color | CanvasTexture {
  if (typeof backdrop === "string") return new Color(backdrop);
  const canvas = document.createElement("canvas");
  canvas.width = 4;
  canvas.height = 512;
  const context = canvas.getContext("2d");
  if (context) {
    const fade = context.createLinearGradient(0, 0, 0, canvas.height);
    backdrop.forEach((colour, index) => fade.addColorStop(index / Math.max(1, backdrop.length - 1), colour));
    context.fillStyle = fade;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
