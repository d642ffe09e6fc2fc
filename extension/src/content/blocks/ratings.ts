// Stars that are drawn, and what they stand for.
import { clean } from "../clean.js";
import { attributeOf, boxOf, firstChildOf, parentOf, textOf } from "../own.js";
import type { Run, Sight } from "../sight/sight.js";
import type { Container } from "./containers.js";
import { hasRating, isRatingLabel } from "./rating-text.js";

const SAID_CHARS_MAX = 200;
const STARS_MIN_PX = 8;
const AROUND_CHARS_MAX = 300;

/** What the stars of an element stand for, as screen readers hear it; null where it shows none, or where it is told beside them. */
export function ratingOf(element: Element): string | null {
  const said = attributeOf(element, "aria-label") ?? attributeOf(element, "title");
  if (!said || said.length > SAID_CHARS_MAX) return null;
  const label = clean(said);
  if (!isRatingLabel(label) || attributeOf(element, "aria-hidden") === "true") return null;
  const { width, height } = boxOf(element);
  return width < STARS_MIN_PX || height < STARS_MIN_PX || isToldBeside(element) ? null : label;
}

/** The parts of a text that are read: those that are seen, and a text for screen readers alone that says what stars beside it stand for. */
export function readRuns(text: Text, sight: Sight, around: Container | null): readonly Run[] {
  const runs = sight.runs(text);
  if (runs.length > 0 || !around || sight.of(around.element) !== "all" || !isRatingLabel(text.data.trim())) return runs;
  const parent = parentOf(text);
  return parent && !isToldBeside(parent) ? [{ start: 0, end: text.data.length }] : runs;
}

/** True for an element out of the flow that holds such a text: it goes on with what stands beside it. */
export const isHiddenRating = (element: Element, { position }: CSSStyleDeclaration): boolean =>
  position === "absolute" && firstChildOf(element) === null && isRatingLabel((textOf(element) ?? "").trim());

function isToldBeside(element: Element): boolean {
  const parent = parentOf(element);
  const around = (parent && textOf(parent)) ?? "";
  return around.length <= AROUND_CHARS_MAX && hasRating(around.replace(textOf(element) ?? "", " "));
}
