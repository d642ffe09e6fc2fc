// The files of a repository, and which of them are one model.

import { badAnswer, HubError } from "./hub-errors.js";

/** In this order, if no quantization is named: good and small first. */
const PREFERRED = ["Q4_K_M", "Q4_K_S", "Q4_0", "Q5_K_M", "Q8_0"];

/** Models that only propose tokens to another one. */
const DRAFT = /(?:^|[-._/])(?:mtp|draft(?:er)?|eagle\d?|dflash|dspark|speculator)(?=[-._/]|$)/i;

/** A GGUF file of a repository. */
export interface ListedFile {
  path: string;
  size: number;
  sha256: string | null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The GGUF files of a list. Anything else in an answer is ignored. */
export function readList(list: unknown): ListedFile[] {
  if (!Array.isArray(list)) throw badAnswer("no list of files");
  return list.flatMap((entry: unknown): ListedFile[] => {
    if (!isRecord(entry) || typeof entry["path"] !== "string" || typeof entry["size"] !== "number") return [];
    const { path, size, lfs } = entry as { path: string; size: number; lfs?: unknown };
    const oid = isRecord(lfs) ? lfs["oid"] : null;
    const sha256 = typeof oid === "string" && /^[0-9a-f]{64}$/.test(oid) ? oid : null;
    // Vision projectors and importance matrices have the same ending; no address can hold half a character.
    return /\.gguf$/i.test(path) && !/mmproj|imatrix|\p{Cs}/iu.test(path) ? [{ path, size, sha256 }] : [];
  });
}

/** The files of one model, in order. */
export type Chosen = [ListedFile, ...ListedFile[]];

/** A model's files have one name, and split files a number behind it. */
const modelOf = (path: string): string => path.replace(/-\d{5}-of-\d{5}\.gguf$/i, "");

/** The files of one model: those whose name has the quantization as a word. */
export function choose(files: readonly ListedFile[], quant: string | null): Chosen {
  // Of several, the one with the plainest name.
  const all = [...new Set(files.map(({ path }) => modelOf(path)))].sort((a, b) => a.length - b.length);
  const models = all.filter((name) => !DRAFT.test(name));
  const names = models.length > 0 ? models : all;
  const named = (wish: string) => names.find((name) => hasWord(name, wish));
  const found = quant ? named(quant) : (PREFERRED.map(named).find(Boolean) ?? names[0]);
  const chosen = found === undefined ? null : filesOf(files, found);
  if (chosen) return chosen;
  const quants = files.flatMap(({ path }) => /(?:I?Q\d\w*|B?F(?:16|32)|MXFP4)(?=[-.])/i.exec(path)?.[0] ?? []);
  const detail = [...new Set(quants)].slice(0, 30).join(", ");
  throw new HubError(
    files.length > 0
      ? {
          code: "hub_no_quant",
          message: "The repository has no such quantization.",
          help: "Choose one of those that the details list.",
          detail,
        }
      : {
          code: "hub_no_gguf",
          message: "The repository has no GGUF file.",
          help: "Choose a repository with GGUF files; their names often end in GGUF.",
          detail,
        },
  );
}

/** The file of this path, and if it is one of a split model, the others. */
export function chooseFile(files: readonly ListedFile[], path: string): Chosen {
  const chosen = files.some((file) => file.path === path) ? filesOf(files, modelOf(path)) : null;
  if (chosen) return chosen;
  const detail = files.slice(0, 30).map((file) => file.path);
  throw new HubError({
    code: "hub_no_file",
    message: "The repository has no such file.",
    help: "Choose one of those that the details list.",
    detail: detail.join(", "),
  });
}

function filesOf(files: readonly ListedFile[], model: string): Chosen | null {
  const [first, ...rest] = files
    .filter(({ path }) => modelOf(path) === model)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (!first) return null;
  const parts = Number(/-of-(\d{5})\.gguf$/i.exec(first.path)?.[1] ?? 1);
  const numberOf = ({ path }: ListedFile) => Number(/-(\d{5})-of-\d{5}\.gguf$/i.exec(path)?.[1] ?? 1);
  const numbers = new Set([first, ...rest].map(numberOf));
  const missing = Array.from({ length: Math.min(parts, 1000) }, (_, at) => at + 1).filter((at) => !numbers.has(at));
  if (missing.length > 0)
    throw new HubError({
      code: "hub_no_file",
      message: "The repository lacks parts of this model.",
      help: "Choose another file, or another repository.",
      detail: `${model}: ${missing.slice(0, 30).join(", ")} of ${parts}`,
    });
  return [first, ...rest];
}

/** `Q4_K` is no word of `Q4_K_M`. */
function hasWord(path: string, word: string): boolean {
  const escaped = word.replace(/[.]/g, "\\.");
  return new RegExp(`(?:^|[-._/])${escaped}(?:[-.]|$)`, "i").test(path);
}

/** The name of a model by its file. */
export function titleOf(path: string): string {
  let name = path.split("/").at(-1) ?? path;
  try {
    name = decodeURIComponent(name);
  } catch {
    // A name with a percent sign of its own.
  }
  return name.replace(/(?:-\d{5}-of-\d{5})?\.gguf$/i, "");
}
