// Texts that are about to be shown are waited for: what an animation promises, another rule may forbid.
import { page, textOf } from "../own.js";

/** A change that ends within this time is waited for. */
const SOON_MS = 2_000;
const FONTS_MS = 1_000;
const OPACITY_MAX = 0.5;
const WORD = /\p{L}{2}/u;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when no text is about to appear, and fonts are there. */
export async function settle(): Promise<void> {
  const fonts = page.fonts();
  if (fonts.status === "loading") await Promise.race([fonts.ready, wait(FONTS_MS)]);
  const ends = page
    .animations()
    .map(remaining)
    .filter((ms) => ms > 0 && ms < SOON_MS);
  if (ends.length > 0) await wait(Math.max(...ends) + 50);
}

function remaining({ effect, playState, currentTime }: Animation): number {
  const isRunning = playState === "running" && effect instanceof KeyframeEffect && effect.target !== null;
  if (!isRunning || !effect.getKeyframes().some((frame) => frame["opacity"] !== undefined)) return 0;
  const hides = Number(getComputedStyle(effect.target!).opacity) < OPACITY_MAX;
  if (!hides || !WORD.test(textOf(effect.target!) ?? "")) return 0;
  return Number(effect.getComputedTiming().endTime) - Number(currentTime);
}
