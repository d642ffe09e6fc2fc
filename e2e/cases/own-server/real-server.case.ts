// The page of the reader's own server on a real llama-server with a real model. A long suite: `cargo xtask test --full`.

import { expect, test } from "../../fixtures.ts";
import { type LlamaServer, llamaServerMissing, startLlamaServer } from "../../harness/llama-server.ts";
import { ask, WRITE_MS, writtenLines } from "../../helpers/language-model.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test.skip(!process.env.PITH_FULL, "a real llama-server: a long suite (cargo xtask test --full)");
const missing = llamaServerMissing();
test.skip(missing !== null, missing ?? "");

let server: LlamaServer;
test.beforeAll(async () => {
  server = await startLlamaServer({ contextTokens: 2048 });
});
test.afterAll(() => server.close());

test("lists its model, writes a sentence, and stops within a second when cancelled", async ({
  context,
  extension,
  errors,
}) => {
  errors.expect(/blocked an inline style/);
  // Chromium tells of answers that are errors: the model may still be loading, and a key is wrong.
  errors.expect(/Failed to load resource/);
  await extension.allowHost(server.origin);
  const page = await context.newPage();
  await page.goto(extension.url("pages/server/index.html"));
  await page.getByRole("textbox", { name: "Address" }).fill(server.origin);
  const key = page.getByLabel("Key (if the server wants one)");
  const test = page.getByRole("button", { name: "Test", exact: true });

  await key.fill("wrong");
  await test.click();
  await expect(page.getByRole("alert")).toContainText(/refuses the key\./);

  await key.fill(server.key);
  await test.click();
  await expect(page.locator("#result")).toContainText("The test worked", { timeout: 90_000 });
  expect((await page.locator("#result q").innerText()).length).toBeGreaterThan(10);
  await expect(page.locator("#model option")).toHaveText(["smollm2-135m-instruct (context of 2,048 tokens)"]);

  // The server says itself that it has stopped.
  expect(await server.working()).toBe(0);
  await test.click();
  await expect(page.locator("#outcome q")).toBeVisible({ timeout: 60_000 });
  expect(await server.working()).toBe(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  const cancelled_ms = Date.now();
  await expect.poll(() => server.working(), { intervals: [20], timeout: 10_000 }).toBe(0);
  expect(Date.now() - cancelled_ms).toBeLessThan(1_000);
});

test("writes a summary and answers questions, which are judged here", async ({
  page,
  site,
  context,
  extension,
  errors,
}, info) => {
  test.setTimeout(4 * WRITE_MS);
  errors.expect(/blocked an inline style/);
  errors.expect(/Failed to load resource/);
  await server.ready();
  await extension.allowHost(server.origin);
  const settings = await context.newPage();
  await settings.goto(extension.url("pages/server/index.html"));
  await settings.getByRole("textbox", { name: "Address" }).fill(server.origin);
  await settings.getByLabel("Key (if the server wants one)").fill(server.key);
  await settings.getByRole("button", { name: "Test", exact: true }).click();
  await expect(settings.locator("#result")).toContainText("The test worked", { timeout: 90_000 });
  await settings.getByRole("checkbox").check();
  await settings.getByRole("button", { name: "Turn on" }).click();
  await expect(settings.locator("#state")).toContainText("On:");

  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const writing = panel.locator("#writing");
  await expect(writing.locator(".written, .reason:visible").first()).toBeVisible({ timeout: WRITE_MS });
  const told = { summary: await writtenLines(writing), answers: [] as string[][] };
  expect(told.summary.length).toBeGreaterThan(0);
  await expect(writing).toContainText(`Written by ${new URL(server.origin).host}`);
  for (const question of ["Where did the keepers live?", "What did the lamp burn?"]) {
    const answer = await ask(panel, question);
    told.answers.push(await writtenLines(answer));
    await expect(answer).toContainText(/Written by 127\.0\.0\.1|Nothing on this page|supported by the page/);
  }
  await info.attach("what it wrote", { body: JSON.stringify(told, null, 1), contentType: "application/json" });
  await settings.locator("#turn-off").click();
  await expect(settings.locator("#state strong")).toHaveText("Off");
});
