// Captions become blocks behind those of the page.
import type { Block } from "@pith/web";
import { attributeOf, isInPage } from "../own.js";
import { clean } from "../clean.js";
import { wordsIn } from "../blocks/text.js";
import { Pace } from "../walk.js";
import { cuesOf, tracksIn } from "./load.js";
import { type Paragraph, Paragraphs } from "./paragraphs.js";
import { ranked } from "./tracks.js";

/** A paragraph of captions, and the video or audio that it belongs to. */
export interface Spoken extends Paragraph {
  readonly media: Element;
}

export interface Captions {
  /** For each video or audio a heading, and its paragraphs. */
  readonly blocks: Block[];
  /** By block; null for headings. */
  readonly spoken: readonly (Spoken | null)[];
  readonly words: number;
}

/** Videos and audios of which captions are read, and elements that are looked at. */
const READ_MAX = 4;
const MEDIA_MAX = 200;
const TRIED_MAX = 2;
/** Characters of all captions of a page. */
const CHARS_MAX = 1_000_000;
const CUES_AT_ONCE = 16;
const HEADING_CHARS_MAX = 200;
/** Words in a row by which a text is known again, and the share of captions that makes them a text of the page. */
const SHINGLE = 4;
const KNOWN_SHARE = 0.5;
const WORDS_MIN = 5;

export interface Around {
  /** The page's language and its title. */
  readonly language: string | null;
  readonly title: string;
  /** What was read of the page. */
  readonly texts: readonly string[];
}

/** Reads the captions of these elements. What the page shows as text already, such as a transcript, is not repeated. */
export async function readCaptions(media: readonly Element[], around: Around): Promise<Captions> {
  const blocks: Block[] = [];
  const spoken: (Spoken | null)[] = [];
  const languages = [around.language, ...navigator.languages].filter((one) => one !== null);
  let [words, chars, read] = [0, 0, 0];
  let known: Shingles | null = null;
  for (const one of media.slice(0, MEDIA_MAX)) {
    if (read === READ_MAX || chars > CHARS_MAX) break;
    const paragraphs = isInPage(one) ? await paragraphsOf(one, languages, CHARS_MAX - chars) : [];
    const counts = paragraphs.map(({ text }) => wordsIn(text).length);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total < WORDS_MIN) continue;
    known ??= await Shingles.of(around.texts);
    if ((await known.share(paragraphs)) > KNOWN_SHARE) continue;
    read++;
    words += total;
    blocks.push({ kind: "heading", text: nameOf(one) || around.title });
    spoken.push(null);
    for (const paragraph of paragraphs) {
      chars += paragraph.text.length;
      const { text, speaker } = paragraph;
      blocks.push({ kind: "paragraph", text, ...(speaker !== null && { speaker }) });
      spoken.push({ ...paragraph, media: one });
    }
  }
  return { blocks, spoken, words };
}

/** The text of the first of its best tracks that has any. */
async function paragraphsOf(media: Element, languages: readonly string[], charsMax: number): Promise<Paragraph[]> {
  for (const track of ranked(tracksIn(media), languages).slice(0, TRIED_MAX)) {
    const cues = await cuesOf(track);
    const pace = new Pace();
    const paragraphs = new Paragraphs();
    for (const [at, cue] of cues.entries()) {
      paragraphs.add(cue);
      if (paragraphs.chars > charsMax) break;
      if (at % CUES_AT_ONCE === 0 && pace.isDue) await pace.pause();
    }
    if (paragraphs.all.length > 0) return paragraphs.all;
  }
  return [];
}

/** What the page calls a video or audio. */
const nameOf = (media: Element): string =>
  clean((attributeOf(media, "aria-label") ?? attributeOf(media, "title") ?? "").slice(0, HEADING_CHARS_MAX));

/** The runs of words of a text. */
class Shingles {
  readonly #known = new Set<string>();

  static async of(texts: readonly string[]): Promise<Shingles> {
    const pace = new Pace();
    const shingles = new Shingles();
    for (const text of texts) {
      for (const one of shinglesOf(text)) shingles.#known.add(one);
      if (pace.isDue) await pace.pause();
    }
    return shingles;
  }

  /** How much of these paragraphs the text holds. */
  async share(paragraphs: readonly Paragraph[]): Promise<number> {
    const pace = new Pace();
    let [all, found] = [0, 0];
    for (const { text } of paragraphs) {
      for (const one of shinglesOf(text)) {
        all++;
        if (this.#known.has(one)) found++;
      }
      if (pace.isDue) await pace.pause();
    }
    return found / Math.max(1, all);
  }
}

function shinglesOf(text: string): string[] {
  const words = wordsIn(text.toLowerCase());
  return words.slice(SHINGLE - 1).map((_, at) => words.slice(at, at + SHINGLE).join(" "));
}
