import type { Answer, Page } from "@pith/web";
import { beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../src/host/engine.js";
import { join, joinedOf, leaveAll } from "../src/host/joins.js";
import { OtherPages } from "../src/host/other-pages.js";
import { documentOf } from "../src/export/document.js";
import { Session } from "../src/host/session.js";
import type { PagePassage } from "../src/pages-wire.js";
import type { ReadPage, Settings } from "../src/wire.js";

const paragraph = (text: string) => ({ kind: "paragraph" as const, text });
const pageOf = (title: string, ...texts: string[]): Page => ({ title, language: "en", blocks: texts.map(paragraph) });
const readOf = (key: string, page: Page, isPrivate = false): ReadPage => ({
  key: `1 https://site.example/${key}`,
  page,
  coverage: { wordsVisible: 2, wordsRead: 2, leftOut: [] },
  timeMs: 0,
  readMs: 0,
  isPrivate,
});
const passage = (block: number, text: string): PagePassage => ({
  text,
  block,
  start: 0,
  end: text.length,
  score: 1,
  headers: [],
  code: null,
  speaker: null,
});
const answerOf = (...passages: PagePassage[]): Answer => ({
  passages,
  answered: passages.length > 0,
  reason: passages.length > 0 ? "answered" : "notOnPage",
  leftOut: { chars: 0, blocks: 0, sentences: 0 },
  language: "en",
  backend: null,
  withoutEncoder: null,
  written: null,
  notWritten: null,
  timeMs: 1,
});
const settings: Settings = {
  backend: "cpu",
  encoder: null,
  length: "short",
  writer: null,
  kind: "keyPoints",
  targetLanguage: null,
  unsupported: "replace",
};
const own = pageOf("Own", "One.", "Two.");

describe("pages as one", () => {
  let pages: OtherPages;
  beforeEach(() => {
    pages = new OtherPages();
  });

  it("are the tab's own page where there is no other", () => {
    const { page, ids, sort } = pages.with({ page: own, isPrivate: false });
    const answer = answerOf(passage(1, "Two."));
    expect([page, ids, sort(answer)]).toEqual([own, [], answer]);
    expect(page).toBe(own);
  });

  it("stand one behind the other, each under its title, and passages find their way back", () => {
    pages.add(2, readOf("b", pageOf("Second", "Three.", "Four.")));
    pages.add(3, readOf("c", { ...pageOf("Third", "Five."), language: "de" }));
    const { page, ids, sort } = pages.with({ page: own, isPrivate: false });
    expect(page.blocks.map(({ text }) => text)).toEqual([
      "One.",
      "Two.",
      "Second",
      "Three.",
      "Four.",
      "Third",
      "Five.",
    ]);
    expect(page.title).toBe("Own · Second · Third");
    expect(page.language).toBeNull();
    expect(ids).toEqual([1, 2]);
    const found = sort(answerOf(...page.blocks.map(({ text }, at) => passage(at, text))));
    expect(found.passages.map(({ block, page }: PagePassage) => [page, block])).toEqual([
      [undefined, 0],
      [undefined, 1],
      [1, 0],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 0],
    ]);
  });

  it("are the same object until one comes or goes: the worker is sent them once", () => {
    pages.add(2, readOf("b", pageOf("Second", "Three.")));
    const { page } = pages.with({ page: own, isPrivate: false });
    expect(pages.with({ page: own, isPrivate: false }).page).toBe(page);
    pages.drop(({ tab }) => tab === 2);
    expect(pages.with({ page: own, isPrivate: false }).page).toBe(own);
  });

  it("share what the worker reads where they are too long", () => {
    pages.add(2, readOf("b", pageOf("Second", "x".repeat(3_000_000), "never")));
    pages.add(3, readOf("c", pageOf("Third", "The last one.")));
    const { page, sort } = pages.with({ page: own, isPrivate: false });
    const units = page.blocks.reduce((sum, { text }) => sum + text.length, 0);
    expect(units).toBeLessThan(1_300_000);
    expect(page.blocks.at(-1)?.text).toBe("The last one.");
    expect(sort(answerOf(passage(page.blocks.length - 1, "The last one."))).passages).toMatchObject([
      { page: 2, block: 0 },
    ]);
  });

  it("have short titles, whatever the page says", () => {
    pages.add(2, readOf("b", pageOf("T".repeat(1 << 20), "Three.")));
    expect(pages.told[0]?.title.length).toBe(200);
    expect(pages.with({ page: own, isPrivate: false }).page.title.length).toBeLessThan(300);
  });
});

/** An engine that finds what it is told to. */
class Finder {
  asked: Page[] = [];
  found = answerOf();
  wait: Promise<void> = Promise.resolve();
  isReady = (): boolean => true;
  load = async (): Promise<void> => {};
  forWriting = (): this => this;
  pith = async () => ({
    summarize: async () => ({ ...answerOf(), title: "", lines: [] }),
    suggestQuestions: async () => [],
    ask: async (page: Page) => {
      this.asked.push(page);
      await this.wait;
      return this.found;
    },
  });
}

