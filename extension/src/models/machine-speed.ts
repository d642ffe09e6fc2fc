// The speed of this machine: measured once for a while, and kept.
import { readStored, writeStored } from "../storage.js";
import type { ModelsLink } from "./link.js";

const KEY = "speed";
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

interface Kept {
  /** Where models ran. */
  on: string;
  speed: number;
  measuredMs: number;
}

/** What is stored is read with care. */
function toKept(value: unknown): Kept | null {
  const { on, speed, measuredMs } = (value ?? {}) as Record<string, unknown>;
  if (typeof on !== "string" || typeof speed !== "number" || !(speed > 0) || typeof measuredMs !== "number")
    return null;
  return { on, speed, measuredMs };
}

/** Puts the machine's speed into the page's model: what was kept of it, or what is measured now. */
export async function watchSpeed(link: ModelsLink, now: () => number = Date.now): Promise<void> {
  const kept = toKept(await readStored(KEY));
  let hasAsked = false;
  link.watch(({ host, speed, backend }) => {
    const { machine, stock, work } = host;
    if (!machine || !stock || speed !== null) return;
    const on = `${machine.backend.kind} ${machine.backend.device}`;
    if (host.speed !== null) {
      const measured: Kept = { on, speed: host.speed, measuredMs: now() };
      void writeStored(KEY, measured);
      link.update({ speed: host.speed });
    } else if (kept?.on === on && now() - kept.measuredMs < KEPT_MS) {
      link.update({ speed: kept.speed });
    } else if (!hasAsked && Object.values(work).every(({ phase }) => phase !== "working")) {
      // Work on a model would make the machine seem slow.
      hasAsked = true;
      link.send({ type: "measure", backend });
    }
  });
}
