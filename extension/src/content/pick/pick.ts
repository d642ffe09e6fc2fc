// Lets the reader choose a part of the page with the pointer or the keyboard. An outline is laid over the page; nothing of the page
// itself changes.
import { isOurs, place, style } from "../host.js";
import { boxOf, isBody, isInPage, isRoot, page, tagOf } from "../own.js";
import { PICK_KEYS, type PickKey } from "./keys.js";
import { choosePart, labelOf } from "./part.js";
import { partAt, partBeside } from "./steps.js";

/** Events that would reach what is under the pointer. */
const HELD_BACK = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick"];

interface Picking {
  act(key: PickKey): string;
}

let picking: Picking | null = null;

/** Resolves with true when a part was chosen, with false when the choice ended without one. */
export function pick(): Promise<boolean> {
  picking?.act("end");
  return new Promise((resolve) => {
    picking = start((chosen) => {
      picking = null;
      if (chosen) choosePart(chosen);
      resolve(chosen !== null);
    });
  });
}

/** A key that was pressed in the panel. Gives the words of what is outlined now; null where nothing is being chosen. */
export const pickKey = (key: PickKey): string | null => picking?.act(key) ?? null;

function start(end: (chosen: Element | null) => void): Picking {
  const stop = new AbortController();
  const { signal } = stop;
  const held = { capture: true, signal };
  const outline = createOutline();
  let here = firstPart();
  const draw = (): void => outline.draw(here);

  const act = (key: PickKey): string => {
    if (key === "take" || key === "end") {
      stop.abort();
      outline.remove();
      end(key === "take" && isInPage(here) ? here : null);
      return "";
    }
    here = isInPage(here) ? partBeside(here, key) : firstPart();
    outline.show(here);
    return labelOf(here);
  };

  const point = ({ clientX, clientY, isTrusted }: PointerEvent): void => {
    const under = isTrusted ? page.at(clientX, clientY) : null;
    if (!under || isOurs(under)) return;
    here = partAt(under);
    draw();
  };
  // In a frame the pointer moves unseen: only that it enters is told.
  for (const name of ["pointermove", "pointerover"] as const) addEventListener(name, point, { ...held, passive: true });
  for (const name of HELD_BACK) {
    addEventListener(
      name,
      (event) => {
        if (!event.isTrusted) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (name === "click" && (event as MouseEvent).button === 0) act("take");
      },
      held,
    );
  }
  addEventListener(
    "keydown",
    (event) => {
      const key = event.isTrusted ? PICK_KEYS[event.key] : undefined;
      if (!key) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      act(key);
    },
    held,
  );
  for (const name of ["scroll", "resize"]) addEventListener(name, draw, { ...held, passive: true });
  draw();
  return { act };
}

/** Where keys begin: the page's main part. */
function firstPart(): Element {
  const found = page.find("main, [role=main], article");
  return found ? partAt(found) : (page.body() ?? page.root());
}

function createOutline(): { draw(element: Element): void; show(element: Element): void; remove(): void } {
  const frame = page.make("div");
  style(frame, {
    all: "initial",
    display: "block",
    "box-sizing": "border-box",
    width: "100%",
    height: "100%",
    border: "3px solid #1f5c4a",
    outline: "2px solid #ffffff",
    "border-radius": "4px",
    background: "rgb(224 165 38 / 0.18)",
    "pointer-events": "none",
  });
  const host = place(frame, { "pointer-events": "none" });
  const draw = (element: Element): void => {
    const { left, top, width, height } = boxOf(element);
    // Of an element that fills the window the edges would lie outside.
    const [x, y] = [Math.max(0, left - 3), Math.max(0, top - 3)];
    const right = Math.min(innerWidth, left + width + 3);
    const bottom = Math.min(innerHeight, top + height + 3);
    const size = { width: `${Math.max(0, right - x)}px`, height: `${Math.max(0, bottom - y)}px` };
    // What is pressed in a frame is not told either: there the outline takes it.
    const taken = tagOf(element) === "IFRAME" ? "auto" : "none";
    style(host, { left: `${x}px`, top: `${y}px`, "pointer-events": taken, ...size });
  };
  return {
    draw,
    show(element) {
      const { top, bottom } = boxOf(element);
      const isWhole = isRoot(element) || isBody(element);
      if (!isWhole && (bottom < 0 || top > innerHeight)) scrollBy({ top: top - innerHeight / 4, behavior: "instant" });
      draw(element);
    },
    remove: () => host.remove(),
  };
}
