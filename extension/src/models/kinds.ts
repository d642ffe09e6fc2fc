// Whether stored files write or read: what nobody knows is looked up in the file.
import { workKey } from "../models-wire.js";
import type { ModelsLink } from "./link.js";
import { knownOf, titleOfStored } from "./names.js";
import { noteKind, readOrigins } from "./origins.js";

/** Looks at stored files whose kind is not known, and remembers what was found. */
export function watchKinds(link: ModelsLink): void {
  const asked = new Set<string>();
  const noted = new Set<string>();
  link.watch((model) => {
    const { host, hub, origins, backend } = model;
    for (const stored of host.stock?.stored ?? []) {
      const key = workKey(stored);
      const work = host.work[key];
      if (!stored.whole || knownOf(stored, hub) || origins[key]?.encoder !== undefined) continue;
      if (work?.phase === "done" && work.result.type === "fit") {
        if (noted.has(key)) continue;
        noted.add(key);
        void noteKind(key, titleOfStored(stored, model), work.result.fit.encoder).then(async () =>
          link.update({ origins: await readOrigins() }),
        );
      } else if (work?.phase !== "working" && !asked.has(key)) {
        asked.add(key);
        link.send({ type: "check", key, model: { stored: stored.name }, backend });
      }
    }
  });
}
