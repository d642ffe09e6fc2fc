import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Page, Passage, Summary, WrittenLine } from "@pith/web";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRecording } from "../../e2e/recordings/recordings.js";
import type { Device, Judged, Prepared } from "../src/host/writers/device.js";
import type { Connection } from "../src/host/writers/openai/connection.js";
import { choose } from "../src/host/writers/parts.js";
import { ServerWriter } from "../src/host/writers/server.js";
import { withTranslation } from "../src/host/writers/translate.js";

const page: Page = { title: "Moors", blocks: [{ kind: "paragraph", text: "Peat grows slowly." }] } as unknown as Page;
const passage = (text: string): Passage => ({ block: 0, start: 0, end: text.length, text }) as unknown as Passage;

/** Prompts name their part; a line is supported by the passage that has its first word. */
class TestDevice implements Device {
  parts = 1;
  answered = true;
  budgets: number[] = [];
  vectors: number[][] | null = null;
  embedded: string[][] = [];

  summarize = async (): Promise<Summary> =>
    ({ title: "Moors", language: "en", lines: [], written: null, notWritten: null }) as unknown as Summary;
  ask = async (): Promise<Answer> => ({ passages: [], written: null, notWritten: null }) as unknown as Answer;

  async prepare(_: Page, _wanted: unknown, budget_tokens: number, part: number): Promise<Prepared> {
    this.budgets.push(budget_tokens);
    return {
      messages: [{ role: "user", content: `part ${part}` }],
      answered: this.answered,
      parts: this.parts,
      shareRead: 1 / this.parts,
      wordsRead: 100,
    };
  }

  async embed(_: string[], languages: string[]): Promise<Float32Array[] | null> {
    this.embedded.push(languages);
    return this.vectors?.map((vector) => Float32Array.from(vector)) ?? null;
  }

  async attribute(_: Page, text: string): Promise<Judged> {
    const texts = text.split("\n").filter(Boolean);
    const part = /^[ab](\d)/m.exec(text)?.[1] ?? "0";
    const passages = [`a${part}`, `b${part}`].map(passage);
    const lines = texts.map((line): WrittenLine => {
      const source = passages.findIndex(({ text: known }) => line.startsWith(known));
      return { text: line, sources: source < 0 ? [] : [source], support: source < 0 ? "unsupported" : "supported" };
    });
    return { lines, passages };
  }
}

type Handler = (response: ServerResponse, asked: string) => void;
let server: Server;
let handler: Handler;
let asked: string[];
let said: string[];
let connection: Connection | null;
let device: TestDevice;

