// A server of the reader's own writes: prompts and judgement are this device's, and every answer names the server.

import { expect, test as base } from "../../fixtures.ts";
import { ask } from "../../helpers/language-model.ts";
import { type OwnServer, serveOwn } from "../../helpers/own-server.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { markedText, summarize, summaryLines } from "../../helpers/panel.ts";

const test = base.extend<{ own: OwnServer }>({
  own: async ({}, use) => {
    const own = await serveOwn();
    await use(own);
    await own.close();
  },
});

test.beforeEach(({ errors }) => {
  errors.expect(/blocked an inline style/);
  errors.expect(/blocked by CORS policy|Cross-Origin Request Blocked/);
});

test("summaries and answers are judged here, and say who wrote them", async ({
  page,
  site,
  extension,
  context,
  own,
}) => {
  test.setTimeout(240_000);
  await extension.allowHost(own.origin);
  const settings = await context.newPage();
  await settings.goto(extension.url("pages/server/index.html"));
  await settings.getByRole("textbox", { name: "Address" }).fill(own.host);
  await settings.getByRole("button", { name: "Test", exact: true }).click();
  await expect(settings.locator("#result")).toContainText("The test worked", { timeout: 60_000 });
  await settings.getByRole("checkbox").check();
  await settings.getByRole("button", { name: "Turn on" }).click();
  await expect(settings.locator("#state")).toContainText(`On: ${own.host}`);
  own.requests.length = 0;

  await page.goto(lighthouse(site));
  expect(own.requests, "nothing is sent before the page is summarized").toEqual([]);
  own.text = [
    "The lighthouse on Skerry Point was built in 1867 by an engineer from Leith.",
    "Three keepers lived there in turns of six weeks.",
    "The tower of the lighthouse is 93 metres high and was painted blue in 1921.",
  ].join("\n");
  const { panel } = await summarize(context, extension, page);
  const key = await summaryLines(panel);
  const written = panel.locator("#writing");
  await expect(written.locator(".written")).toHaveCount(3, { timeout: 60_000 });
  await expect(written).not.toHaveAttribute("aria-busy");
  const lines = await written.locator(".written").allInnerTexts();
  expect(lines[0]).toContain("built in 1867");
  expect(lines[1]).toContain("six weeks");
  // The page says nothing of the sort: its own closest sentence stands there.
  expect(lines[2]).not.toMatch(/93|1921|blue/);
  await expect(written).toContainText(`Written by ${own.host}`);
  expect(key.length).toBeGreaterThan(0);
  await written.locator(".written:enabled").first().click();
  await expect.poll(() => markedText(page)).toContain("Skerry Point");

  // The prompt has the page between its fences, and nothing else is sent.
  const prompts = own.requests.filter(({ line }) => line === "POST /v1/chat/completions");
  const texts = prompts.map(({ body }) => {
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
    return messages.map(({ content }) => content).join("\n");
  });
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    expect(text).toMatch(/BEGIN PAGE \w{12,}\n[\s\S]*Skerry Point[\s\S]*\nEND PAGE/);
    expect(text).not.toContain(new URL(page.url()).host);
  }

  own.text = "Its lamp first burned rapeseed oil, then paraffin.";
  const answer = await ask(panel, "What did the lamp burn at first?");
  await expect(answer.locator(".written")).toHaveText(/rapeseed oil/, { timeout: 60_000 });
  await expect(answer).toContainText(`Written by ${own.host}`);

  // Where the page does not answer, the server is not asked.
  const before = own.requests.length;
  const none = await ask(panel, "Who won the football championship?");
  await expect(none).toContainText("The page does not seem to say.");
  expect(own.requests.length).toBe(before);

  await settings.locator("#turn-off").click();
  await expect(settings.locator("#state strong")).toHaveText("Off");
});
