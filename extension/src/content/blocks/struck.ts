// What is struck out no longer holds: an old price, a date that was moved.
import { tagOf } from "../own.js";

/** True for what is deleted, or shown with a line through it. */
export function isStruck(element: Element, style: CSSStyleDeclaration): boolean {
  if (tagOf(element) === "DEL") return true;
  return style.textDecorationLine.includes("line-through") && !/^rgba\(.*, 0\)$/.test(style.textDecorationColor);
}