describe("a conversation of several tabs", () => {
  let engine: Finder;
  let tabs: Map<number, { session: Session }>;
  const open = async (tab: number, title: string, isPrivate = false): Promise<Session> => {
    const session = new Session(engine as unknown as Engine, () => {});
    tabs.set(tab, { session });
    await session.summarize(readOf(title, pageOf(title, "One.", "Two."), isPrivate), settings);
    return session;
  };
  beforeEach(() => {
    engine = new Finder();
    tabs = new Map();
  });
  const second = readOf("b", pageOf("Second", "Three."));

  it("takes pages, says which tab is in it, and asks them together", async () => {
    const session = await open(1, "Own");
    expect(join(tabs, 2, 1, second)).toBeNull();
    expect(session.state.pages).toEqual([{ id: 1, tab: 2, key: second.key, title: "Second", language: "en" }]);
    expect(joinedOf(tabs, 2)).toEqual({ tab: 1, title: "Own", key: second.key, count: 2 });
    expect(joinedOf(tabs, 3)).toBeNull();
    engine.found = answerOf(passage(3, "Three."));
    await session.ask("What?", settings);
    expect(engine.asked[0]?.blocks.length).toBe(4);
    const [question] = session.state.questions;
    expect(question).toMatchObject({
      pages: [1],
      job: { phase: "done", result: { passages: [{ page: 1, block: 0 }] } },
    });
    const read = [...session.others.list];
    const document = documentOf(session.state, own.blocks, 0, read);
    expect(document?.questions[0]?.lines[0]?.sources).toEqual([
      {
        text: "Three.",
        code: null,
        link: "https://site.example/b#:~:text=Three",
        page: { title: "Second", address: "https://site.example/b" },
      },
    ]);
  });

  it("has a page once, and the newest of a tab", async () => {
    const session = await open(1, "Own");
    join(tabs, 2, 1, second);
    join(tabs, 2, 1, second);
    expect(session.state.pages.map(({ id }) => id)).toEqual([1]);
    join(tabs, 2, 1, readOf("c", pageOf("Other", "Six.")));
    expect(session.state.pages.map(({ id, title }) => [id, title])).toEqual([[2, "Other"]]);
    expect(session.state.left).toBeNull();
  });

  it("refuses the ninth page, its own tab, a private page, and what comes when it has ended", async () => {
    const session = await open(1, "Own");
    for (let tab = 2; tab <= 8; tab += 1)
      expect(join(tabs, tab, 1, readOf(`p${tab}`, pageOf(`P${tab}`, "Text.")))).toBeNull();
    expect(join(tabs, 9, 1, readOf("p9", pageOf("P9", "Text.")))).toBe("pages_full");
    expect(join(tabs, 1, 1, second)).toBe("pages_gone");
    expect(join(tabs, 2, 1, readOf("x", own, true))).toBe("pages_private");
    expect(session.state.pages.length).toBe(7);
    session.forget();
    expect(session.state.pages).toEqual([]);
    expect(join(tabs, 2, 1, second)).toBe("pages_gone");
    expect(join(tabs, 2, 77, second)).toBe("pages_gone");
  });

  it("loses a page with its tab, and the answers that are made of it", async () => {
    const session = await open(1, "Own");
    join(tabs, 2, 1, second);
    engine.found = answerOf(passage(3, "Three."));
    await session.ask("Of the second?", settings);
    engine.found = answerOf(passage(0, "One."));
    await session.ask("Of the first?", settings);
    let go = (): void => {};
    engine.wait = new Promise((resolve) => (go = resolve));
    const work = session.ask("Under way?", settings);
    await new Promise((resolve) => setTimeout(resolve));
    expect(leaveAll(tabs, 2, "closed")).toBe(true);
    expect(leaveAll(tabs, 2, "closed")).toBe(false);
    go();
    await work;
    const lost = { phase: "failed", error: { code: "page_left" } };
    expect(session.state.questions.map(({ job }) => job)).toMatchObject([lost, { phase: "done" }, lost]);
    expect(session.state).toMatchObject({ pages: [], left: { id: 1, why: "closed" } });
    expect(JSON.stringify(session.state)).not.toContain("Three.");
    expect(JSON.stringify(session.state)).not.toContain("Second");
    expect(joinedOf(tabs, 2)).toBeNull();
    // Asked again, the question goes to the page that is left.
    engine.found = answerOf(passage(0, "One."));
    await session.retry(1, settings);
    expect(engine.asked.at(-1)?.blocks.length).toBe(2);
    expect(session.state.questions[0]).not.toHaveProperty("pages");
  });

  it("says nothing of a page that the reader takes out, and ends with its own page", async () => {
    const session = await open(1, "Own");
    join(tabs, 2, 1, second);
    expect(session.removePages(({ id }) => id === 1)).toBe(true);
    expect(session.state).toMatchObject({ pages: [], left: null });
    join(tabs, 2, 1, second);
    await session.summarize(readOf("new", pageOf("New", "Seven.")), settings);
    expect(session.state.pages).toEqual([]);
  });
});
