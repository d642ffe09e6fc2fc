// A small button beside a selection, for readers who asked for one.
import { OFFER_TAKEN } from "../../actions.js";
import { place, style } from "../host.js";
import { page } from "../own.js";
import { hasSelection } from "./read.js";

/** The selection must rest so long: the button does not run after a pointer that selects. */
const REST_MS = 250;
/** A selection counts that follows so soon upon a gesture of the reader's. */
const GESTURE_MS = 1_000;
/** A click that comes sooner was meant for what stood there before. */
const CLICK_MS = 500;
const SIDE_PX = 32;
const GAP_PX = 6;

let stop = new AbortController();
let shown: HTMLElement | null = null;

/** Offers the button from now on, or not any more. `label`: its name; null takes it away. */
export function offer(label: string | null): void {
  stop.abort();
  hide();
  if (label === null) return;
  const { signal } = (stop = new AbortController());
  const options = { capture: true, passive: true, signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPressed = false;
  /** When the reader last pressed the pointer, or keys that select. A page that selects on its own is not offered anything. */
  let gesture_ms = Number.NEGATIVE_INFINITY;
  const later = (): void => {
    if (performance.now() - gesture_ms > GESTURE_MS) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isPressed && !signal.aborted) offerNow(label);
    }, REST_MS);
  };
  const isOnButton = (event: Event): boolean => shown !== null && event.composedPath()[0] === shown;
  const press = (event: Event): void => {
    if (isOnButton(event)) return;
    isPressed = event.type === "pointerdown";
    if (event.isTrusted) gesture_ms = performance.now();
    hide();
  };
  addEventListener("pointerdown", press, options);
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(
      name,
      (event) => {
        isPressed = false;
        // A click on the button that came too soon leaves it where it is.
        if (isOnButton(event)) return;
        if (event.isTrusted) gesture_ms = performance.now();
        later();
      },
      options,
    );
  }
  addEventListener(
    "keydown",
    ({ key, shiftKey, ctrlKey, metaKey, isTrusted }) => {
      if (key === "Escape") hide();
      else if (isTrusted && (shiftKey || ctrlKey || metaKey)) gesture_ms = performance.now();
    },
    options,
  );
  for (const name of ["scroll", "resize", "blur"]) addEventListener(name, hide, options);
  addEventListener("selectionchange", later, options);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

function hide(): void {
  shown?.remove();
  shown = null;
}

function offerNow(label: string): void {
  const range = hasSelection() ? selectedRange() : null;
  hide();
  if (!range) return;
  const box = range.getBoundingClientRect();
  if (box.width + box.height === 0) return;
  const button = page.make("button");
  button.type = "button";
  button.title = label;
  button.ariaLabel = label;
  style(button, {
    all: "initial",
    display: "grid",
    "place-items": "center",
    "box-sizing": "border-box",
    width: `${SIDE_PX}px`,
    height: `${SIDE_PX}px`,
    "border-radius": "50%",
    border: "1px solid GrayText",
    background: "Canvas",
    cursor: "pointer",
  });
  // A press must not take the selection away.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("mousedown", (event) => event.preventDefault());
  const shown_ms = performance.now();
  button.addEventListener("focus", () => style(button, { outline: "3px solid Highlight" }));
  button.addEventListener("blur", () => button.style.removeProperty("outline"));
  button.addEventListener("click", (event) => {
    // A page cannot reach the button. What is not the reader's own click is nobody's wish all the same.
    if (!event.isTrusted || performance.now() - shown_ms < CLICK_MS) return;
    hide();
    void chrome.runtime.sendMessage({ type: OFFER_TAKEN });
  });
  button.append(dot());
  const clamp = (value: number, max: number): number => Math.max(GAP_PX, Math.min(value, max - SIDE_PX - GAP_PX));
  const isRoomBelow = box.bottom + GAP_PX + SIDE_PX < innerHeight;
  const top = isRoomBelow ? box.bottom + GAP_PX : box.top - GAP_PX - SIDE_PX;
  shown = place(button, { left: `${clamp(box.right, innerWidth)}px`, top: `${clamp(top, innerHeight)}px` });
}

function selectedRange(): Range | null {
  const found = getSelection();
  return found && found.rangeCount > 0 ? found.getRangeAt(0) : null;
}

/** The mark of the extension: a ring around a dot, which forced colors keep. */
function dot(): HTMLElement {
  const ring = page.make("span");
  style(ring, {
    all: "initial",
    display: "block",
    "box-sizing": "border-box",
    width: "16px",
    height: "16px",
    "border-radius": "50%",
    border: "2px solid #1f5c4a",
    background: "radial-gradient(circle, #e0a526 0 40%, transparent 42%)",
    cursor: "pointer",
  });
  return ring;
}
