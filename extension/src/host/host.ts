import { type Notice, portTab, type TabState, type ToHost, type ToPanel } from "../wire.js";
import { Engine } from "./engine.js";
import { serveModels } from "./models-ports.js";
import { isBackground, isPanel } from "./senders.js";
import { Session } from "./session.js";

/** Progress comes faster than anyone can read: panels are told this often at most. */
const TELL_MS = 60;

interface Tab {
  session: Session;
  ports: Set<chrome.runtime.Port>;
  timer: ReturnType<typeof setTimeout> | null;
}

/** What runs the worker. */
export interface Host {
  /** Drops all that is known of a tab. */
  forget(tab: number): void;
  /** A panel or a page about models is open, a page's text is held, or a model is being downloaded. */
  isNeeded(): boolean;
}

/** Hosts the worker and every tab's state, and keeps all open panels informed. `onIdle`: it is not needed any more. */
export function startHost(onIdle: () => void): Host {
  const engine = new Engine();
  const tabs = new Map<number, Tab>();

  const open = (id: number): Tab => {
    const found = tabs.get(id);
    if (found) return found;
    const session = new Session(engine, (state) => {
      schedule(tab, state);
      renew();
    });
    const tab: Tab = { session, ports: new Set(), timer: null };
    tabs.set(id, tab);
    return tab;
  };
  const models = serveModels(() => {
    if (!isNeeded()) onIdle();
  });
  const isNeeded = (): boolean =>
    models.isNeeded() || [...tabs.values()].some(({ session, ports }) => holdsText(session.state) || ports.size > 0);

  /** The worker's memory keeps pieces of what it has read until something else lies there: they go with the worker. */
  let hasRead = false;
  const renew = (): void => {
    if (!hasRead || [...tabs.values()].some(({ session }) => isWorking(session.state))) return;
    hasRead = false;
    engine.close();
  };
  /** Leaves nothing of a tab's page. */
  const forget = (id: number): void => {
    const tab = tabs.get(id);
    if (!tab) return;
    hasRead ||= holdsText(tab.session.state);
    tab.session.forget();
    renew();
    tidy(id, tab);
  };
  const tidy = (id: number, { session, ports }: Tab): void => {
    if (holdsText(session.state) || ports.size > 0) return;
    tabs.delete(id);
    if (!isNeeded()) onIdle();
  };

  chrome.runtime.onConnect.addListener((port) => {
    const id = portTab(port.name);
    if (id === null) return;
    if (!isPanel(port.sender)) return port.disconnect();
    const tab = open(id);
    tab.ports.add(port);
    port.onDisconnect.addListener(() => {
      tab.ports.delete(port);
      tidy(id, tab);
    });
    port.onMessage.addListener((message: ToHost) =>
      message.type === "forget" ? forget(id) : handle(tab.session, message),
    );
    tell(tab);
  });

  chrome.runtime.onMessage.addListener((notice: Notice, sender) => {
    if (notice.type === "forget" && isBackground(sender)) forget(notice.tab);
  });
  return { forget, isNeeded };
}

function handle(session: Session, message: Exclude<ToHost, { type: "forget" }>): void {
  switch (message.type) {
    case "summarize":
      return void session.summarize(message.read, message.settings);
    case "summarizeAgain":
      return void session.summarizeAgain(message.settings);
    case "write":
      return void session.write(message.settings, message.variant);
    case "ask":
      return void session.ask(message.text, message.settings);
    case "retryQuestion":
      return void session.retry(message.id, message.settings);
    case "cancelSummary":
      return session.cancelSummary();
    case "cancelWriting":
      return session.cancelWriting();
    case "cancelQuestion":
      return session.cancelQuestion(message.id);
    case "newConversation":
      return session.newConversation();
    case "runAction":
      return void session.acts.run(message.request, message.settings);
    case "cancelAction":
      return session.acts.cancel(message.id);
    case "closeAction":
      return session.acts.close(message.id);
  }
}

const isWorking = ({ summary, writing, questions, acts }: TabState): boolean =>
  [summary, writing?.job, ...[...questions, ...acts.flatMap(({ turns }) => turns)].map(({ job }) => job)].some(
    (job) => job?.phase === "working",
  );

/** Text of a page is held. */
const holdsText = ({ page, acts }: TabState): boolean => page !== null || acts.length > 0;

function schedule(tab: Tab, state: TabState): void {
  if (!isWorking(state)) return tell(tab);
  tab.timer ??= setTimeout(() => tell(tab), TELL_MS);
}

function tell(tab: Tab): void {
  if (tab.timer !== null) clearTimeout(tab.timer);
  tab.timer = null;
  const message: ToPanel = { type: "state", state: tab.session.state };
  for (const port of tab.ports) port.postMessage(message);
}
