// The examples, built as a stranger builds them, with real models: a conversation, JSON of a schema, search, a summary, and an app
// that starts and answers without a network.

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "../../fixtures.ts";
import { MINILM_FILE, ROOT, SMOLLM2_FILE } from "../../harness/paths.ts";
import { serve, type Site } from "../../harness/server.ts";
import { expectAccessible } from "../demo-site/steps.ts";

const NAMES = ["chat", "extraction", "search", "summary", "offline"];
const LINES_MAX = 150;
const BUILT = resolve(ROOT, ".cache/examples");
const MINILM = `/models/${basename(MINILM_FILE)}`;
const SMOLLM2 = `/models/${basename(SMOLLM2_FILE)}`;
/** A model of 135 million values on the CPU of a busy machine. */
const WRITE = { timeout: 180_000 };

test.use({ withExtension: false, freshProfile: true });
test.describe.configure({ timeout: 300_000 });

let built: Site;
test.beforeAll(async () => {
  const vite = resolve(ROOT, "node_modules/vite/bin/vite.js");
  for (const name of NAMES) {
    const args = ["build", resolve(ROOT, "examples", name), "--base", "./", "--outDir", resolve(BUILT, name)];
    await promisify(execFile)(process.execPath, [vite, ...args, "--emptyOutDir", "--logLevel", "warn"]);
  }
  built = await serve({ "/": BUILT, "/models/": resolve(MINILM_FILE, "..") });
});
test.afterAll(() => built.close());

const hasSmolLm = (): void => test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
const address = (name: string, model: string): string => built.url(`/${name}/?model=${model}`);

test("each has fewer than 150 lines", async () => {
  for (const name of NAMES) {
    const folder = resolve(ROOT, "examples", name);
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const texts = await Promise.all(files.map((file) => readFile(resolve(file.parentPath, file.name), "utf8")));
    expect(texts.join("").split("\n").length, name).toBeLessThanOrEqual(LINES_MAX);
  }
});

test("chat: two turns, a stop, and what a screen reader is told", async ({ page }) => {
  hasSmolLm();
  await page.goto(address("chat", SMOLLM2));
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.getByRole("button", { name: /^Load SmolLM2/ }).press("Enter");
  await expect(page.getByRole("status")).toContainText("runs on", WRITE);
  const message = page.getByLabel("Message");
  await expect(message).toBeFocused();
  await message.fill("Name one fruit.");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("status")).toContainText("tokens/s", WRITE);
  const answers = page.locator("#log .assistant");
  await expect(answers.first()).toHaveText(/\w+/);
  await message.fill("Write a very long story about it.");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(answers.nth(1)).toHaveText(/\w+/, WRITE);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("status")).toHaveText("Stopped.");
  await message.fill("Thanks.");
  await page.getByRole("button", { name: "Send" }).click();
  // The turns before were read already.
  await expect(page.getByRole("status")).toContainText(/; [1-9]\d* of the prompt/, WRITE);
  await expectAccessible(page, "example-chat");
});

test("chat: a model that is not there is an error in words, and can be tried again", async ({ page, errors }) => {
  errors.expect(/404/);
  await page.goto(address("chat", "/models/none.gguf"));
  const load = page.getByRole("button", { name: /^Load SmolLM2/ });
  await load.press("Enter");
  await expect(page.getByRole("status")).toContainText("The server refused the download. Check the address");
  await expect(load).toBeEnabled();
  await expect(load).toBeFocused();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
});

test("extraction: the answer meets the schema", { tag: "@long" }, async ({ page }) => {
  hasSmolLm();
  await page.goto(address("extraction", SMOLLM2));
  await page.getByRole("button", { name: /^Extract/ }).click();
  await expect(page.getByRole("status")).toContainText("compare the fields", WRITE);
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const source = await readFile(resolve(ROOT, "examples/extraction/main.ts"), "utf8");
  const schema = new Function(`return ${/const schema = (\{[\s\S]*?\n\});/.exec(source)?.[1]}`)() as object;
  const found = JSON.parse((await page.locator("#output").textContent()) ?? "") as object;
  test.info().annotations.push({ type: "found", description: JSON.stringify(found) });
  expect(ajv.validate(schema, found), ajv.errorsText()).toBe(true);
  await expect(page.locator("#fields dt")).toHaveText(["title", "date", "time", "place", "people"]);
  await expectAccessible(page, "example-extraction");
});

test("search: a note is found by its meaning", { tag: "@long" }, async ({ page }) => {
  await page.goto(address("search", MINILM));
  await page.getByRole("button", { name: /^Read the notes/ }).click();
  await expect(page.getByRole("status")).toHaveText("8 notes can be searched.", WRITE);
  await page.getByRole("searchbox", { name: "Search" }).fill("the heating is loud");
  await page.keyboard.press("Enter");
  await expect(page.locator("#found li").first()).toContainText("The boiler makes a noise", WRITE);
  await expect(page.locator("#found li")).toHaveCount(3);
  await expectAccessible(page, "example-search");
});

test("summary, and a question without a model and with one", { tag: "@long" }, async ({ page }) => {
  await page.goto(address("summary", MINILM));
  await page.getByRole("button", { name: "Summarize" }).click();
  await expect(page.getByRole("status")).toHaveText(/^\d of \d+ sentences\.$/);
  const line = page.locator("#lines a").first();
  await line.click();
  const paragraph = (await page.locator("article :target").textContent()) ?? "";
  expect(paragraph.replace(/\s+/g, " ")).toContain(await line.textContent());
  await page.getByLabel("A question about the article").fill("Does the fridge keep bread fresh?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toContainText("by keywords");
  await page.getByRole("button", { name: /^Load Granite/ }).click();
  await expect(page.getByRole("status")).toContainText("runs on", WRITE);
  await page.getByLabel("A question about the article").press("Enter");
  await expect(page.getByRole("status")).toContainText("by meaning", WRITE);
  await expect(page.locator("#lines a").first()).toContainText(/fridge/);
  await expectAccessible(page, "example-summary");
});

test("offline: the app starts and answers without its server", { tag: "@long" }, async ({ page }) => {
  hasSmolLm();
  const own = await serve({ "/": resolve(BUILT, "offline"), "/models/": resolve(MINILM_FILE, "..") });
  await page.goto(own.url(`/?model=${SMOLLM2}`));
  await page.getByRole("button", { name: /^Download .*\(9\d MB from 127\.0\.0\.1:\d+\)$/ }).click();
  await expect(page.getByRole("status")).toContainText("Ready on", WRITE);
  await expect(page.locator("#app")).toHaveText("stored");
  await own.close();
  await page.goto(own.url("/"));
  await expect(page.getByRole("status")).toContainText("Ready on", WRITE);
  await page.getByLabel("Question").fill("Name one color.");
  await page.getByRole("button", { name: "Ask" }).click();
  await expect(page.getByRole("status")).toContainText("tokens.", WRITE);
  await expect(page.locator("#output")).toHaveText(/\w+/);
  await expectAccessible(page, "example-offline");
});
