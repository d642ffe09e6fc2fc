// Which tabs' pages belong to which tab's conversation.
import { type Joined, type LeaveReason, PAGE_TITLE_CHARS_MAX, type Refusal } from "../pages-wire.js";
import type { ReadPage } from "../wire.js";
import type { Session } from "./session.js";

type Tabs = ReadonlyMap<number, { session: Session }>;

/** Adds the page of one tab to the conversation of another. Gives the reason where it may not be added. */
export function join(tabs: Tabs, from: number, to: number, read: ReadPage): Refusal | null {
  const target = tabs.get(to)?.session;
  return target && from !== to ? target.join(from, read) : "pages_gone";
}

/** Takes the page of a tab out of every conversation. Gives whether it was in one. */
export function leaveAll(tabs: Tabs, tab: number, why: LeaveReason): boolean {
  const left = [...tabs.values()].map(({ session }) => session.removePages((page) => page.tab === tab, why));
  return left.includes(true);
}

/** The conversation that a tab's page belongs to; the last where there are several. */
export function joinedOf(tabs: Tabs, tab: number): Joined | null {
  let joined: Joined | null = null;
  for (const [id, { session }] of tabs) {
    const { page, pages } = session.state;
    const found = pages.find((one) => one.tab === tab);
    if (!found || !page) continue;
    joined = { tab: id, title: page.title.slice(0, PAGE_TITLE_CHARS_MAX), key: found.key, count: pages.length + 1 };
  }
  return joined;
}
