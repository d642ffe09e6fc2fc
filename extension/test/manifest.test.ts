import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a build script without types
import { manifestFor, merge } from "../build/manifest.mjs";
// @ts-expect-error: a build script without types
import { readMessages } from "../build/messages.mjs";

const messages: Record<string, string> = readMessages("en");
const BROWSERS = ["chrome", "firefox"] as const;

interface Manifest {
  permissions: string[];
  [key: string]: unknown;
}

/** The table of manifest/permissions.md: name, browser, sentence. */
function documented(): { name: string; browser: string; why: string }[] {
  const text = readFileSync(new URL("../../manifest/permissions.md", import.meta.url), "utf8");
  return [...text.matchAll(/^\| `(\w+)` \| (\w+) \| (.+) \|$/gm)].map(([, name = "", browser = "", why = ""]) => ({
    name,
    browser: browser.toLowerCase(),
    why,
  }));
}

describe.each(BROWSERS)("the manifest for %s", (browser) => {
  const manifest: Manifest = manifestFor(browser, "1.2.3");

  it("asks for exactly the permissions that are documented", () => {
    const wanted = documented().filter((one) => one.browser === "all" || one.browser === browser);
    expect([...manifest.permissions].sort()).toEqual(wanted.map(({ name }) => name).sort());
  });

  it("has no host at installation, asks for single ones later, and lets nothing remote run", () => {
    expect(Object.keys(manifest)).not.toContain("host_permissions");
    expect(manifest["optional_host_permissions"]).toEqual(["http://*/*", "https://*/*"]);
    expect(Object.keys(manifest)).not.toContain("content_scripts");
    expect(Object.keys(manifest)).not.toContain("web_accessible_resources");
    expect(manifest["content_security_policy"]).toEqual({
      extension_pages:
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
  });

  it("says what it does in private windows, and why", () => {
    const text = readFileSync(new URL("../../manifest/permissions.md", import.meta.url), "utf8");
    expect(text.toLowerCase()).toContain(`| ${browser} | \`${String(manifest["incognito"])}\` | `);
  });

  it("has its version, and words for every name it uses", () => {
    expect(manifest["version"]).toBe("1.2.3");
    const used = [...JSON.stringify(manifest).matchAll(/__MSG_(\w+)__/g)].map(([, key]) => key);
    expect(used.length).toBeGreaterThan(1);
    expect(Object.keys(messages)).toEqual(expect.arrayContaining(used));
  });
});

it.each(["sidepanel/index.html", "pages/welcome/index.html"])("%s connects to nothing itself", (file) => {
  const html = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
  expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="connect-src 'self'" />`);
});

it("asks for a host at few places, each at a click: a model, a PDF file in either browser, an own server", () => {
  const sources = readdirSync(new URL("../src", import.meta.url), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts"),
  );
  const asking = sources.filter((name) =>
    readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8").includes("permissions.request"),
  );
  expect(asking.sort()).toEqual([
    "models/permission.ts",
    "pages/pdf/main.ts",
    "pages/server/switch.ts",
    "platform/firefox.ts",
  ]);
});

it("documents each permission once, in one sentence", () => {
  const rows = documented();
  expect(rows.length).toBeGreaterThan(3);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  for (const { why } of rows) expect(why).toMatch(/^[A-Z][^.]+\.$/);
});

/** Of the menus that Firefox has in the languages of the extension: with Alt, Shift or not, one opens its menu. */
const MENU_KEYS = "ABCDEFGHLMNOPSTUVWXYZ";

it.each(BROWSERS)("the shortcut for %s opens no menu of Firefox", (browser) => {
  const { commands } = manifestFor(browser, "1") as {
    commands: Record<string, { suggested_key: { default: string } }>;
  };
  const shortcuts = Object.values(commands).map((command) => command.suggested_key.default);
  expect(shortcuts.length).toBeGreaterThan(0);
  for (const shortcut of shortcuts) expect(MENU_KEYS).not.toContain(shortcut.at(-1));
});

it.each([
  ["keys of both", { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ["the overlay's value", { a: 1 }, { a: 2 }, { a: 2 }],
  ["lists added up", { a: ["x"] }, { a: ["y", "x"] }, { a: ["x", "y"] }],
  ["nested objects", { a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
])("merging gives %s", (_, base, overlay, merged) => {
  expect(merge(base, overlay)).toEqual(merged);
});
