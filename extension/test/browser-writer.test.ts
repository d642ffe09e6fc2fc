// The browser's own language model writes: by a stand-in with the interface of the Prompt API, since no browser here has one.
import type { Answer, Page, Summary, WrittenLine } from "@pith/web";
import { beforeEach, describe, expect, it } from "vitest";
import { LanguageModel as OwnLanguageModel } from "../../web/src/built-in/language-model.js";
import {
  type Availability,
  browserAvailability,
  type BrowserModel,
  type BrowserOptions,
  downloadBrowserModel,
  findBrowserModel,
} from "../src/browser-model.js";
import { BrowserWriter } from "../src/host/writers/browser.js";
import { chatInBrowser } from "../src/host/writers/chat.js";
import type { Device, Judged, Prepared } from "../src/host/writers/device.js";

/** `LanguageModel` of a browser: its sessions say what was made ready for them, piece by piece. */
class StandIn {
  static state: Availability = "available";
  static pieces: string[] = [];
  /** One for each of the next prompts. */
  static failures: Error[] = [];
  static created: BrowserOptions[] = [];
  static prompts: string[] = [];
  static open = 0;
  static downloads = 0;
  readonly contextWindow = 6144;

  static availability = async (): Promise<Availability> => StandIn.state;
  static params = async () => ({ defaultTopK: 3, maxTemperature: 2 });
  static async create(options: BrowserOptions = {}): Promise<StandIn> {
    options.signal?.throwIfAborted();
    if (StandIn.state !== "available") {
      StandIn.downloads += 1;
      const monitor = new EventTarget();
      options.monitor?.(monitor);
      for (const loaded of [0.25, 1])
        monitor.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
      StandIn.state = "available";
    }
    StandIn.created.push(options);
    StandIn.open += 1;
    return new StandIn();
  }

