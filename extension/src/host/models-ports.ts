// Ports of the pages that manage models.
import { type FromModels, MODELS_PORT, type ToModels } from "../models-wire.js";
import { Models } from "./models.js";
import type { Verdicts } from "./verdicts.js";
import { isModelsPage } from "./senders.js";

/** Progress comes faster than anyone can read: pages are told this often at most. */
const TELL_MS = 200;

/** Answers those pages and keeps them informed, unless the host `isEnding`. `onIdle`: none is open any more, and no work is running. */
export function serveModels(verdicts: Verdicts, onIdle: () => void, isEnding: () => boolean): { isNeeded(): boolean } {
  const ports = new Set<chrome.runtime.Port>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const isNeeded = (): boolean => ports.size > 0 || models.isBusy;

  const tell = (): void => {
    timer = null;
    const message: FromModels = { type: "state", state: models.state };
    for (const port of ports) port.postMessage(message);
  };
  const models = new Models(verdicts, () => {
    if (ports.size > 0) timer ??= setTimeout(tell, TELL_MS);
    else rest();
  });
  const rest = (): void => {
    if (isNeeded()) return;
    models.close();
    onIdle();
  };

  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== MODELS_PORT || isEnding()) return;
    if (!isModelsPage(port.sender)) return port.disconnect();
    ports.add(port);
    port.onDisconnect.addListener(() => {
      ports.delete(port);
      rest();
    });
    port.onMessage.addListener((message: ToModels) => models.handle(message));
    tell();
  });
  return { isNeeded };
}
