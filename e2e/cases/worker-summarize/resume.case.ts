// A text that was not finished goes on in another worker, where it was.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Page, Request, Resume } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });
test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");

const PAGE: Page = {
  title: "A library of things",
  language: "en",
  blocks: [
    "The city library of Marrow has opened a department in which nothing can be read.",
    "On its shelves lie drills, sewing machines and tents: 340 objects that members may borrow for two weeks.",
    "The city paid 60,000 euros for the first objects; a third of them were donated by residents.",
    "Daily copies are kept for two weeks, weekly copies for three months and monthly ones for two years.",
  ].map((text) => ({ kind: "paragraph" as const, text })),
};

const summarize = (resume: Resume | null): Request => ({
  type: "summarize",
  page: PAGE,
  options: { writer: "language", resume },
});

test("a summary goes on at its second line, in another worker", { tag: "@long" }, async ({ page, site }, info) => {
  test.setTimeout(240_000);
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url(`/models/${basename(SMOLLM2_FILE)}`) } as const;
  const load: Request = { type: "load", name: "language", source, backend: "cpu", contextTokens: 2048 };
  await worker.get("loaded", load);
  const { events, result } = await worker.ask(summarize(null));
  if (result?.type !== "summary") throw new Error("no summary");
  const whole = result.summary.written!;
  expect(whole.lines.length).toBeGreaterThan(2);
  expect(whole.resume).toBeUndefined();
  const drafts = events.flatMap((event) => (event.type === "draft" ? [event.summary.written] : []));
  const { resume } = drafts.find((draft) => draft?.lines.length === 2)!;
  expect(resume!.generations.length).toBeGreaterThanOrEqual(2);

  await worker.restart();
  await worker.get("loaded", load);
  const { written } = (await worker.get("summary", summarize(resume!))).summary;
  expect(written!.lines).toEqual(whole.lines);
  // The prompts of the first two lines were not read again.
  expect(written!.promptTokens).toBeLessThan(whole.promptTokens);
  info.annotations.push({
    type: "resumed",
    description: `${whole.promptTokens} prompt tokens, ${written!.promptTokens} when resumed; ${whole.timeMs} and ${written!.timeMs} ms`,
  });

  // Of another model, or made up, it is not used; too much of it is refused.
  const others: Resume[] = [
    { ...resume!, model: "another" },
    { ...resume!, nonce: "" },
    { ...resume!, generations: resume!.generations.map(({ prompt, ids }) => ({ prompt, ids: [...ids, 4e9] })) },
    { ...resume!, generations: resume!.generations.map(({ ids }) => ({ prompt: 1, ids })) },
  ];
  for (const one of others) {
    const { summary } = await worker.get("summary", summarize(one));
    expect(summary.written!.lines).toEqual(whole.lines);
  }
  const much = { ...resume!, generations: [{ prompt: 1, ids: Array.from({ length: 70_000 }, () => 1) }] };
  expect((await worker.ask(summarize(much))).error?.code).toBe("bad_message");
});
