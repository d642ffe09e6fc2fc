import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a build script without types
import { REPLACED, withReplaced } from "../build/libraries.mjs";
// @ts-expect-error: a build script without types
import { manifestFor } from "../build/manifest.mjs";
// @ts-expect-error: a build script without types
import { readMessages } from "../build/messages.mjs";
import { SELECTION_CHARS_MAX } from "../src/actions.js";
import { BYTES_MAX, ENTRIES_MAX } from "../src/history/store.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, "utf8");
const store = (name: string): string => read(`extension/store/${name}`);

/** What the two stores allow, in characters. */
const LIMITS = { name: 50, summary: 132, description: 15_000 };

const languages = readdirSync(`${ROOT}/extension/src/messages`).filter((name) => name !== "en_GB");

function listing(language: string) {
  const [name = "", summary = "", blank, ...rest] = store(`listing/${language}.txt`).split("\n");
  return { name, summary, blank, lines: rest, description: rest.join("\n").trim() };
}

const english = listing("en");

it("has a listing in every language of the extension, and no other", () => {
  expect(languages.length).toBe(13);
  expect(readdirSync(`${ROOT}/extension/store/listing`).sort()).toEqual(languages.map((name) => `${name}.txt`).sort());
});

describe.each(languages)("the listing in %s", (language) => {
  const { name, summary, blank, lines, description } = listing(language);

  it("has the manifest's name and summary, within the stores' limits", () => {
    const messages: Record<string, string> = readMessages(language);
    expect({ name, summary, blank }).toEqual({ name: messages["name"], summary: messages["description"], blank: "" });
    expect(name.length).toBeLessThanOrEqual(LIMITS.name);
    expect(summary.length).toBeLessThanOrEqual(LIMITS.summary);
    expect(description.length).toBeLessThanOrEqual(LIMITS.description);
  });

  it("says what the English one says, line by line, as plain text", () => {
    const kinds = (text: string[]): string[] =>
      text.map((line) => (line === "" ? "" : line.startsWith("- ") ? "-" : "a"));
    expect(kinds(lines)).toEqual(kinds(english.lines));
    expect(description).not.toMatch(/<|>|\*\*|https?:/);
    const names = [
      "Pith",
      "GGUF",
      "PDF",
      "Markdown",
      "JSON",
      "llama-server",
      "vLLM",
      "Ollama",
      "LM Studio",
      "MIT",
      "Apache-2.0",
    ];
    for (const word of names) expect(description, word).toContain(word);
    const { commands } = JSON.parse(read("manifest/base.json")) as typeof import("../../manifest/base.json");
    const letter = commands._execute_action.suggested_key.default.at(-1);
    expect(description).toMatch(new RegExp(`Alt\\+\\p{L}+\\+${letter}`, "u"));
  });

  it("states the numbers of this version", () => {
    const { models } = JSON.parse(read("web/models.json")) as { models: { bytes: number }[] };
    const sizes = models.map(({ bytes }) => bytes);
    const largest = (Math.max(...sizes) / 1e9).toFixed(1);
    expect(description).toContain(String(Math.round(Math.min(...sizes) / 1e6)));
    expect(description.replaceAll(",", ".")).toContain(largest);
    expect(description).toContain(String(languages.length));
  });
});

interface Manifest {
  permissions: string[];
  optional_host_permissions: string[];
  browser_specific_settings?: { gecko: { data_collection_permissions: Record<"required" | "optional", string[]> } };
}

