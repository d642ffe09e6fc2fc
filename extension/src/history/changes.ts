// All documents of the extension hear of changes of the history.

const NAME = "pith-history";

export function tellChange(): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage("changed");
  channel.close();
}

/** Calls with every change, until the signal. */
export function watchHistory(listener: () => void, signal: AbortSignal): void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = () => listener();
  signal.addEventListener("abort", () => channel.close(), { once: true });
}
