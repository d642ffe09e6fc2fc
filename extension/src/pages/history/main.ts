// The history: a list by date, a search, and what there is to delete.
import { watchHistory } from "../../history/changes.js";
import type { ReadEntry } from "../../history/entry.js";
import { BYTES_MAX, ENTRIES_MAX, listPlaces, readEntries, readState, remove, removeAll } from "../../history/store.js";
import { dropHistory, hasDatabase } from "../../history/database.js";
import { fillWith, part, say, set, show } from "../../ui/dom.js";
import { createHistorySwitch, historyFailure } from "../../ui/history-switch.js";
import { drawFailure } from "../../ui/job.js";
import { number, setLanguage, t } from "../../ui/words.js";
import { find } from "./find.js";
import { HostLink } from "./host-link.js";
import { byDay, byKind, drawGroups, type Group } from "./list.js";

/** Entries that are drawn at first, and more with each press. */
const SHOWN = 50;
const TYPING_MS = 250;

const list = part("list");
const query = part<HTMLInputElement>("query");
const host = new HostLink();
let shown = SHOWN;
let total = 0;
/** Where the focus goes when the list is drawn, after the entry that had it was deleted. */
let focusAt: number | null = null;
let searching = new AbortController();

const actions = {
  say: (words: string): void => say(part("status"), words),
  remove: (id: string): void => void attempt(() => removeEntry(id)),
};

/** Runs something; where it fails the page says why. */
async function attempt(run: () => Promise<void>): Promise<void> {
  try {
    await run();
    drawFailure(part("failure"), null, []);
  } catch (error) {
    const failure = historyFailure(error);
    const again = { label: t("retry"), run: () => void attempt(draw) };
    const drop = { label: t("historyDeleteAll"), run: () => void attempt(() => dropHistory().then(draw)) };
    drawFailure(part("failure"), failure, failure.code === "history_newer" ? [drop] : [again]);
  }
}

/** Draws the list, or what the search finds. A later call ends an earlier one. */
async function draw(): Promise<void> {
  searching.abort();
  const { signal } = (searching = new AbortController());
  const text = query.value.trim();
  const { isOn, dropped } = await readState();
  const places = (await hasDatabase()) ? await listPlaces() : [];
  if (signal.aborted) return;
  total = places.length;
  show(part("delete-all"), total > 0);
  show(part("dropped"), dropped > 0);
  say(part("dropped"), t("historyDropped", number(dropped)));
  if (text && total > 0) return search(text, signal);
  const read = total > 0 ? await readEntries(places.slice(0, shown).map(({ id }) => id)) : [];
  if (signal.aborted) return;
  show(part("more"), total > shown);
  drawList(byDay(read.map(({ entry }): ReadEntry => entry)));
  const empty = isOn ? t("historyEmpty") : t("historyEmptyOff");
  if (total === 0) actions.say(empty);
  else if (part("status").textContent !== t("historyDeleted")) actions.say("");
}

async function search(text: string, signal: AbortSignal): Promise<void> {
  show(part("more"), false);
  actions.say(t("historySearching"));
  try {
    const result = await find(text, host, signal);
    drawList(byKind(result));
    const count = result.byWords.length + result.byMeaning.length;
    const words = count > 0 ? t("historyFound", number(count)) : t("historyNoMatch");
    actions.say(result.isWordsOnly ? `${words} ${t("historyWordsOnly")}` : words);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const headings = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(".entry > summary")];

function drawList(groups: readonly Group[]): void {
  drawGroups(list, groups, actions);
  if (focusAt === null) return;
  const left = headings();
  (left[Math.min(focusAt, left.length - 1)] ?? query).focus();
  focusAt = null;
}

/** Deletes an entry; the focus goes to the one that takes its place. */
async function removeEntry(id: string): Promise<void> {
  const at = headings().findIndex((one) => one.parentElement?.contains(document.activeElement));
  await remove(id);
  focusAt = Math.max(at, 0);
  actions.say(t("historyDeleted"));
  await draw();
}

async function removeEverything(): Promise<void> {
  const ask = part<HTMLDialogElement>("ask");
  say(part("ask-words"), t("historyDeleteAllAsk", number(total)));
  ask.returnValue = "";
  ask.showModal();
  await new Promise((resolve) => ask.addEventListener("close", resolve, { once: true }));
  if (ask.returnValue !== "yes") return;
  await removeAll();
  query.value = "";
  await draw();
  query.focus();
}

function start(): void {
  setLanguage(t("historyTitle"));
  const { signal } = new AbortController();
  say(part("heading"), t("historyHeading"));
  fillWith(part("switch"), createHistorySwitch(signal));
  say(part("search").querySelector("label") ?? query, t("historySearch"));
  set(query, "placeholder", t("historySearchPlaceholder"));
  say(part("more"), t("historyMore"));
  say(part("limits"), t("historyLimits", number(ENTRIES_MAX), number(BYTES_MAX / 2 ** 20)));
  say(part("delete-all"), t("historyDeleteAll"));
  say(part("ask-no"), t("cancel"));
  say(part("ask-yes"), t("historyDeleteAllYes"));

  let typing = 0;
  query.addEventListener("input", () => {
    clearTimeout(typing);
    typing = window.setTimeout(() => void attempt(draw), TYPING_MS);
  });
  part("search").addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(typing);
    void attempt(draw);
  });
  part("more").addEventListener("click", () => {
    shown += SHOWN;
    void attempt(draw);
  });
  part("delete-all").addEventListener("click", () => void attempt(removeEverything));
  watchHistory(() => void attempt(draw), signal);
  void attempt(draw);
}

start();
