// Gets the cues of a track without a change to the page: of one that is switched off, the browser loads a copy.
import { trackFacts, tracksOf } from "../own-media.js";
import { boxOf, isRendered, page, windowOf } from "../own.js";
import { Pace } from "../walk.js";
import type { Cue } from "./paragraphs.js";
import type { TrackFacts } from "./tracks.js";

/** A track that has text, as far as it says. */
export interface Track extends TrackFacts {
  readonly track: TextTrack;
  /** The address of its file, where it may be loaded. */
  readonly source: string | null;
  /** The page has begun to load it. */
  readonly isOn: boolean;
}

/** Of the cues of one track. */
const CUES_MAX = 20_000;
/** How long a file may take, and how often it is looked at. */
const LOAD_MS = 4_000;
const LOOK_MS = 50;
const TRACKS_MAX = 64;
/** A smaller picture is none that anybody watches. */
const WIDTH_MIN_PX = 80;
const LOADED = 2;
const FAILED = 3;

/** The tracks of a video or audio that is large enough to be seen. */
export function tracksIn(media: Element): Track[] {
  if (!isWatched(media)) return [];
  return tracksOf(media)
    .slice(0, TRACKS_MAX)
    .map(({ track, element }) => {
      const { source, isDefault } = element ? trackFacts(element) : { source: "", isDefault: false };
      const { kind, language, mode } = track;
      const isOn = mode !== "disabled" && !(element && trackFacts(element).state === FAILED);
      return {
        track,
        kind,
        language,
        isShown: mode === "showing",
        isDefault,
        source: ownAddress(source, media),
        isOn,
      };
    })
    .filter(({ isOn, source }) => isOn || source !== null);
}

/** True where a reader of the page sees it, or scrolls to it. Text that nobody can find is none of the page. */
function isWatched(media: Element): boolean {
  const { width, right, bottom } = boxOf(media);
  const isOnPage = right + scrollX > 0 && bottom + scrollY > 0;
  return width >= WIDTH_MIN_PX && isOnPage && isRendered(media, { opacityProperty: true, visibilityProperty: true });
}

/** The address, where it is of the page's own origin: the page could load it in the same way. */
function ownAddress(source: string, media: Element): string | null {
  const { origin } = windowOf(media).location;
  if (!source || origin === "null" || origin !== location.origin) return null;
  const url = URL.parse(source);
  return url && (url.protocol === "data:" || url.origin === origin) ? url.href : null;
}

/** The cues of a track in the order of their times; empty where it cannot be loaded. */
export async function cuesOf({ track, source, isOn, kind, language }: Track): Promise<Cue[]> {
  if (isOn && (track.cues?.length ?? 0) > 0) return copied(track);
  if (source === null) return [];
  // The page's own track stays as it is: a change of its mode would tell scripts of the page, and switch captions on.
  const [video, copy] = [page.make("video"), page.make("track")];
  copy.kind = kind;
  copy.srclang = language;
  copy.src = source;
  video.append(copy);
  copy.track.mode = "hidden";
  const end_ms = performance.now() + LOAD_MS;
  const pace = new Pace();
  while (copy.readyState < LOADED && performance.now() < end_ms && (copy.track.cues?.length ?? 0) < CUES_MAX) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    // Throws where the reading was given up.
    await pace.pause();
  }
  const cues = await copied(copy.track);
  // Ends what still loads.
  copy.removeAttribute("src");
  copy.remove();
  return cues;
}

async function copied({ cues }: TextTrack): Promise<Cue[]> {
  const pace = new Pace();
  const found: Cue[] = [];
  for (let at = 0; cues && at < Math.min(cues.length, CUES_MAX); at++) {
    const cue = cues[at] as VTTCue | undefined;
    // A track of a script may hold cues of other kinds.
    if (typeof cue?.text === "string") found.push({ start: cue.startTime, end: cue.endTime, text: cue.text });
    if (pace.isDue) await pace.pause();
  }
  return found;
}
