// What a model is called whose file nobody knows: by its own name where it reads as one, else by its file.

/** Longest name of a model. */
const CHARS_MAX = 64;
/** What people and tools write who gave no name. */
const NO_NAMES =
  /^(?:model|models|weights|checkpoint|ckpt|output|out|merged|final|tmp|temp|test|hf|gguf|ggml|llama\.cpp|unknown|none|null)$/i;
/** Words that tell how a model was trained, not what it is. */
const TRAINING = /^(?:epochs?|ep|steps?|iters?|checkpoint|ckpt|mix|seed|run|lr|bs|loss|lc|ctx)[\d_.-]*[km]?$/i;
/** "8B", "1.5", "v0.3", "4k", "2512", "E2B": sizes, versions and dates. */
const SIZE = /^(?:v|e|a)?\d[\d.x-]*[bmk]?$/i;
/** Letters and digits in one word. */
const CODE = /^(?=.*\p{L}{2})(?=.*\d)/u;
/** Codes beside the first word that a name may have which its file does not. */
const CODES_MAX = 1;

/** A stored file's name without what the store, the splitting and the format add to it. */
export const plainFile = (name: string): string => name.replace(/(?:-[0-9a-f]{16})?(?:-\d{5}-of-\d{5})?\.gguf$/i, "");

/**
 * Whether `general.name` of a file reads as a name: "Llama 3.2 1B Instruct" does, while paths, ids and the notes of a training run,
 * such as "Smollm2 135M 8k Lc100K Mix1 Ep2", do not.
 */
export function readsAsName(title: string, file: string): boolean {
  const text = title.trim();
  if (text === "" || text.length > CHARS_MAX || !/\p{L}{2}/u.test(text) || /[/\\:]/.test(text)) return false;
  const words = text.split(/[\s_-]+/).filter((word) => word !== "");
  if (
    words.every((word) => NO_NAMES.test(word) || /^[\d.]+$/.test(word)) ||
    words.some((word) => /^[0-9a-f]{12,}$/i.test(word))
  )
    return false;
  if (words.some((word) => TRAINING.test(word) && /\d/.test(word))) return false;
  const inFile = file.toLowerCase();
  const codes = words.slice(1).filter((word) => CODE.test(word) && !SIZE.test(word));
  return codes.filter((word) => !inFile.includes(word.toLowerCase())).length <= CODES_MAX;
}

/** A stored file's name for the reader. `title` is what the file calls itself. */
export function titleOfFile(title: string | null, name: string): string {
  const file = plainFile(name);
  return title !== null && readsAsName(title, file) ? title.trim() : file;
}
