// Videos and audios, read through the prototypes as own.ts reads other nodes.
import { findAllIn, getter, isHtml, tagOf } from "./own.js";

const tracksOfMedia = getter(HTMLMediaElement.prototype, "textTracks");
const timeDescriptor = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "currentTime");
const trackOfElement = getter(HTMLTrackElement.prototype, "track");
const trackElementState = getter(HTMLTrackElement.prototype, "readyState");
const isDefaultTrack = getter(HTMLTrackElement.prototype, "default");
const sourceOfTrack = getter(HTMLTrackElement.prototype, "src");
const isMedia = (of: Element): of is HTMLMediaElement => isHtml(of) && (tagOf(of) === "VIDEO" || tagOf(of) === "AUDIO");
/** The tracks of a video or audio with their elements; a script's own tracks have none. Empty for other elements. */
export function tracksOf(of: Element): { track: TextTrack; element: HTMLTrackElement | null }[] {
  if (!isMedia(of)) return [];
  const elements = [...findAllIn(of, "track")] as HTMLTrackElement[];
  return [...tracksOfMedia(of)].map((track) => ({
    track,
    element: elements.find((one) => trackOfElement(one) === track) ?? null,
  }));
}
/** What a `track` element says: its address, whether it is the default one, and the state of its loading (2 is loaded). */
export const trackFacts = (of: HTMLTrackElement): { source: string; isDefault: boolean; state: number } => ({
  source: sourceOfTrack(of),
  isDefault: isDefaultTrack(of),
  state: trackElementState(of),
});
/** Goes to a second of a video or audio. */
export const seek = (of: Element, seconds: number): void =>
  void (isMedia(of) && timeDescriptor?.set?.call(of, seconds));
