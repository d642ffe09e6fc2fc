// Says what has come to those who do not see it.
import type { ModelsLink } from "../../models/link.js";
import type { ModelsState, Work } from "../../models-wire.js";
import { knownAt } from "../../models/names.js";
import { part, say } from "../../ui/dom.js";
import { called, t } from "../../ui/words.js";

export function announce(link: ModelsLink): void {
  let before: ModelsState["work"] = {};
  link.watch(({ host, origins, hub }) => {
    for (const [key, work] of Object.entries(host.work)) {
      const title = knownAt(key, hub)?.name ?? origins[key]?.title ?? key;
      const words = work.phase === before[key]?.phase && work.kind === before[key]?.kind ? null : wordsFor(work, title);
      if (words) say(part("live"), words);
    }
    before = host.work;
  });
}

function wordsFor({ kind, phase }: Work, title: string): string | null {
  if (kind !== "download") return null;
  if (phase === "working") return t("modelsSaidStarted", called(title));
  if (phase === "done") return t("modelsSaidDone", called(title));
  return phase === "stopped" ? t("modelsSaidStopped", called(title)) : null;
}
