// The text of one cue: its markup, sounds and speakers.

/** A line of a cue. `speaker`: undefined where the line does not name one; null where somebody unnamed begins to speak. */
export interface CueLine {
  readonly text: string;
  readonly speaker: string | null | undefined;
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lrm: "",
  rlm: "",
};
const VOICE = /<v(?:\.[^\s>]*)?\s+([^>]*)>/i;
/** Ruby annotations repeat the word that they stand over. */
const RUBY = /<rt(?:\.[^\s>]*)?>[\s\S]*?(?:<\/rt>|(?=<\/ruby>)|$)/gi;
const TAG = /<[^>]*>/g;
/** "[applause]", "(laughter)" on a line of its own, and signs of music. */
const SOUND = /\[[^\][]{1,60}\]|［[^［］]{1,60}］|【[^【】]{1,60}】|[♩♪♫♬]/gu;
const SOUND_LINE = /^[-–—\s]*[(（][^()（）]{1,60}[)）]\s*$/u;
/** ">> ADA:", "ADA LOVELACE:", "(ADA)" and ">>": marks of live captions. */
const TURN = /^>>+\s*/;
const NAMED = /^(?:\(([\p{Lu}][\p{Lu}\p{N} .'’-]{1,40})\)|([\p{Lu}][\p{Lu}\p{N} .'’-]{1,40}):)(?:\s+|$)/u;
const TURN_NAMED = /^([\p{Lu}][\p{L}\p{N} .'’-]{1,40}):\s+/u;
/** Two people in one cue. */
const DASH = /^[-–—]\s*(?=\S)/;
const CUE_CHARS_MAX = 2_000;
const NAME_CHARS_MAX = 60;

/** The lines of a cue, without markup and descriptions of sounds. */
export function linesOf(raw: string): CueLine[] {
  const text = raw.slice(0, CUE_CHARS_MAX);
  const lines: CueLine[] = [];
  // A voice lasts to its end tag or to the next voice.
  for (const part of text.split(/(?=<v(?:\.[^\s>]*)?\s)|(?<=<\/v>)/i)) {
    const voice = VOICE.exec(part)?.[1];
    const rows = plain(part).split(/\r\n?|\n/);
    const isDialogue = rows.filter((row) => DASH.test(row.trim())).length > 1;
    for (const row of rows) {
      const line = lineOf(row, isDialogue);
      if (line) lines.push(voice ? { ...line, speaker: nameOf(unescaped(voice)) ?? line.speaker } : line);
    }
  }
  return lines;
}

function lineOf(row: string, isDialogue: boolean): CueLine | null {
  if (SOUND_LINE.test(row) && !NAMED.test(row.trim())) return null;
  let text = row.replace(SOUND, " ").replace(/\s+/g, " ").trim();
  let speaker: string | null | undefined;
  const turned = text.replace(TURN, "");
  if (turned !== text) [text, speaker] = [turned, null];
  const [head, inBrackets, before] = NAMED.exec(text) ?? (speaker === null ? TURN_NAMED.exec(text) : null) ?? [];
  const name = nameOf(inBrackets ?? before ?? "");
  if (head !== undefined && name) [text, speaker] = [text.slice(head.length), name];
  else if (isDialogue && DASH.test(text)) [text, speaker] = [text.replace(DASH, ""), null];
  return /[\p{L}\p{N}]/u.test(text) ? { text: text.trim(), speaker } : null;
}

function nameOf(raw: string): string | null {
  const name = raw.replace(/\s+/g, " ").trim().slice(0, NAME_CHARS_MAX);
  return /\p{L}/u.test(name) ? name : null;
}

const plain = (text: string): string => unescaped(text.replace(RUBY, "").replace(TAG, ""));

const unescaped = (text: string): string =>
  text.replace(
    /&(?:(\w{2,6})|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (all, name?: string, decimal?: string, hex?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? all;
      const code = Number.parseInt(decimal ?? hex ?? "", decimal ? 10 : 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : " ";
    },
  );
