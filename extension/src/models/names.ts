// What models are called, and where they come from.
import { type KnownModel, knownModels } from "@pith/web/models";
import type { StoredModel } from "@pith/web";
import type { LocalWriter } from "../roles.js";
import { languageName, list, number, t } from "../ui/words.js";
import { onHub } from "./hub.js";
import type { PageModel } from "./link.js";
import { hostOf } from "./permission.js";

/** The known model at an address. */
export const knownAt = (url: string | null, hub: string): KnownModel | undefined =>
  knownModels.find(({ source }) => onHub(source, hub) === url || source === url);

/** A stored model's name for the reader. */
export function titleOfStored({ url, title, name }: StoredModel, { origins, hub }: PageModel): string {
  // The store adds a hash to the name of a file.
  const plain = name.replace(/(?:-[0-9a-f]{16})?(?:-\d{5}-of-\d{5})?\.gguf$/, "");
  return knownAt(url, hub)?.name ?? (url === null ? undefined : origins[url]?.title) ?? title ?? plain;
}

/** A stored model as the one that writes. */
export function asWriter(stored: StoredModel, model: PageModel): LocalWriter {
  const { url, sha256, name } = stored;
  const [hash] = sha256;
  const source = url === null ? null : { url, ...(sha256.length === 1 && hash && { sha256: hash }) };
  return { type: "local", name, title: titleOfStored(stored, model), source };
}

/** "from huggingface.co", or that it was a file of the reader's own. */
export const whereFrom = (url: string | null): string =>
  url === null ? t("modelsFromFile") : t("modelsFrom", hostOf(url));

/** English, French and 3 more. */
export function languages(tags: readonly string[] | undefined): string {
  if (!tags) return t("modelsLanguagesUnknown");
  const names = tags.map(languageName);
  return names.length > 4 ? t("modelsLanguagesMore", list(names.slice(0, 3)), number(names.length - 3)) : list(names);
}
