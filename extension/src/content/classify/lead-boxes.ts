// Small boxes that begin with a line that leads elsewhere, such as "Customers also bought", where that line is no heading.
import { type Container, lineBoxOf, outerOf } from "../blocks/containers.js";
import type { Judged } from "./judged.js";
import { Lines, type Section } from "./lines.js";
import { WEIGHTS } from "./weights.js";

/** Of the page's text: what holds more is no such box. */
const SHARE_MAX = 0.3;
const LINKED_MAX = 0.5;
const WEIGHT: Record<Section, number> = {
  leads: WEIGHTS.underLeads,
  notes: WEIGHTS.underNotes,
  comments: WEIGHTS.underComments,
};

export class LeadBoxes {
  readonly #boxes = new Map<Container, Section>();

  /** Finds the boxes, and weighs what stands in them as under such a heading. */
  *find(judged: readonly Judged[], chars: number): Generator<void> {
    const begun = new Set<Container>();
    for (const [at, { block }] of judged.entries()) {
      yield;
      const line = lineBoxOf(block.container);
      const box = line.blocks > 1 ? line : outerOf(line);
      if (!box || begun.has(box)) continue;
      for (let outer: Container | null = box; outer && !begun.has(outer); outer = outer.parent) begun.add(outer);
      // Above a heading it is a badge of what the box is about.
      const isLine = block.kind !== "heading" && !block.isControl && block.linked < LINKED_MAX;
      const section = isLine && judged[at + 1]?.block.kind !== "heading" ? Lines.section(block.text) : null;
      if (section && box.chars < chars * SHARE_MAX) this.#boxes.set(box, section);
    }
    for (const one of judged) {
      yield;
      const section = one.isRead ? this.of(one.block.container) : null;
      if (section && one.score + WEIGHT[section] <= 0) one.isRead = false;
    }
  }

  /** What the box around a container leads to; null where there is none. */
  of(container: Container): Section | null {
    for (let at: Container | null = container; at; at = at.parent) {
      const section = this.#boxes.get(at);
      if (section) return section;
    }
    return null;
  }
}
