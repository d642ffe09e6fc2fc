import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isBackground, isHistory, isModelsPage, isPanel } from "../src/host/senders.js";

const OWN = "chrome-extension://pith";
const PANEL = `${OWN}/sidepanel/index.html?tab=7`;
const panel = { id: "pith", url: PANEL, origin: OWN };
const background = { id: "pith", url: `${OWN}/background.js` };
const page = { id: "pith", url: "https://bank.example/", origin: "https://bank.example", frameId: 0, tab: {} };

beforeEach(() => {
  vi.stubGlobal("chrome", { runtime: { id: "pith", getURL: (path: string) => `${OWN}${path}` } });
  vi.stubGlobal("location", { origin: OWN });
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  ["the side panel", panel, "panel"],
  ["the panel in a tab", { ...panel, frameId: 0, tab: {} }, "panel"],
  ["the panel in a frame", { ...panel, frameId: 3, tab: {} }, "nobody"],
  ["the models page", { ...panel, url: `${OWN}/pages/models/index.html`, frameId: 0, tab: {} }, "models"],
  ["the first-run page", { ...panel, url: `${OWN}/pages/welcome/index.html#start`, frameId: 0, tab: {} }, "models"],
  ["the models page in a frame", { ...panel, url: `${OWN}/pages/models/index.html`, frameId: 2, tab: {} }, "nobody"],
  ["the background script", background, "background"],
  ["the background script's file in a tab", { ...background, tab: {} }, "nobody"],
  ["the history page", { ...panel, url: `${OWN}/pages/history/index.html`, frameId: 0, tab: {} }, "history"],
  ["the history page in a frame", { ...panel, url: `${OWN}/pages/history/index.html`, frameId: 2, tab: {} }, "nobody"],
  ["another page of ours", { ...panel, url: `${OWN}/offscreen.html` }, "nobody"],
  ["our script in a page", page, "nobody"],
  [
    "our script in a page that calls itself a panel",
    { ...page, url: "https://bank.example/sidepanel/index.html" },
    "nobody",
  ],
  ["our script in a blank page", { ...page, url: "about:blank", origin: "null" }, "nobody"],
  ["our script in a page without an address", { ...page, url: "" }, "nobody"],
  ["a panel's address with a page's origin", { ...panel, origin: "https://bank.example" }, "nobody"],
  ["another extension", { ...panel, id: "other" }, "nobody"],
  [
    "another extension with a panel",
    { id: "other", url: "chrome-extension://other/sidepanel/index.html", origin: "chrome-extension://other" },
    "nobody",
  ],
  ["somebody of whom nothing is said", undefined, "nobody"],
] as const)("%s", (_, sender, who) => {
  const said = sender as chrome.runtime.MessageSender | undefined;
  const found = {
    panel: isPanel(said),
    background: isBackground(said),
    models: isModelsPage(said),
    history: isHistory(said),
  };
  expect(Object.entries(found).flatMap(([name, is]) => (is ? [name] : []))).toEqual(who === "nobody" ? [] : [who]);
});
