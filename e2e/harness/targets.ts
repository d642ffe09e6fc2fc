// Targets that Playwright does not show as pages: the offscreen document, the real side panel, the service worker.
// Spoken to through a CDP session on the browser.

import type { BrowserContext, CDPSession } from "@playwright/test";

interface TargetInfo {
  targetId: string;
  type: string;
  url: string;
  attached: boolean;
}

/** What tests do with the parts of the extension that are no tabs, in either browser. */
export interface ExtensionTargets {
  /** Presses the toolbar button on the tab that shows `url`, as a user would: this grants activeTab. */
  pressAction(url: string): Promise<void>;
  /** Tells the extension of a click in its menu on the tab that shows `url`. It is no gesture: in Chromium no panel opens by it. */
  clickMenu(url: string, info: object): Promise<void>;
  /** The id of the tab in front, which shows `url`. */
  tabId(url: string): Promise<number>;
  /** Closes the real panel of a tab, as its own button does. */
  closePanel(tab: number): Promise<void>;
  /** Ends the document that hosts the worker. */
  endHost(): Promise<void>;
  /** The engine's worker hangs for good when its next request begins. */
  hangWorker(): Promise<void>;
  /** Evaluates an expression in the target whose address contains `part`. */
  evaluate<T>(part: string, expression: string): Promise<T>;
  /** Addresses of the targets that are alive. */
  urls(): Promise<string[]>;
}

type Params = Record<string, unknown>;
type Listener = (method: string, params: Params, target: TargetInfo) => void;

/**
 * Workers have no document, and get the extension's interfaces a moment after they start; a document that has not begun
 * to load is `about:blank` and complete.
 */
const HAS_LOADED = `(() => {
  if (globalThis.document) return location.href !== "about:blank" && document.readyState === "complete";
  const { runtime, storage } = globalThis.chrome ?? {};
  return Boolean(runtime?.id && (storage || !runtime.getManifest().permissions?.includes("storage")));
})()`;

/** How long a target may take, where nothing else is said. */
const TIMEOUT_MS = 30_000;