  promptStreaming(input: string, { signal }: { signal: AbortSignal }): ReadableStream<string> {
    StandIn.prompts.push(input);
    const pieces = [...StandIn.pieces];
    const failure = StandIn.failures.shift();
    return new ReadableStream({
      async pull(controller) {
        await new Promise((next) => setTimeout(next, 2));
        if (signal.aborted) return controller.error(signal.reason);
        if (failure) return controller.error(failure);
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
  }

  destroy(): void {
    StandIn.open -= 1;
  }
}

/** As a browser's class looks: its code cannot be read. */
function native(value: typeof StandIn): BrowserModel {
  const { availability, create, params } = value;
  return Object.assign(value.bind(null), { availability, create, params }) as unknown as BrowserModel;
}

const model = native(StandIn);
const page = { title: "Moors", blocks: [{ kind: "paragraph", text: "Peat grows slowly." }] } as unknown as Page;

class TestDevice implements Device {
  budgets: number[] = [];
  answered = true;
  summarize = async (): Promise<Summary> =>
    ({ title: "Moors", language: "en", lines: [], written: null, notWritten: null }) as unknown as Summary;
  ask = async (): Promise<Answer> => ({ passages: [], written: null, notWritten: null }) as unknown as Answer;
  async prepare(_: Page, _wanted: unknown, budget_tokens: number): Promise<Prepared> {
    this.budgets.push(budget_tokens);
    const messages = [
      { role: "system" as const, content: "You help." },
      { role: "user" as const, content: "Summarize." },
    ];
    return { messages, answered: this.answered, parts: 1, shareRead: 1, wordsRead: 3 };
  }
  embed = async (): Promise<null> => null;

  async attribute(_: Page, text: string): Promise<Judged> {
    const lines = text.split("\n").filter(Boolean);
    const judge = (line: string): WrittenLine => {
      const isSupported = line.startsWith("Peat");
      return { text: line, sources: isSupported ? [0] : [], support: isSupported ? "supported" : "unsupported" };
    };
    return { lines: lines.map(judge), passages: [] };
  }
}

let device: TestDevice;
beforeEach(() => {
  Object.assign(StandIn, { state: "available", pieces: ["Peat ", "is slow.\nIt", " is red."], failures: [] });
  Object.assign(StandIn, { created: [], prompts: [], open: 0, downloads: 0 });
  device = new TestDevice();
});

const writer = (): BrowserWriter => new BrowserWriter(device, "The browser’s own model", () => model);
const wish = { kind: "keyPoints", length: "short", targetLanguage: null, unsupported: "mark", variant: 0 } as const;
const hooks = (signal = new AbortController().signal) => ({ signal, onProgress: () => {}, onDraft: () => {} });

describe("the browser's model", () => {
  it("is found where the browser has it", () => {
    expect(findBrowserModel({ LanguageModel: model })).toBe(model);
    for (const scope of [{}, { LanguageModel: undefined }, { LanguageModel: {} }])
      expect(findBrowserModel(scope)).toBe(null);
  });

  it("is not what a script has put in its place, ours neither", () => {
    expect(findBrowserModel({ LanguageModel: OwnLanguageModel })).toBe(null);
    expect(findBrowserModel({ LanguageModel: StandIn })).toBe(null);
    expect(findBrowserModel({ LanguageModel: () => "[native code]" })).toBe(null);
  });

  it("that cannot tell whether it can be used cannot be used", async () => {
    expect(await browserAvailability(null)).toBe("unavailable");
    expect(await browserAvailability(model)).toBe("available");
    const broken = { ...model, availability: () => Promise.reject(new Error("no")) } as unknown as BrowserModel;
    expect(await browserAvailability(broken)).toBe("unavailable");
  });

  it("is downloaded with its progress, and leaves no session open", async () => {
    StandIn.state = "downloadable";
    const shares: number[] = [];
    await downloadBrowserModel(model, new AbortController().signal, (share) => shares.push(share));
    expect([StandIn.downloads, StandIn.open, shares]).toEqual([1, 0, [0.25, 1]]);
  });
});

describe("as a writer", () => {
  it("is named, is given the messages, and its lines are judged", async () => {
    const { written } = await writer().summarize(page, wish, hooks());
    expect(written).toMatchObject({ by: "The browser’s own model", backend: { kind: "browser" }, contextTokens: 6144 });
    expect(written?.lines.map(({ text, support }) => [text, support])).toEqual([
      ["Peat is slow.", "supported"],
      ["It is red.", "unsupported"],
    ]);
    const { initialPrompts, temperature, topK } = StandIn.created.at(-1)!;
    expect(initialPrompts).toEqual([{ role: "system", content: "You help." }]);
    expect([temperature, topK]).toEqual([0, 1]);
    expect(StandIn.prompts).toEqual(["Summarize."]);
    expect(StandIn.open).toBe(0);
    // The prompt leaves room for the answer.
    expect(device.budgets[0]).toBeLessThan(6144 - 1000);
  });

  it("draws another text when asked again", async () => {
    await writer().summarize(page, { ...wish, variant: 1 }, hooks());
    const { temperature, topK } = StandIn.created.at(-1)!;
    expect([temperature! > 0, topK]).toEqual([true, 3]);
  });

  it.each(["unavailable", "downloadable", "downloading"] as const)("downloads nothing by itself: %s", async (state) => {
    StandIn.state = state;
    const failure = await writer()
      .summarize(page, wish, hooks())
      .catch((error: { code: string }) => error);
    expect(failure).toMatchObject({ code: "browser_model_gone" });
    expect([StandIn.downloads, StandIn.created.length]).toEqual([0, 0]);
  });

  it("gets a shorter prompt where the first was too long", async () => {
    const tooLong = { name: "QuotaExceededError", requested: 9000, quota: 6000 };
    StandIn.failures = [Object.assign(new Error("too long"), tooLong)];
    const { written } = await writer().summarize(page, wish, hooks());
    expect(written?.lines.length).toBe(2);
    expect(device.budgets.length).toBe(2);
    expect(device.budgets[1]).toBeLessThan(device.budgets[0]!);
    expect(StandIn.open).toBe(0);
  });

  it("says what the browser says when it fails, and ends when it is cancelled", async () => {
    StandIn.failures = [new Error("the device was lost")];
    await expect(writer().summarize(page, wish, hooks())).rejects.toMatchObject({
      code: "browser_model_failed",
      detail: "Error: the device was lost",
    });
    const stop = new AbortController();
    const writing = writer().summarize(page, wish, hooks(stop.signal));
    setTimeout(() => stop.abort(), 3);
    await expect(writing).rejects.toMatchObject({ name: "AbortError" });
    expect(StandIn.open).toBe(0);
  });

  it("answers about selected text, and is stopped where it repeats itself", async () => {
    const scope = globalThis as { LanguageModel?: unknown };
    scope.LanguageModel = model;
    const texts: string[] = [];
    const told = { ...hooks(), onText: (text: string) => void texts.push(text) };
    const turns = [{ role: "user" as const, content: "Explain." }];
    expect(await chatInBrowser("It", turns, told)).toEqual({ text: "Peat is slow.\nIt is red.", ending: "whole" });
    StandIn.pieces = Array.from({ length: 40 }, () => "Peat is slow. ");
    const looped = await chatInBrowser("It", turns, told);
    expect([looped.ending, looped.text]).toEqual(["loop", "Peat is slow. "]);
    expect(StandIn.open).toBe(0);
    delete scope.LanguageModel;
  });
});
