// Where boxes are, what frames them, and how they lie to each other.
import type { Container } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { boxOf } from "../own.js";
import type { Box } from "../sight/geometry.js";

const NO_COLOR = /^(?:transparent|rgba\(.*, 0\))$/;
/** Of the lower one's height, two boxes side by side share so much. */
const BESIDE_MIN = 0.5;

/** The boxes of elements, each measured once. */
export class Boxes {
  readonly #boxes = new Map<Container, Box>();
  readonly #frames = new Map<Container, boolean>();

  /** Where an element is in its document. */
  of(container: Container): Box {
    const known = this.#boxes.get(container);
    if (known) return known;
    const { left, right, top, bottom } = boxOf(container.element);
    const x = container.frameLeft + scrollX;
    const box = { left: left + x, right: right + x, top: top + scrollY, bottom: bottom + scrollY };
    this.#boxes.set(container, box);
    return box;
  }

  /** It has a frame or a ground of its own. */
  hasFrame(container: Container): boolean {
    const known = this.#frames.get(container);
    if (known !== undefined) return known;
    const { backgroundColor, borderTopWidth, borderBottomWidth } = getComputedStyle(container.element);
    const hasBorder = [borderTopWidth, borderBottomWidth].every((width) => Number.parseFloat(width) > 0);
    const found = hasBorder || !NO_COLOR.test(backgroundColor);
    this.#frames.set(container, found);
    return found;
  }
}

/** 0 up to `from`, 1 from `to` on. */
export const ramp = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)));

export function areBeside(a: Box, b: Box): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const height = Math.min(a.bottom - a.top, b.bottom - b.top);
  return (a.right <= b.left + 1 || b.right <= a.left + 1) && height > 0 && shared > height * BESIDE_MIN;
}

/** How much smaller its letters are than those of the prose: 1 for two thirds of their size. */
export function smallness({ size }: LiveBlock, most: number): number {
  return most > 0 ? Math.min(1, Math.max(0, (3 * (most - size)) / most)) : 0;
}

/** How much of a block lies beside the column that holds most of the prose. */
export function besideColumn({ sides: [left, right] }: LiveBlock, column: readonly [number, number] | null): number {
  if (!column) return 0;
  const [from, to] = column;
  const narrower = Math.min(right - left, to - from);
  const shared = Math.min(right, to) - Math.max(left, from);
  return narrower > 0 ? Math.min(1, Math.max(0, 1 - shared / narrower)) : 0;
}
