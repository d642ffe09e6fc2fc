// How often a text occurs in the memory of the extension's host and of its worker: in strings that something still
// holds, and in the bytes of WebAssembly, held or not. Chromium only.

import type { BrowserContext } from "@playwright/test";

export interface Found {
  /** "host", "worker" for the engine's, "service_worker" for the background script. */
  who: string;
  strings: number;
  bytes: number;
}

interface Message {
  id?: number;
  method?: string;
  params?: { chunk?: string; sessionId?: string; message?: string; targetInfo?: { url: string; type: string } };
  result?: { result?: { objectId?: string; value?: unknown }; objects?: { objectId: string } };
}

type Post = (message: string) => Promise<unknown>;

/** Runs in the worker: how often the text stands in its memories, as UTF-8. */
const COUNT = `function (text) {
  const wanted = new TextEncoder().encode(text);
  let found = 0;
  for (const { buffer } of this) {
    const bytes = new Uint8Array(buffer);
    for (let at = bytes.indexOf(wanted[0]); at >= 0; at = bytes.indexOf(wanted[0], at + 1))
      if (wanted.every((byte, offset) => bytes[at + offset] === byte)) found += 1;
  }
  return found;
}`;

/** Searches the offscreen document and its workers; nothing, where they are gone. */
export async function searchHost(context: BrowserContext, text: string): Promise<Found[]> {
  const session = await context.browser()!.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets");
  const found: Found[] = [];
  for (const { targetId } of targetInfos.filter(({ url }) => url.endsWith("/offscreen.html"))) {
    const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
    const host = new Debugged("host", (message) => session.send("Target.sendMessageToTarget", { sessionId, message }));
    session.on("Target.receivedMessageFromTarget", (event) => {
      if (event.sessionId === sessionId) host.receive(event.message);
    });
    for (const one of [host, ...(await host.workers())]) found.push({ who: one.who, ...(await one.search(text)) });
  }
  await session.detach();
  return found;
}

/** A document or a worker, and what is attached to it. */
class Debugged {
  readonly who: string;
  readonly #post: Post;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #workers = new Map<string, Debugged>();
  #chunks: string[] = [];

  constructor(who: string, post: Post) {
    this.who = who;
    this.#post = post;
  }

  async search(text: string): Promise<Omit<Found, "who">> {
    this.#chunks = [];
    await this.#send("HeapProfiler.enable");
    await this.#send("HeapProfiler.collectGarbage");
    await this.#send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    const { strings } = JSON.parse(this.#chunks.join("")) as { strings: string[] };
    const prototype = await this.#send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
    const memories = await this.#send("Runtime.queryObjects", {
      prototypeObjectId: prototype.result?.result?.objectId,
    });
    const counted = await this.#send("Runtime.callFunctionOn", {
      objectId: memories.result?.objects?.objectId,
      functionDeclaration: COUNT,
      arguments: [{ value: text }],
      returnByValue: true,
    });
    const bytes = Number(counted.result?.result?.value);
    return { strings: strings.filter((one) => one.includes(text)).length, bytes };
  }

  async workers(): Promise<Debugged[]> {
    await this.#send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    return [...this.#workers.values()];
  }

  receive(text: string): void {
    const { id, method, params, ...rest } = JSON.parse(text) as Message;
    if (id !== undefined) this.#answers.get(id)?.(rest);
    else if (method === "HeapProfiler.addHeapSnapshotChunk") this.#chunks.push(params?.chunk ?? "");
    else if (method === "Target.receivedMessageFromTarget")
      this.#workers.get(params?.sessionId ?? "")?.receive(params?.message ?? "");
    else if (method === "Target.attachedToTarget" && params?.sessionId) {
      const { sessionId } = params;
      this.#workers.set(
        sessionId,
        new Debugged(params.targetInfo?.type ?? "", (message) =>
          this.#send("Target.sendMessageToTarget", { sessionId, message }),
        ),
      );
    }
  }

  async #send(method: string, params: object = {}): Promise<Message> {
    const id = this.#answers.size + 1;
    const answer = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    await this.#post(JSON.stringify({ id, method, params }));
    return answer;
  }
}