it.each(["chrome", "firefox"])("gives each permission of the manifest for %s its sentence, and no other", (browser) => {
  const manifest: Manifest = manifestFor(browser, "1.2.3");
  const rows = [...read("manifest/permissions.md").matchAll(/^\| `([^`]+)` \| (\w+) \| ([A-Z].+\.) \|$/gm)];
  const here = rows.filter(([, , which = ""]) => ["all", browser].includes(which.toLowerCase()));
  const asked = [...manifest.permissions, ...manifest.optional_host_permissions];
  expect(here.map(([, name]) => name).sort()).toEqual(asked.sort());
});

it("declares to Firefox's users what firefox.md declares to its store", () => {
  const manifest: Manifest = manifestFor("firefox", "1.2.3");
  const rows = [...store("firefox.md").matchAll(/^\| `(required|optional)` \| `(\w+)` \| [A-Z].+\. \|$/gm)];
  const declared = Object.fromEntries(rows.map(([, key, value]) => [key, [value]]));
  expect(manifest.browser_specific_settings?.gecko.data_collection_permissions).toEqual(declared);
});

it("answers Chrome's form for each type of data, with a reason for each yes", () => {
  const section = store("chrome.md").split("## Data use")[1]?.split("Certify")[0] ?? "";
  const rows = [...section.matchAll(/^\| ([a-z ]+) \| (yes|no) \| (.*)\|$/gm)];
  expect(rows.map(([, type]) => type)).toEqual([
    "personally identifiable information",
    "health information",
    "financial and payment information",
    "authentication information",
    "personal communications",
    "location",
    "web history",
    "user activity",
    "website content",
  ]);
  for (const [, , answer, why = ""] of rows) if (answer === "yes") expect(why.trim()).toMatch(/^[A-Z].+\.$/);
});

it("states the limits of what is stored as the code has them", () => {
  const policy = store("privacy.md");
  expect(policy).toContain(`${ENTRIES_MAX.toLocaleString("en")} pages or ${BYTES_MAX / 2 ** 20} MiB`);
  expect(policy).toContain(`at most ${SELECTION_CHARS_MAX.toLocaleString("en")} characters`);
  expect(policy).toContain(`the last ${/COUNT_MAX = (\d+)/.exec(read("extension/src/models/origins.ts"))?.[1]} model`);
});

describe("the build instructions", () => {
  const text = store("source.md");

  it("name the libraries in the versions that are bundled", () => {
    const { dependencies } = JSON.parse(read("extension/package.json")) as { dependencies: Record<string, string> };
    for (const [name, version] of Object.entries(dependencies))
      if (!name.startsWith("@pith/")) expect(text).toContain(`npm \`${name}\` ${version}`);
  });

  it("and the other texts name files that exist", () => {
    const all = ["source.md", "firefox.md", "chrome.md", "README.md"].map(store).join("\n");
    const paths = [...all.matchAll(/\b(?:extension|xtask|manifest|docs|engine|worker)\/[\w./-]*\w/g)].map(
      ([path]) => path,
    );
    const own = paths
      .filter((path) => !path.startsWith("extension/dist"))
      .map((path) => path.replace("LANGUAGE", "en"));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
  });

  it("have links by https alone", () => {
    const all = readdirSync(`${ROOT}/extension/store`).filter((name) => name.endsWith(".md"));
    const links = all.flatMap((name) => [...store(name).matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link));
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(link).toMatch(/^https:\/\/[\w./-]+$/);
  });
});

describe.each(Object.keys(REPLACED as object))("%s as the extension ships it", (file) => {
  it("makes no code and no markup from strings, and imports no computed address", () => {
    const code: string = withReplaced(file, readFileSync(createRequire(import.meta.url).resolve(file), "utf8"));
    expect(code).not.toMatch(/\b(?:eval|Function)\((?:'|"|`)|\.(?:inner|outer)HTML\s*=[^=]/);
    expect(code.replaceAll(/await import\("\$\{/g, "")).not.toMatch(/\bimport\(/);
  });
});

it("takes no more pictures than the Chrome Web Store shows, in its size", () => {
  const pictures = [...read("e2e/store/screenshots.case.ts").matchAll(/^test\("(\d)-/gm)].map(([, number]) => number);
  expect(pictures).toEqual(["1", "2", "3", "4", "5"]);
  expect(read("e2e/store/compose.ts")).toContain("SIZE = { width: 1280, height: 800 }");
});
