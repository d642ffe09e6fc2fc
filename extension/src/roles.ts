// Which model does what. Pages and the host read it; the models page writes it.

const KEY = "roles";

/** A language model on this machine, stored under `name`. */
export interface LocalWriter {
  type: "local";
  name: string;
  /** As the reader knows it. */
  title: string;
  /** Where it came from, so that it can be downloaded again. */
  source: { url: string; sha256?: string } | null;
}

/** A model on a server of the reader's own. Its address and key are read by the host alone. */
export interface ServerWriter {
  type: "server";
  /** The server's host name, which each answer names. */
  host: string;
  model: string;
}

/** Who writes; with `null` summaries and answers are the page's own sentences. */
export interface Roles {
  writer: LocalWriter | ServerWriter | null;
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 4096;

/** What is stored is read with care: an older version, or a broken profile, may have written anything. */
function readWriter(value: unknown): Roles["writer"] {
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  const { type, name, title, source, host, model } = value as Record<string, unknown>;
  if (type === "server") return isText(host) && isText(model) ? { type, host, model } : null;
  if (type !== "local" || !isText(name)) return null;
  const { url, sha256 } = (source ?? {}) as Record<string, unknown>;
  const from = isText(url) ? { url, ...(isText(sha256) && { sha256 }) } : null;
  return { type, name, title: isText(title) ? title : name, source: from };
}

/** Who writes now. */
export async function readRoles(): Promise<Roles> {
  const stored = (await chrome.storage.local.get(KEY))[KEY] as { writer?: unknown } | undefined;
  return { writer: readWriter(stored?.writer) };
}

export const writeRoles = (roles: Roles): Promise<void> => chrome.storage.local.set({ [KEY]: roles });

/** Calls with every change until the signal. */
export function watchRoles(listener: (roles: Roles) => void, signal: AbortSignal): void {
  const onChanged = (changes: Record<string, chrome.storage.StorageChange>): void => {
    if (KEY in changes) void readRoles().then(listener);
  };
  chrome.storage.local.onChanged.addListener(onChanged);
  signal.addEventListener("abort", () => chrome.storage.local.onChanged.removeListener(onChanged), { once: true });
}
