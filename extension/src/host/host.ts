import { documentOf } from "../export/document.js";
import { HISTORY_PORT, type HistoryQuery, type HistoryVector } from "../history/wire.js";
import type { Joined, LeaveReason } from "../pages-wire.js";
import { type Notice, portTab, type TabState, type ToHost, type ToPanel } from "../wire.js";
import { handle } from "./commands.js";
import { Engine } from "./engine.js";
import { holdsText, isWorking } from "./held.js";
import { join, joinedOf, leaveAll } from "./joins.js";
import { Keeper } from "./keeper.js";
import { serveModels } from "./models-ports.js";
import { Reopening } from "./reopening.js";
import { isBackground, isHistory, isPanel } from "./senders.js";
import { Session } from "./session.js";

/** Progress comes faster than anyone can read: panels are told this often at most. */
const TELL_MS = 60;

interface Tab {
  id: number;
  session: Session;
  ports: Set<chrome.runtime.Port>;
  timer: ReturnType<typeof setTimeout> | null;
  /** What was kept of its page is being looked for; other messages wait. */
  opening: Promise<void> | null;
}

/** What runs the worker. */
export interface Host {
  /** Drops all that is known of a tab. */
  forget(tab: number): void;
  /** A panel or a page about models is open, a page's text is held, or a model is being downloaded. */
  isNeeded(): boolean;
}

/**
 * Hosts the worker and every tab's state, and keeps all open panels informed. `onIdle`: it is not needed any more; true where its
 * document ends now and panels stay.
 */
