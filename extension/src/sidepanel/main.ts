import { features } from "../features/index.js";
import { readSettings } from "../settings.js";
import { fillWith, part } from "../ui/dom.js";
import { createFailure } from "../ui/job.js";
import { Panel } from "./panel.js";
import { readShortcut, setLanguage, t } from "../ui/words.js";

let current = new AbortController();

/** Shows the state of a tab, in place of the one before. */
async function open(tab: number): Promise<void> {
  current.abort();
  const { signal } = (current = new AbortController());
  try {
    const panel = new Panel(tab, await readSettings());
    signal.addEventListener("abort", () => panel.host.close());
    await panel.host.open();
    if (signal.aborted) return;
    for (const feature of features) await feature.init(panel, signal);
  } catch (error) {
    if (signal.aborted) return;
    const failure = { code: "host_unreachable", message: "", help: "", detail: String(error) };
    fillWith(part("summary"), createFailure(failure, [{ label: t("retry"), run: () => void open(tab) }], true));
  }
}

async function activeTab(): Promise<number | null> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? null;
}

async function start(): Promise<void> {
  setLanguage(t("panelTitle"));
  await readShortcut();
  const own = new URLSearchParams(location.search).get("tab");
  if (own !== null) return open(Number(own));
  // One panel for the whole window: it shows whichever tab is in front.
  const follow = async (): Promise<void> => {
    const tab = await activeTab();
    if (tab !== null) await open(tab);
  };
  chrome.tabs.onActivated.addListener(() => void follow());
  await follow();
}

void start();
