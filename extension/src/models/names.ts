// What models are called, and where they come from.
import { onHub } from "@pith/web/hub";
import { findFile, type FoundFile, type KnownModel, knownEncoders, knownModels } from "@pith/web/models";
import type { StoredModel } from "@pith/web";
import { workKey } from "../models-wire.js";
import type { LocalEncoder, LocalWriter } from "../roles.js";
import { languageName, list, number, t } from "../ui/words.js";
import type { PageModel } from "./link.js";
import { hostOf } from "./permission.js";
import { titleOfFile } from "./title.js";

const at =
  (url: string | null, hub: string) =>
  ({ source }: KnownModel): boolean =>
    onHub(source, hub) === url || source === url;

/** The known model at an address. */
export const knownAt = (url: string | null, hub: string): KnownModel | undefined =>
  [...knownModels, ...knownEncoders].find(at(url, hub));

/** What is known of a file by its hash, whatever it is called and wherever it came from. A model in several files has none. */
export function fileOf({ sha256 }: Pick<StoredModel, "sha256">): FoundFile | null {
  const [hash] = sha256;
  return sha256.length === 1 && hash ? findFile(hash) : null;
}

/** The known model that a stored one is: by its hash, or by its address. */
export const knownOf = (stored: StoredModel, hub: string): KnownModel | undefined =>
  fileOf(stored)?.model ?? knownAt(stored.url, hub);

/** Whether a stored model is an encoder; null where nobody has looked. */
export function isEncoder(stored: StoredModel, { host, hub, origins }: PageModel): boolean | null {
  const known = knownOf(stored, hub);
  if (known) return knownEncoders.includes(known);
  const work = host.work[workKey(stored)];
  if (work?.phase === "done" && work.result.type === "fit") return work.result.fit.encoder;
  return origins[workKey(stored)]?.encoder ?? null;
}

/** A stored model's name for the reader. Of a known model in another format the format is a part of it. */
export function titleOfStored(stored: StoredModel, { origins, hub }: PageModel): string {
  const { url, title, name } = stored;
  const file = fileOf(stored);
  const known = knownOf(stored, hub);
  if (known) return file && file.format !== known.format ? `${known.name} (${file.format})` : known.name;
  return (url === null ? undefined : origins[url]?.title) ?? titleOfFile(title, name);
}

/** A stored model as the one that writes. */
export function asWriter(stored: StoredModel, model: PageModel): LocalWriter {
  const { writer } = model.roles;
  const before = writer?.type === "local" && writer.name === stored.name ? writer.tier : null;
  return { type: "local", ...asLocal(stored, model), tier: fileOf(stored)?.verdict?.tier ?? before };
}

/** A stored model as the one that reads. */
export const asEncoder = (stored: StoredModel, model: PageModel): LocalEncoder => ({
  ...asLocal(stored, model),
  languages: knownOf(stored, model.hub)?.languages ?? null,
});

function asLocal(stored: StoredModel, model: PageModel): Omit<LocalWriter, "type" | "tier"> {
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