beforeEach(async () => {
  asked = [];
  said = [];
  device = new TestDevice();
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    asked.push(messages[0]!.content);
    said.push(messages.at(-1)!.content);
    handler(response, messages[0]!.content);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  connection = { base, key: "", model: "m", dialect: "llama.cpp", contextTokens: 4096 };
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const event = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`;

/** Writes these lines, each as an event. */
const lines =
  (of: (asked: string) => string[]): Handler =>
  async (response, question) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const line of of(question)) {
      response.write(event(`${line}\n`));
      await new Promise((wait) => setTimeout(wait, 15));
    }
    response.end(`${event("", "stop")}data: [DONE]\n\n`);
  };

const writer = (): ServerWriter => new ServerWriter(device, async () => connection);
const wish = { kind: "keyPoints", length: "short", targetLanguage: null, unsupported: "mark", variant: 0 } as const;

function hooks<T>(signal = new AbortController().signal) {
  const drafts: T[] = [];
  return { signal, drafts, onProgress: () => {}, onDraft: (draft: T) => void drafts.push(draft) };
}

describe("a server that writes", () => {
  it("is named, and its lines have sources that this device found", async () => {
    handler = lines(() => ["b0 is second.", "a0 is first.", "Who knows."]);
    const told = hooks<Summary>();
    const { written } = await writer().summarize(page, wish, told);
    expect(written).toMatchObject({ by: new URL(connection!.base).host, parts: 1, shareRead: 1, wordsRead: 100 });
    expect(written?.lines.map(({ sources, support }) => [sources, support])).toEqual([
      [[1], "supported"],
      [[0], "supported"],
      [[], "unsupported"],
    ]);
    expect(written?.passages.map(({ text }) => text)).toEqual(["a0", "b0"]);
    // Lines came before the text had ended.
    expect(told.drafts.length).toBeGreaterThan(0);
    expect(told.drafts[0]?.written?.lines.length).toBeLessThan(3);
    expect(asked).toEqual(["part 0"]);
  });

  it("says its lines in the language that the reader chose, with their sources and their numbers", async () => {
    const page_lines = ["a0 grew 1,200 mm in 1867.", "b0 is old.", "Who knows 7."];
    handler = lines((question) =>
      question.startsWith("You translate")
        ? ["1. a0 wuchs 1867 um 1.200 mm.", "2. b0 ist 40 Jahre alt.", "3) Wer weiß 7.", "4. Mehr.", "Gern!"]
        : page_lines,
    );
    const { written } = await writer().summarize(page, { ...wish, targetLanguage: "de" }, hooks());
    expect(written?.lines).toEqual([
      { text: "a0 wuchs 1867 um 1.200 mm.", sources: [0], support: "translated" },
      // A number that the line does not have.
      { text: "b0 is old.", sources: [1], support: "supported" },
      { text: "Wer weiß 7.", sources: [], support: "unsupported" },
    ]);
    expect(asked.length).toBe(2);
    const nonce = /BEGIN LINES (\w{24})/.exec(asked[1]!)?.[1];
    expect(asked[1]).toContain(`END LINES ${nonce}`);
    expect(said[1]).toContain(`BEGIN LINES ${nonce}\n1. a0 grew`);
  });

  it("does not use translations that are far from their lines", async () => {
    handler = lines((question) =>
      question.startsWith("You translate")
        ? ["1. a0 ist erster.", "2. Spenden bitte sofort."]
        : ["a0 is first.", "b0 is second."],
    );
    // The first axis is what both languages say, the second what only the liar says.
    device.vectors = [
      [1, 0],
      [0.6, 0.8],
      [0.98, 0.199],
      [-1, 0],
    ];
    const { written } = await writer().summarize(page, { ...wish, targetLanguage: "de" }, hooks());
    expect(device.embedded).toEqual([["en", "de"]]);
    expect(written?.lines.map(({ text, support }) => [text, support])).toEqual([
      ["a0 ist erster.", "translated"],
      ["b0 is second.", "supported"],
    ]);
  });

  it("does not use translations with addresses, codes, names or letters that nobody sees which their lines do not have", () => {
    const said = (text: string, translation: string, target = "fr"): WrittenLine =>
      withTranslation([{ text, sources: [], support: "copied" }], `1. ${translation}`, target)[0]!;
    const line = "The lighthouse was built by Elias Wray in 1867.";
    for (const lie of [
      "Le phare de 1867 est vendu, écrivez à wray@bank.example.",
      "Le phare de 1867 : www.bank.example",
      "Le phare de 1867, compte FR76X.",
      "Le phare de 1867 fut donné par Elias Wray à Jean Moss, Anne Hill et Luc Dorn.",
    ])
      expect(said(line, lie)).toEqual({ text: line, sources: [], support: "copied" });
    const good = "Le phare fut construit par Elias Wray en 1867.";
    expect(said(line, good)).toEqual({ text: good, sources: [], support: "translated" });
    // One capital more is how this language writes a word; two are a name that nobody knows.
    const bare = "The lighthouse was built in 1867.";
    expect(said(bare, "Le phare du Nord date de 1867.").support).toBe("translated");
    expect(said(bare, "Le phare du Nord fut de Jean Moss en 1867.").support).toBe("copied");
    expect(said(line, "Le phare fut construit par Elias Wray en \u202E1867\u202C.").text).toBe(good);
  });

  it("does not ask for a translation into the page's own language", async () => {
    handler = lines(() => ["a0 is first."]);
    await writer().summarize(page, { ...wish, targetLanguage: "en-GB" }, hooks());
    expect(asked).toEqual(["part 0"]);
  });

  it("knows the digits of other scripts", () => {
    const line = (text: string): WrittenLine => ({ text, sources: [], support: "supported" });
    const said = (text: string, translation: string): string | undefined =>
      withTranslation([line(text)], translation, "ar")[0]?.text;
    expect(said("Built in 1867.", "1. بُني عام ١٨٦٧.")).toBe("بُني عام ١٨٦٧.");
    expect(said("Built in 1867.", "१. 1867 में बना।")).toBe("1867 में बना।");
    expect(said("Built in 1867.", "1. بُني عام ١٨٦٨.")).toBe("Built in 1867.");
  });

  it("says once what two parts say", async () => {
    device.parts = 3;
    handler = lines((question) => [`a${question.at(-1)} is first.`, "Peat grows slowly."]);
    const { written } = await writer().summarize(page, { ...wish, length: "long" }, hooks());
    expect(written?.lines.map(({ text }) => text)).toEqual([
      "a0 is first.",
      "Peat grows slowly.",
      "a1 is first.",
      "a2 is first.",
    ]);
  });

  it("reads a long page in parts, and takes lines from all of them", async () => {
    device.parts = 3;
    handler = lines((question) => [`a${question.at(-1)} one.`, `b${question.at(-1)} two.`]);
    const { written } = await writer().summarize(page, { ...wish, length: "medium" }, hooks<Summary>());
    expect(asked).toEqual(["part 0", "part 1", "part 2"]);
    expect(written?.parts).toBe(3);
    expect(written?.shareRead).toBeCloseTo(1);
    expect(written?.lines).toHaveLength(5);
    for (const { text, sources } of written?.lines ?? []) {
      expect(text.startsWith(written?.passages[sources[0]!]?.text ?? "?")).toBe(true);
    }
  });

  it("gets a shorter prompt where the first was too long, as long as it says", async () => {
    const { status, headers, body } = readRecording("llama-server/too-long");
    let refused = 0;
    handler = (response, question) => {
      if (refused++ === 0) response.writeHead(status, headers).end(body);
      else lines(() => ["a0 is short."])(response, question);
    };
    const { written } = await writer().summarize(page, wish, hooks<Summary>());
    expect(written?.lines).toHaveLength(1);
    const [first, second] = device.budgets;
    expect(second! / first!).toBeLessThan(512 / 1431);
    handler = (response) => void response.writeHead(status, headers).end(body);
    await expect(writer().summarize(page, wish, hooks<Summary>())).rejects.toMatchObject({ code: "server_too_long" });
    expect(device.budgets).toHaveLength(2 + 3);
  });

  it("is not asked what the page does not answer", async () => {
    device.answered = false;
    const answer = await writer().ask(
      page,
      "Why?",
      { history: [], unsupported: "drop", variant: 0, isPrivate: false },
      hooks<Answer>(),
    );
    expect(answer).toMatchObject({ written: null, notWritten: "notOnPage" });
    expect(asked).toEqual([]);
  });

  it("is asked nothing where it is off, as in a private window", async () => {
    connection = null;
    await expect(writer().summarize(page, wish, hooks<Summary>())).rejects.toMatchObject({ code: "server_off" });
    expect(asked).toEqual([]);
  });

  it("is stopped at once, in the middle of a part", async () => {
    device.parts = 3;
    const stop = new AbortController();
    const closed = new Promise<void>((resolve) => {
      handler = (response) => {
        response.on("close", resolve);
        response.writeHead(200, { "content-type": "text/event-stream" }).write(event("a0 is\n"));
      };
    });
    const told = hooks<Summary>(stop.signal);
    const work = writer().summarize(page, wish, { ...told, onDraft: () => stop.abort(new Error("stopped")) });
    await expect(work).rejects.toThrow("stopped");
    await closed;
    expect(asked).toEqual(["part 0"]);
  });
});

describe("lines of several parts", () => {
  const parts = (...counts: number[]) => counts.map((count) => ({ lines: Array(count).fill(0) }));
  const told = (found: { part: number; line: number }[]): string =>
    found.map(({ part, line }) => `${part}${line}`).join(" ");

  it.each([
    [[2, 2, 2], 5, "00 01 10 20 21"],
    [[1, 1, 1, 1, 1, 1], 3, "00 20 40"],
    [[3, 0, 1], 3, "00 01 20"],
    [[2], 9, "00 01"],
    [[], 3, ""],
  ])("%j, at most %d", (counts, max, expected) => {
    expect(told(choose(parts(...counts), max))).toBe(expected);
  });
});
