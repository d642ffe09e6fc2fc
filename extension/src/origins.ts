// What is known of a text besides its words: who wrote or says it, and when it is heard in a video.

/** Who wrote or says a block. */
export type Speakers = readonly (readonly [block: number, name: string])[];

/** From a place in a block to the next entry: the second of the video or audio at which it is heard. */
export type Times = readonly (readonly [block: number, offset: number, seconds: number])[];

export interface Origins {
  /** One entry for each block that has a speaker, in their order. */
  speakers: Speakers;
  /** In the order of blocks and offsets. Blocks without an entry are no captions. */
  times: Times;
}

/** Who wrote or says a block; null where nobody is known. */
export function speakerOf({ speakers }: Origins, block: number): string | null {
  const found = last(speakers, ([at]) => at <= block);
  return found && found[0] === block ? found[1] : null;
}

/** Who to name before a passage; null where nobody is known, and where the text begins with the name, as in an interview. */
export function speakerBefore(origins: Origins | undefined, { block, text }: { block: number; text: string }) {
  const speaker = origins ? speakerOf(origins, block) : null;
  return speaker && !text.startsWith(speaker) ? speaker : null;
}

/** When a place in the captions is heard; null for other text. */
export function secondOf({ times }: Origins, block: number, offset: number): number | null {
  const found = last(times, ([at, from]) => at < block || (at === block && from <= offset));
  return found && found[0] === block ? found[2] : null;
}

/** The last entry of which `is` holds: it holds of all before it. */
function last<T>(entries: readonly T[], is: (entry: T) => boolean): T | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry !== undefined && is(entry)) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

/** "1:05", or "1:02:05" from an hour on. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