/** Asks until the answer is yes. Throws `problem` after `timeout_ms`. */
export async function until(isSo: () => Promise<boolean>, timeout_ms: number, problem: string): Promise<void> {
  const end_ms = Date.now() + timeout_ms;
  while (!(await isSo())) {
    if (Date.now() > end_ms) throw new Error(problem);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A CDP session that follows the extension's own targets as they come and go. */
export class Targets implements ExtensionTargets {
  readonly #session: CDPSession;
  readonly #attached = new Map<string, { target: TargetInfo; sessionId: string }>();
  readonly #answers = new Map<number, { resolve(value: Params): void; reject(error: Error): void }>();
  readonly #listeners: Listener[] = [];
  #extensionId = "";
  #nextId = 1;
  #hasListened = false;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async open(context: BrowserContext): Promise<Targets> {
    const browser = context.browser();
    if (!browser) throw new Error("the context has no browser to attach to");
    const targets = new Targets(await browser.newBrowserCDPSession());
    await targets.#start();
    return targets;
  }

  /** Calls `listener` with every CDP event of the extension's own targets. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** From now on the toolbar button is that of this extension. */
  setExtension(id: string): void {
    this.#extensionId = id;
  }

  async pressAction(url: string): Promise<void> {
    const { targetInfos } = await this.#session.send("Target.getTargets", { filter: [{}] });
    const tab = targetInfos.find((target) => target.type === "tab" && target.url === url);
    if (!tab) throw new Error(`no tab shows ${url}`);
    await this.#listens();
    await this.#session.send(
      "Extensions.triggerAction" as never,
      { id: this.#extensionId, targetId: tab.targetId } as never,
    );
  }

  async clickMenu(url: string, info: object): Promise<void> {
    // The pattern of an address has no fragment, and no port.
    const find = `chrome.tabs.query({}).then((tabs) => tabs.find((tab) => tab.url === ${JSON.stringify(url)}))`;
    const click = `chrome.contextMenus.onClicked.dispatch(${JSON.stringify(info)}, tab)`;
    await this.evaluate("background.js", `${find}.then((tab) => void ${click})`);
  }

  tabId(): Promise<number> {
    const active = "chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => tab.id)";
    return this.evaluate<number>("background.js", active);
  }

  async closePanel(tab: number): Promise<void> {
    await this.evaluate("background.js", `chrome.sidePanel.setOptions({ tabId: ${tab}, enabled: false })`);
  }

  async endHost(): Promise<void> {
    await this.evaluate("offscreen", "close()");
  }

  async hangWorker(): Promise<void> {
    const hang = (): void => {
      const post = globalThis.postMessage.bind(globalThis);
      globalThis.postMessage = ((message: { event: { type: string } }) => {
        post(message);
        while (message.event.type === "begun");
      }) as typeof postMessage;
    };
    // A worker of a document is reached through the document's session.
    const { sessionId } = await this.#waitFor("offscreen", TIMEOUT_MS);
    const worker = new Promise<string>((resolve) =>
      this.listen((method, params) => {
        const target = params.targetInfo as TargetInfo | undefined;
        if (method === "Target.attachedToTarget" && target?.type === "worker") resolve(params.sessionId as string);
      }),
    );
    const options = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
    await this.#send(sessionId, "Target.setAutoAttach", options);
    const expression = `(${hang.toString()})()`;
    const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } });
    const evaluated = new Promise<void>((resolve) =>
      this.listen((method) => {
        if (method === "Target.receivedMessageFromTarget") resolve();
      }),
    );
    await this.#send(sessionId, "Target.sendMessageToTarget", { sessionId: await worker, message });
    await evaluated;
    await this.#send(sessionId, "Target.setAutoAttach", { ...options, autoAttach: false });
  }

  /** Waits until the background script has run for the first time: before that there is nobody who hears a press. */
  async #listens(): Promise<void> {
    if (this.#hasListened) return;
    const hears = () => this.evaluate<boolean>("background.js", "chrome.action.onClicked.hasListeners()");
    await until(hears, TIMEOUT_MS, "the background script does not listen to its toolbar button");
    this.#hasListened = true;
  }

  /**
   * Evaluates `expression` in the extension's target whose address contains `part`; waits until there is one and its
   * document, if it has one, has loaded: a target is announced while it still shows the empty document it starts with.
   */
  async evaluate<T>(part: string, expression: string, timeout_ms = TIMEOUT_MS): Promise<T> {
    const entry = await this.#waitFor(part, timeout_ms);
    const hasLoaded = () => this.#evaluate<boolean>(entry, HAS_LOADED);
    await until(hasLoaded, timeout_ms, `the target of the extension with "${part}" has not loaded`);
    return this.#evaluate<T>(entry, expression);
  }

  async #evaluate<T>(entry: { sessionId: string }, expression: string): Promise<T> {
    const answer = await this.#send(entry.sessionId, "Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    const failure = answer.exceptionDetails as { exception?: { description?: string }; text: string } | undefined;
    if (failure) throw new Error(failure.exception?.description ?? failure.text);
    return (answer.result as { value: T }).value;
  }

  /** Addresses of the extension's own targets that are alive. */
  async urls(): Promise<string[]> {
    return this.#urls();
  }

  #urls(): string[] {
    return [...this.#attached.values()].map((entry) => entry.target.url);
  }

  async #start(): Promise<void> {
    this.#session.on("Target.targetCreated", ({ targetInfo }) => void this.#attach(targetInfo));
    this.#session.on("Target.targetInfoChanged", ({ targetInfo }) => void this.#attach(targetInfo));
    this.#session.on("Target.targetDestroyed", ({ targetId }) => void this.#attached.delete(targetId));
    this.#session.on("Target.receivedMessageFromTarget", ({ sessionId, message }) => this.#receive(sessionId, message));
    await this.#session.send("Target.setDiscoverTargets", { discover: true });
  }

  async #attach(target: TargetInfo): Promise<void> {
    const known = this.#attached.get(target.targetId);
    if (known) {
      known.target = target;
      return;
    }
    if (!target.url.startsWith("chrome-extension://") || target.type === "worker" || target.type === "tab") return;
    // Playwright attaches to tabs by itself, but not to the side panel, which is a page as well.
    if (target.type === "page" && (target.attached || !target.url.includes("/sidepanel/"))) return;
    const entry = { target, sessionId: "" };
    this.#attached.set(target.targetId, entry);
    try {
      const { sessionId } = await this.#session.send("Target.attachToTarget", {
        targetId: target.targetId,
        flatten: false,
      });
      entry.sessionId = sessionId;
      await this.#send(sessionId, "Runtime.enable", {});
      await this.#send(sessionId, "Log.enable", {});
    } catch {
      // The target went away while we attached to it: nothing left to listen to.
      this.#attached.delete(target.targetId);
    }
  }

  async #send(sessionId: string, method: string, params: Params): Promise<Params> {
    const id = this.#nextId++;
    const answer = new Promise<Params>((resolve, reject) => this.#answers.set(id, { resolve, reject }));
    const message = JSON.stringify({ id, method, params });
    await this.#session.send("Target.sendMessageToTarget", { sessionId, message });
    return answer;
  }

  #receive(sessionId: string, text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: Params;
      result?: Params;
      error?: { message: string };
    };
    if (message.id !== undefined) {
      const waiting = this.#answers.get(message.id);
      this.#answers.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result ?? {});
      return;
    }
    const entry = [...this.#attached.values()].find((candidate) => candidate.sessionId === sessionId);
    if (!entry || !message.method) return;
    for (const listener of this.#listeners) listener(message.method, message.params ?? {}, entry.target);
  }

  async #waitFor(part: string, timeout_ms: number): Promise<{ sessionId: string }> {
    const end_ms = Date.now() + timeout_ms;
    const find = () => [...this.#attached.values()].find((entry) => entry.sessionId && entry.target.url.includes(part));
    for (;;) {
      const entry = find();
      if (entry) return entry;
      const left_ms = end_ms - Date.now();
      if (left_ms <= 0) throw new Error(`no target of the extension contains "${part}": ${this.#urls().join(", ")}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left_ms);
        const wake = () => {
          clearTimeout(timer);
          this.#session.off("Target.targetInfoChanged", wake);
          this.#session.off("Target.receivedMessageFromTarget", wake);
          resolve();
        };
        this.#session.on("Target.targetInfoChanged", wake);
        this.#session.on("Target.receivedMessageFromTarget", wake);
      });
    }
  }
}
