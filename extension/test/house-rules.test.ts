import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a build script without types
import { readMessages } from "../build/messages.mjs";

const messages: Record<string, string> = readMessages("en");
const root = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

function sources(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|html)$/.test(name) && !name.endsWith(".gen.ts") && !name.startsWith("wasm/"))
    .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, "utf8") }));
}

const extension = sources(root("../src"));
const web = [...sources(root("../../web/src")), ...sources(root("../../web/demo"))];
const code = extension.map(({ text }) => text).join("\n");

describe.each([...extension, ...web])("$name", ({ name, text }) => {
  it("sets text as text: page and model output is never parsed as HTML", () => {
    expect(text).not.toMatch(
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|createContextualFragment|srcdoc)\b|document\.write/,
    );
  });

  it("runs nothing from strings, and names no other site", () => {
    expect(text).not.toMatch(/\beval\(|new Function\(/);
    const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
    expect(hosts.filter((host) => host !== "www.w3.org")).toEqual([]);
  });

  it("has no `any` and stays short", () => {
    expect(text).not.toMatch(/(?::|<|\bas|\|) ?any(?:[;,>)[\]}]| =)/);
    expect(text.split("\n").length).toBeLessThanOrEqual(200);
  });

  it("leaves the differences between browsers to platform/", () => {
    if (/platform\/|^background\.firefox/.test(name)) return;
    expect(text).not.toMatch(/chrome\.(?:sidePanel|offscreen)\b|\bsidebarAction\b|\bbrowser\.(?:runtime|tabs|storage)/);
  });
});

// `storage.local` is on the disk, also what a private window writes there.
describe.each(extension.filter(({ name }) => name !== "storage.ts"))("$name", ({ text }) => {
  it("stores nothing but through storage.ts, which knows private windows", () => {
    expect(text).not.toMatch(
      /storage\.(?:local|sync)(?!\.setAccessLevel)|indexedDB\.(?:open|deleteDatabase)|localStorage|caches\.open/,
    );
  });
});

/** Ways to the screen that lead around the cleaner of `ui/dom.ts`. */
const AROUND =
  /\.(?:textContent|innerText|nodeValue|placeholder|ariaLabel|alt) =(?!=)|document\.title =(?!=)|createTextNode|new Text\(|new Option\(|\.(?:append|prepend|replaceChildren|replaceWith|insertAdjacentText)\(|\.(?:before|after)\((?!\w+(?:\.element)?\)|h\()/g;

// What the content script shows in pages are words of our own.
describe.each(extension.filter(({ name }) => !/^(?:content\/|ui\/(?:dom|words)\.ts$)/.test(name)))(
  "$name",
  ({ text }) => {
    it("shows texts through ui/dom.ts, which leaves out what nobody sees", () => {
      expect([...text.matchAll(AROUND)].map(([found]) => found)).toEqual([]);
    });
  },
);

/** Members that a page's names may stand for. `own.ts` reads them from the prototypes. */
const TAKEN =
  /(?<![.\w])document\.\w+|\.(?:childNodes|parentElement|tagName|localName|textContent|innerText|getAttribute|closest|querySelector|checkVisibility|getAnimations|shadowRoot|scroll(?:Left|Top|Width|Height)|client(?:Left|Top|Width|Height)|offset(?:Width|Height))\b/g;

describe.each(
  extension.filter(({ name }) => name.startsWith("content/") && !/^content\/own(?:-media)?\.ts$/.test(name)),
)("$name", ({ text }) => {
  it("reads members of the page's nodes from the prototypes", () => {
    const code = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
    expect([...code.matchAll(TAKEN)].map(([found]) => found)).toEqual([]);
  });
});

describe("messages", () => {
  // A message with number forms counts as one.
  const keys = [...new Set(Object.keys(messages).map((key) => key.replace(/__(?:one|other)$/, "")))];
  const used = new Set(
    [...code.matchAll(/\b(?:tn?|browserWords)\(\s*(?:\w+(?:\.\w+)* === "\w+" \? )?"(\w+)"/g)].map(([, key]) => key),
  );
  /** Built from a part and a value: words for all values are looked for below. */
  const built = /^(?:error|settingsBackend|settingsLength|settingsMarking|settingsUnsupported|kind|use)_/;

  it("has words for every key that the code uses", () => {
    expect(used.size).toBeGreaterThan(20);
    for (const key of used) if (!key?.startsWith("@@")) expect(keys).toContain(key);
  });

  it("has no words that nobody uses", () => {
    const manifest = ["name", "description"];
    const idle = keys.filter((key) => !code.includes(`"${key}"`) && !built.test(key) && !manifest.includes(key));
    expect(idle).toEqual([]);
  });

  it("has a sentence and a way out for every problem with a page", () => {
    const problems = [...code.matchAll(/"(page_[a-z_]+)"/g)].map(([, code]) => code);
    expect(problems.length).toBeGreaterThan(5);
    for (const problem of problems) {
      expect(keys).toContain(`error_${problem}`);
      expect(keys).toContain(`error_${problem}_help`);
    }
  });
});

describe.each(extension.filter(({ name }) => name.startsWith("features/") && !name.endsWith("index.ts")))(
  "$name",
  ({ name, text }) => {
    it("is one feature, called like its file, and says where to try it", () => {
      expect([...text.matchAll(/^export const \w+: Feature = \{\n {2}id: "([\w-]+)"/gm)].map(([, id]) => id)).toEqual([
        basename(name, ".ts"),
      ]);
      expect(text.trimEnd().split("\n").at(-1)).toMatch(/^\/\/ Try it on: /);
    });
  },
);