export function startHost(onIdle: () => boolean): Host {
  const engine = new Engine();
  const tabs = new Map<number, Tab>();
  const keeper = new Keeper(engine, () => {
    showAll();
    endIfIdle();
  });
  const reopening = new Reopening(keeper, () => endIfIdle());
  const show = (tab: Tab): void => tell(tab, keeper.told(tab.session), joinedOf(tabs, tab.id));
  const showAll = (): void => tabs.forEach(show);
  const historyPorts = new Set<chrome.runtime.Port>();

  const open = (id: number): Tab => {
    const found = tabs.get(id);
    if (found) return found;
    const session = new Session(engine, (state) => {
      schedule(tab, state, show);
      keeper.watch(session);
      reopening.watch(session);
      renew();
    });
    const tab: Tab = { id, session, ports: new Set(), timer: null, opening: null };
    tabs.set(id, tab);
    return tab;
  };
  /** While the browser ends it, others still connect. They hear nothing; their ports may lead to the next host, too, and stay open. */
  let isEnding = false;
  const endIfIdle = (): void => void (isNeeded() || (isEnding = onIdle() || isEnding));
  const { verdicts } = engine.forWriting();
  const models = serveModels(verdicts, endIfIdle, () => isEnding);
  const isNeeded = (): boolean =>
    keeper.isBusy ||
    reopening.isBusy ||
    historyPorts.size > 0 ||
    models.isNeeded() ||
    [...tabs.values()].some(({ session, ports }) => holdsText(session.state) || ports.size > 0);

  /** The worker's memory keeps pieces of what it has read until something else lies there: they go with the worker. */
  let hasRead = false;
  const renew = (): void => {
    if (!hasRead || verdicts.isBusy || [...tabs.values()].some(({ session }) => isWorking(session.state))) return;
    hasRead = false;
    engine.close();
  };
  verdicts.onIdle = renew;
  /** Leaves nothing of a tab's page, in no conversation. */
  const forget = (id: number, why: LeaveReason): void => {
    leave(() => leaveAll(tabs, id, why));
    const tab = tabs.get(id);
    if (!tab) return;
    hasRead ||= holdsText(tab.session.state);
    reopening.close(tab.session);
    tab.session.forget();
    renew();
    showAll();
    tidy(id, tab);
  };
  /** What pages leave in the worker goes with them. */
  const leave = (remove: () => boolean): void => {
    hasRead = remove() || hasRead;
    renew();
    showAll();
  };
  const tidy = (id: number, { session, ports }: Tab): void => {
    if (holdsText(session.state) || ports.size > 0) return;
    tabs.delete(id);
    endIfIdle();
  };
  /** Shows what was on the screen of this page when the host ended; else the page is summarized. */
  const begin = (tab: Tab, message: Extract<ToHost, { type: "summarize" }>): void => {
    const { session } = tab;
    const { read } = message;
    tab.opening = reopening.find(read).then((found) => {
      tab.opening = null;
      if (!found || session.read) return handle(session, message);
      keeper.adopt(session, read.key, found);
      session.restore(read, found);
    });
  };
  /** Embeds the queries of a history page. What the worker has read of them goes when the page does. */
  const search = (port: chrome.runtime.Port): void => {
    historyPorts.add(port);
    let hasAsked = false;
    port.onMessage.addListener(async ({ request, text, reading }: HistoryQuery) => {
      hasAsked = true;
      const embed = () => engine.embed([text], reading);
      // The worker may be replaced meanwhile, because a tab was closed.
      const { vectors, encoder } = await embed()
        .catch(embed)
        .catch(() => ({ vectors: [], encoder: "" }));
      const answer: HistoryVector = { request, vector: vectors[0] ? [...vectors[0]] : null, encoder };
      if (historyPorts.has(port)) port.postMessage(answer);
    });
    port.onDisconnect.addListener(() => {
      historyPorts.delete(port);
      hasRead ||= hasAsked;
      renew();
      endIfIdle();
    });
  };

  chrome.runtime.onConnect.addListener((port) => {
    if (isEnding) return;
    if (port.name === HISTORY_PORT) return isHistory(port.sender) ? search(port) : port.disconnect();
    const id = portTab(port.name);
    if (id === null) return;
    if (!isPanel(port.sender)) return port.disconnect();
    const tab = open(id);
    tab.ports.add(port);
    port.onDisconnect.addListener(() => {
      tab.ports.delete(port);
      tidy(id, tab);
    });
    const take = (message: ToHost): void => {
      if (message.type === "forget") return forget(id, "changed");
      if (message.type === "leave") return leave(() => leaveAll(tabs, id, "changed"));
      if (message.type === "removePage")
        return leave(() => tab.session.removePages((page) => page.id === message.id, message.why));
      if (message.type === "join") {
        const refused = join(tabs, id, message.to, message.read);
        port.postMessage({ type: "join", request: message.request, refused } satisfies ToPanel);
        return showAll();
      }
      if (message.type === "restore") {
        const { read, state } = message;
        if (read && !tab.session.read) keeper.adopt(tab.session, read.key, state);
        return tab.session.restore(read, state);
      }
      if (message.type === "summarize") {
        if (!tab.session.read) return begin(tab, message);
        if (message.read.key !== tab.session.read.key) reopening.close(tab.session);
      }
      if (message.type !== "document") return handle(tab.session, message);
      const { state, read, others } = tab.session;
      const document = read && documentOf(state, read.page.blocks, read.readMs, others.list);
      port.postMessage({ type: "document", request: message.request, document } satisfies ToPanel);
    };
    port.onMessage.addListener((message: ToHost) => {
      if (tab.opening) void tab.opening.then(() => take(message));
      else take(message);
    });
    show(tab);
  });

  chrome.runtime.onMessage.addListener((notice: Notice, sender) => {
    if (notice.type === "forget" && isBackground(sender)) forget(notice.tab, "closed");
  });
  return { forget: (tab) => forget(tab, "closed"), isNeeded };
}

function schedule(tab: Tab, state: TabState, show: (tab: Tab) => void): void {
  if (!isWorking(state)) return show(tab);
  tab.timer ??= setTimeout(() => show(tab), TELL_MS);
}

function tell(tab: Tab, kept: Pick<TabState, "notKept" | "entry">, joined: Joined | null): void {
  if (tab.timer !== null) clearTimeout(tab.timer);
  tab.timer = null;
  const message: ToPanel = { type: "state", state: { ...tab.session.state, joined, ...kept } };
  for (const port of tab.ports) port.postMessage(message);
}
