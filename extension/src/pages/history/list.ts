import type { ReadEntry } from "../../history/entry.js";
import { h, keyed, say } from "../../ui/dom.js";
import { date, t } from "../../ui/words.js";
import { createEntry, type EntryActions } from "./entry-view.js";
import type { Found, SearchResult } from "./find.js";

/** Entries under one heading. */
export interface Group {
  title: string;
  found: readonly Found[];
}

/** Entries by the day on which they were kept, in their order. */
export function byDay(entries: readonly ReadEntry[]): Group[] {
  const groups: { title: string; found: Found[] }[] = [];
  for (const entry of entries) {
    const title = entry.updatedMs > 0 ? date(entry.updatedMs) : t("historyNoDate");
    let group = groups.at(-1);
    if (group?.title !== title) groups.push((group = { title, found: [] }));
    group.found.push({ entry, match: null });
  }
  return groups;
}

/** What a search found, by words first. */
export function byKind({ byWords, byMeaning }: SearchResult): Group[] {
  const groups = [
    { title: t("historyByWords"), found: byWords },
    { title: t("historyByMeaning"), found: byMeaning },
  ];
  return groups.filter(({ found }) => found.length > 0);
}

/** Draws groups of entries. Entries that stay the same keep focus, and whether they are open. */
export function drawGroups(place: HTMLElement, groups: readonly Group[], actions: EntryActions): void {
  keyed(
    place,
    groups,
    ({ title }) => title,
    () => h("section", { class: "group" }, h("h2"), h("div")),
    (section, { title, found }) => {
      const [heading, list] = section.children;
      if (heading) say(heading, title);
      if (!list) return;
      keyed(list, found, keyOf, ({ entry, match }) => createEntry(entry, match, actions));
    },
  );
}

const keyOf = ({ entry: { id, updatedMs }, match }: Found): string => `${id} ${updatedMs} ${match ?? ""}`;
