// The worker in a real browser, asked through the client.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Firefox } from "../harness/firefox.ts";
import { launch } from "../harness/launch.ts";
import { ROOT } from "../harness/paths.ts";
import { serve } from "../harness/server.ts";
import { fromBase64, type Rows } from "./score.ts";

export type Backend = "cpu" | "webgpu" | "webgl2";
export type BrowserName = "chromium" | "firefox";

/** What the page answers: a value, or an error of the catalogue. */
export type Answer<T> =
  { value: T; error?: undefined } | { value?: undefined; error: { code: string; detail: string } };

export interface Loaded {
  encoder: boolean;
  backend: { kind: string; device: string; reason: string };
}

export interface Generated {
  text: string;
  ids: number[];
  finish: string;
  stats: Record<string, number>;
}

export type Json = Record<string, unknown>;

/** A template and the tokens that it is given. */
export interface TemplateText {
  text: string;
  bosToken?: string;
  eosToken?: string;
}

export interface TemplateOptions {
  variables: Json;
  /** Year, month from 0, day, hour, minute, second. */
  now?: number[];
}

interface PageCalls {
  load(url: string, options: object): Promise<Answer<Loaded>>;
  unload(): Promise<Answer<null>>;
  tokenize(text: string, options: object): Promise<Answer<number[]>>;
  detokenize(ids: number[], options: object): Promise<Answer<string>>;
  applyTemplate(template: TemplateText, messages: Json[] | null, options: TemplateOptions): Promise<Answer<string>>;
  evaluate(ids: number[], options: object): Promise<Answer<{ rows: number; cols: number; values: string }>>;
  generate(ids: number[], options: object): Promise<Answer<Generated>>;
  embed(texts: string[]): Promise<Answer<number[][]>>;
}

/** Runs one model at a time. */
export interface Subject {
  /** Loads a file of a folder that was mounted. */
  load(url: string, contextTokens?: number): Promise<Answer<Loaded>>;
  unload(): Promise<void>;
  /** With `special` the model's first and last token are added, and control tokens in the text are parsed. */
  tokenize(text: string, special: boolean): Promise<Answer<number[]>>;
  /** Control tokens by name. */
  detokenize(ids: number[]): Promise<Answer<string>>;
  applyTemplate(template: TemplateText, messages: Json[] | null, options: TemplateOptions): Promise<Answer<string>>;
  evaluate(ids: number[], first: number, decode: number[]): Promise<Answer<Rows>>;
  generate(ids: number[], maxTokens: number): Promise<Answer<Generated>>;
  embed(texts: string[]): Promise<Answer<number[][]>>;
  close(): Promise<void>;
}

/** A browser with a page that has the client. */
interface Opened {
  call<Name extends keyof PageCalls>(
    name: Name,
    ...values: Parameters<PageCalls[Name]>
  ): Promise<Awaited<ReturnType<PageCalls[Name]>>>;
  close(): Promise<void>;
}

/**
 * Opens a browser with a page that has the client; `mounts` maps prefixes to folders of models. With `simd128` the worker
 * takes the module without relaxed SIMD.
 */
export async function openSubject(
  backend: Backend,
  browser: BrowserName,
  mounts: Record<string, string>,
  simd128 = false,
): Promise<Subject> {
  const here = resolve(fileURLToPath(import.meta.url), "..");
  const site = await serve({ "/pith/": resolve(ROOT, "web/dist"), "/conformance/": here, ...mounts });
  site.handle("/", (_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      '<!doctype html><title>conformance</title><script type="module" src="/conformance/page.mjs"></script>',
    );
  });
  const { call, close } = await (browser === "firefox" ? inFirefox : inChromium)(site.url(simd128 ? "/#simd128" : "/"));

  return {
    load: (url, contextTokens) =>
      call("load", site.url(url), { backend, ...(contextTokens !== undefined && { contextTokens }) }),
    unload: async () => void (await call("unload")),
    tokenize: (text, special) => call("tokenize", text, { addSpecial: special, parseSpecial: special }),
    detokenize: (ids) => call("detokenize", ids, { special: true }),
    applyTemplate: (template, messages, options) => call("applyTemplate", template, messages, options),
    evaluate: async (ids, first, decode) => {
      const { value, error } = await call("evaluate", ids, { first, decode });
      return error ? { error } : { value: { ...value, values: fromBase64(value.values) } };
    },
    generate: (ids, maxTokens) => call("generate", ids, { maxTokens }),
    embed: (texts) => call("embed", texts),
    close: async () => {
      await close();
      await site.close();
    },
  };
}

async function inChromium(url: string): Promise<Opened> {
  const browser = await launch({ extension: null });
  const page = await browser.context.newPage();
  await page.goto(url);
  await page.waitForFunction("globalThis.conformance !== undefined", undefined, { timeout: 60_000 });
  return {
    /** By name: a closure here would carry the compiler's helpers with it. */
    call: (name, ...values) =>
      page.evaluate(
        ([n, v]) =>
          (globalThis as unknown as { conformance: Record<string, (...v: unknown[]) => unknown> }).conformance[n]!(
            ...v,
          ),
        [name, values] as const,
      ) as Promise<never>,
    close: async () => {
      const errors = browser.errors.unexpected();
      await browser.close();
      if (errors.length > 0) throw new Error(`the browser's console has errors:\n${errors.join("\n")}`);
    },
  };
}

async function inFirefox(url: string): Promise<Opened> {
  const firefox = await Firefox.launch();
  await firefox.goto(url);
  return { call: (name, ...values) => firefox.call("conformance", name, values), close: () => firefox.close() };
}
