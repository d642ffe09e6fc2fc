// Whose post a block stands in: by the element around one name of its kind, or by the name right before it.
import { type Container, isWithin } from "../blocks/containers.js";
import type { Judged } from "../classify/judged.js";
import { findIn } from "../own.js";
import { Pace } from "../walk.js";
import type { Marker } from "./markers.js";

const TIME = "time, relative-time, time-ago, [datetime], [itemprop^='date'], .dt-published, .published, abbr[title]";
/** Of the posts of a thread, so many must have a time. */
const DATED_SHARE_MIN = 0.5;
/** Of the posts that no markup tells, so many may have a title of their own: more make a list of articles. */
const TITLED_SHARE_MAX = 0.5;
const POSTS_MIN = 2;
const WORDS_MIN = 3;
/** Blocks between the header of a letter and its text. */
const HEADER_BLOCKS_MAX = 12;
/** Kinds of names that are looked at: a bound for hostile pages. */
const GROUPS_MAX = 24;

/** Names that are set alike, and the element of each that has no other of them. */
class Group {
  readonly markers: readonly Marker[];
  readonly units = new Map<Container, Marker>();
  readonly strength: number;
  /** How many of its names stand in an element. */
  readonly #counts = new Map<Container, number>();

  readonly #texts: ReadonlySet<Container>;

  /** `texts`: the elements that hold text of the page beside names. */
  constructor(markers: readonly Marker[], texts: ReadonlySet<Container>) {
    this.markers = markers;
    this.#texts = texts;
    this.strength = Math.max(...markers.map(({ strength }) => strength));
    for (const { container } of markers) {
      for (let at: Container | null = container; at; at = at.parent)
        this.#counts.set(at, (this.#counts.get(at) ?? 0) + 1);
    }
    for (const marker of markers) {
      let unit = marker.container;
      if (this.#counts.get(unit) !== 1) continue;
      while (unit.parent && this.#counts.get(unit.parent) === 1) unit = unit.parent;
      this.units.set(unit, marker);
    }
  }

  /** The name of the post that a block stands in. */
  of({ block: { container } }: Judged, at: number): { marker: Marker; depth: number } | null {
    for (let one: Container | null = container; one; one = one.parent) {
      const marker = this.units.get(one);
      if (marker) return { marker, depth: one.depth };
      // In an element with several names the last one before the block is its author's, unless the block is in a post without one.
      if (this.#counts.has(one)) return this.#before(container, one, at);
    }
    return null;
  }

  /** The last name before a block. */
  #last(at: number): Marker | undefined {
    let [low, high] = [0, this.markers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.markers[middle]?.at ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return this.markers[low - 1];
  }

  #before(container: Container, common: Container, at: number): { marker: Marker; depth: number } | null {
    const marker = this.#last(at);
    if (!marker || !isWithin(marker.container, common)) return null;
    // A name that has a text of its own is that of another post.
    const head = childOf(common, marker.container);
    return head && !this.#texts.has(head) ? { marker, depth: common.depth } : null;
  }
}

/** Finds the author of each block that stands in a post. */
export async function authorsOf(judged: readonly Judged[], markers: readonly Marker[]): Promise<(string | null)[]> {
  const pace = new Pace();
  const groups: Group[] = [];
  const texts = await textsIn(judged, new Set(markers.map(({ at }) => at)));
  const kinds = new Map<string, Marker[]>();
  for (const marker of markers) {
    const alike = kinds.get(marker.kind);
    if (alike) alike.push(marker);
    else kinds.set(marker.kind, [marker]);
  }
  const largest = [...kinds.values()].filter(({ length }) => length >= POSTS_MIN).sort((a, b) => b.length - a.length);
  for (const alike of largest.slice(0, GROUPS_MAX)) {
    const group = new Group(alike, texts);
    if (await isThread(group, judged)) groups.push(group);
  }
  // Of two names for the same post the one that the markup tells counts.
  groups.sort((a, b) => b.strength - a.strength);
  const authors: (string | null)[] = [];
  for (const [at, one] of judged.entries()) {
    let best: { marker: Marker; depth: number } | null = null;
    for (const group of one.isRead ? groups : []) {
      const found = group.of(one, at);
      if (found && (!best || found.depth > best.depth)) best = found;
    }
    authors.push(best?.marker.name ?? null);
    if (pace.isDue) await pace.pause();
  }
  if (pace.isDue) await pace.pause();
  return authors.some((name) => name !== null) ? authors : letterOf(judged, markers);
}

/** The elements around all text that was read. Lines that hold a name count where they are sentences. */
async function textsIn(judged: readonly Judged[], names: ReadonlySet<number>): Promise<ReadonlySet<Container>> {
  const pace = new Pace();
  const found = new Set<Container>();
  for (const [at, { block, isRead }] of judged.entries()) {
    if (!isRead || block.kind === "heading" || (names.has(at) && !block.isProse)) continue;
    for (let one: Container | null = block.container; one && !found.has(one); one = one.parent) found.add(one);
    if (pace.isDue) await pace.pause();
  }
  return found;
}

/** A page with one letter: all of its plain text is of the one who is named before it. */
function letterOf(judged: readonly Judged[], markers: readonly Marker[]): (string | null)[] {
  const isPlain = judged.map(({ block, isRead }) => isRead && block.kind !== "code" && isInPre(block.container));
  const first = isPlain.indexOf(true);
  const marker = markers.findLast((one) => one.at < first && one.at >= first - HEADER_BLOCKS_MAX);
  return isPlain.map((is) => (is && marker ? marker.name : null));
}

function isInPre(container: Container): boolean {
  for (let at: Container | null = container; at; at = at.parent) if (at.tag === "PRE") return true;
  return false;
}

async function isThread(group: Group, judged: readonly Judged[]): Promise<boolean> {
  const pace = new Pace();
  const [posts, headings, dated] = [new Set<Marker>(), new Set<Marker>(), new Set<Marker>()];
  for (const [at, one] of judged.entries()) {
    const { block, isRead, features } = one;
    if (pace.isDue) await pace.pause();
    const found = group.of(one, at);
    if (!found) continue;
    const { marker } = found;
    const isOwn = marker.at === at;
    if (block.kind === "heading" && !isOwn) headings.add(marker);
    if (marker.isDated || (features.dated ?? 0) > 0 || (features.line ?? 0) > 0) dated.add(marker);
    const isText = isRead && block.kind !== "heading" && block.words >= WORDS_MIN && (!isOwn || block.isProse);
    if (isText) posts.add(marker);
  }
  for (const [unit, marker] of group.units) if (findIn(unit.element, TIME)) dated.add(marker);
  const names = new Set([...posts].map(({ name }) => name));
  if (posts.size < POSTS_MIN || (names.size < 2 && group.strength < 2)) return false;
  if (group.strength === 2) return true;
  const shareOf = (some: ReadonlySet<Marker>): number => [...posts].filter((one) => some.has(one)).length / posts.size;
  return shareOf(dated) >= DATED_SHARE_MIN && (group.strength > 0 || shareOf(headings) <= TITLED_SHARE_MAX);
}

/** The child of `outer` that holds a container. */
function childOf(outer: Container, container: Container): Container | null {
  for (let at = container; at.parent; at = at.parent) if (at.parent === outer) return at;
  return null;
}
