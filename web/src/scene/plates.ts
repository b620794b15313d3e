// Names over players, which keep out of each other's way.

import { CanvasTexture, type Object3D, type PerspectiveCamera, Sprite, SpriteMaterial, Vector3 } from "three";

/** How high a name is, in parts of the picture's height at an opening of 55°. */
const HEIGHT = 0.03;
const MAX_LETTERS = 18;
/** A name is moved up by at most so many of its heights. */
const MAX_STEPS = 6;

interface Plate {
  sprite: Sprite;
  anchor: Object3D;
  /** Over the anchor, in metres. */
  lift: number;
  /** Width by height. */
  shape: number;
}

export class Plates {
  private readonly plates: Plate[] = [];
  private readonly at = new Vector3();

  constructor(private readonly root: Object3D) {}

  add(text: string, colour: string, anchor: Object3D, lift: number): Sprite {
    const { texture, shape } = draw(text, colour);
    const sprite = new Sprite(
      new SpriteMaterial({ map: texture, depthTest: false, transparent: true, sizeAttenuation: false }),
    );
    sprite.renderOrder = 10;
    this.root.add(sprite);
    this.plates.push({ sprite, anchor, lift, shape });
    return sprite;
  }

  /** Puts every name over what it belongs to, and over the names that are there already. */
  arrange(camera: PerspectiveCamera, width: number, height: number): void {
    const opening = Math.tan((camera.fov * Math.PI) / 360) * 2;
    // On a small picture letters stay readable.
    const part = HEIGHT * Math.max(1, Math.min(1.7, 620 / Math.max(1, height / devicePixelRatio)));
    const placed: { x: number; y: number; half: number }[] = [];
    const size = part * opening;
    const aspect = width / Math.max(1, height);
    const seen = this.plates.filter((plate) => {
      plate.sprite.visible = plate.anchor.visible;
      return plate.anchor.visible;
    });
    const spots = seen.map((plate) => {
      plate.sprite.position.copy(plate.anchor.position);
      plate.sprite.position.y += plate.lift;
      this.at.copy(plate.sprite.position).project(camera);
      return { plate, x: this.at.x * aspect, y: this.at.y };
    });
    spots.sort((a, b) => a.y - b.y);
    for (const { plate, x, y } of spots) {
      plate.sprite.scale.set(size * plate.shape, size, 1);
      const own = part * 2;
      const half = (own * plate.shape) / 2;
      let step = 0;
      const hits = () =>
        placed.some(
          (other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - (y + step * own)) < own * 1.05,
        );
      while (step < MAX_STEPS && hits()) step += 0.5;
      placed.push({ x, y: y + step * own, half });
      plate.sprite.center.set(0.5, -step);
    }
  }
}

function draw(text: string, colour: string): { texture: CanvasTexture; shape: number } {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const font = "600 40px system-ui, sans-serif";
  const shown = text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text;
  if (context) {
    context.font = font;
    canvas.width = Math.ceil(context.measureText(shown).width) + 44;
    canvas.height = 60;
    context.font = font;
    context.fillStyle = "rgba(9, 13, 19, 0.78)";
    context.beginPath();
    context.roundRect(0, 0, canvas.width, canvas.height, 12);
    context.fill();
    context.fillStyle = colour;
    context.fillRect(0, 10, 8, 40);
    context.fillStyle = "#f4f7fb";
    context.textBaseline = "middle";
    context.fillText(shown, 24, 32);
  }
  return { texture: new CanvasTexture(canvas), shape: canvas.width / Math.max(1, canvas.height) };
}
