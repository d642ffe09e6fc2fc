// What models are called, and where they come from.
import { onHub } from "@pith/web/hub";
import { type KnownModel, knownEncoders, knownModels } from "@pith/web/models";
import type { StoredModel } from "@pith/web";
import { workKey } from "../models-wire.js";
import type { LocalEncoder, LocalWriter } from "../roles.js";
import { languageName, list, number, t } from "../ui/words.js";
import type { PageModel } from "./link.js";
import { hostOf } from "./permission.js";

const at =
  (url: string | null, hub: string) =>
  ({ source }: KnownModel): boolean =>
    onHub(source, hub) === url || source === url;

/** The known model at an address. */
export const knownAt = (url: string | null, hub: string): KnownModel | undefined =>
  [...knownModels, ...knownEncoders].find(at(url, hub));

/** Whether a stored model is an encoder; null where nobody has looked. */
export function isEncoder(stored: StoredModel, { host, hub, origins }: PageModel): boolean | null {
  const { url } = stored;
  if (knownEncoders.some(at(url, hub))) return true;
  if (knownModels.some(at(url, hub))) return false;
  const work = host.work[workKey(stored)];
  if (work?.phase === "done" && work.result.type === "fit") return work.result.fit.encoder;
  return origins[workKey(stored)]?.encoder ?? null;
}

/** A stored model's name for the reader. */
export function titleOfStored({ url, title, name }: StoredModel, { origins, hub }: PageModel): string {
  // The store adds a hash to the name of a file.
  const plain = name.replace(/(?:-[0-9a-f]{16})?(?:-\d{5}-of-\d{5})?\.gguf$/, "");
  return knownAt(url, hub)?.name ?? (url === null ? undefined : origins[url]?.title) ?? title ?? plain;
}

/** A stored model as the one that writes. */
export const asWriter = (stored: StoredModel, model: PageModel): LocalWriter => ({
  type: "local",
  ...asLocal(stored, model),
});

/** A stored model as the one that reads. */
export const asEncoder = (stored: StoredModel, model: PageModel): LocalEncoder => ({
  ...asLocal(stored, model),
  languages: knownAt(stored.url, model.hub)?.languages ?? null,
});

function asLocal(stored: StoredModel, model: PageModel): Omit<LocalWriter, "type"> {
  const { url, sha256, name } = stored;
  const [hash] = sha256;
  const source = url === null ? null : { url, ...(sha256.length === 1 && hash && { sha256: hash }) };
  return { name, title: titleOfStored(stored, model), source };
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
