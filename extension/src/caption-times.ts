// When the words of captions are heard.
import { countUpTo } from "./positions.js";

/** From a place in a block to the next entry: the second of the video or audio at which it is heard. */
export type CaptionTimes = readonly (readonly [block: number, offset: number, seconds: number])[];

/** When a place in the captions is heard; null for other text. In the order of blocks and offsets. */
export function secondOf(times: CaptionTimes, block: number, offset: number): number | null {
  const found = times[countUpTo(times, block, offset) - 1];
  return found && found[0] === block ? found[2] : null;
}

/** "1:05", or "1:02:05" from an hour on. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
