// Lines of text decoration that are as thick as letters are high.
import { parseColor } from "./color.js";

/** Of the letters' size: a line as thick as this hides them. */
const BAR_MIN = 0.7;

export function isBarred({
  textDecorationLine,
  textDecorationThickness,
  textDecorationColor,
  fontSize,
}: CSSStyleDeclaration): boolean {
  if (textDecorationLine === "none") return false;
  const thick_px = Number.parseFloat(textDecorationThickness);
  return thick_px >= Number.parseFloat(fontSize) * BAR_MIN && parseColor(textDecorationColor).a > 0.5;
}

/** True for a line through letters that hides them, and those of all that is in the element. */
export const hidesLetters = (style: CSSStyleDeclaration): boolean =>
  style.textDecorationLine.includes("line-through") && isBarred(style);
