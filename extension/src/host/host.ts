import { type Notice, portTab, type TabState, type ToHost, type ToPanel } from "../wire.js";
import { Engine } from "./engine.js";
import { Session } from "./session.js";

/** Progress comes faster than anyone can read: panels are told this often at most. */
const TELL_MS = 60;

interface Tab {
  session: Session;
  ports: Set<chrome.runtime.Port>;
  timer: ReturnType<typeof setTimeout> | null;
}

/** Hosts the worker and every tab's state, and keeps all open panels informed. */
export function startHost(): void {
  const engine = new Engine();
  const tabs = new Map<number, Tab>();

  const open = (id: number): Tab => {
    const found = tabs.get(id);
    if (found) return found;
    const tab: Tab = { session: new Session(engine, (state) => schedule(tab, state)), ports: new Set(), timer: null };
    tabs.set(id, tab);
    return tab;
  };

  chrome.runtime.onConnect.addListener((port) => {
    const id = portTab(port.name);
    if (id === null) return;
    const tab = open(id);
    tab.ports.add(port);
    port.onDisconnect.addListener(() => tab.ports.delete(port));
    port.onMessage.addListener((message: ToHost) => handle(tab.session, message));
    tell(tab);
  });

  chrome.runtime.onMessage.addListener((notice: Notice) => {
    if (notice.type !== "forget") return;
    tabs.get(notice.tab)?.session.stop();
    tabs.delete(notice.tab);
  });
}

function handle(session: Session, message: ToHost): void {
  switch (message.type) {
    case "summarize":
      return void session.summarize(message.read, message.settings);
    case "summarizeAgain":
      return void session.summarizeAgain(message.settings);
    case "ask":
      return void session.ask(message.text, message.settings);
    case "retryQuestion":
      return void session.retry(message.id, message.settings);
    case "cancelSummary":
      return session.cancelSummary();
    case "cancelQuestion":
      return session.cancelQuestion(message.id);
  }
}

function schedule(tab: Tab, state: TabState): void {
  const busy = [state.summary, ...state.questions.map(({ job }) => job)].some((job) => job?.phase === "working");
  if (!busy) return tell(tab);
  tab.timer ??= setTimeout(() => tell(tab), TELL_MS);
}

function tell(tab: Tab): void {
  if (tab.timer !== null) clearTimeout(tab.timer);
  tab.timer = null;
  const message: ToPanel = { type: "state", state: tab.session.state };
  for (const port of tab.ports) port.postMessage(message);
}
