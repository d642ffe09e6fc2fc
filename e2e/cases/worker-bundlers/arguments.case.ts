// Arguments that only the worker can judge.

import { servePackage } from "../../bundlers/plain.ts";
import { expect, test } from "../../fixtures.ts";
import { STORY } from "../../helpers/story.ts";

test.use({ withExtension: false });

test("absent options inside of options, and wrong arguments", async ({ page, site }) => {
  const plain = await servePackage();
  plain.handle("/", (_, response) => void response.setHeader("content-type", "text/html").end("<title>client</title>"));
  await page.goto(plain.url("/"));
  const outcomes = await page.evaluate(
    async ([client, packaged]) => {
      const { Pith, PithError } = (await import(client)) as typeof import("../../../web/src/index.ts");
      const wrong = (value: unknown): never => value as never;
      const absent = undefined;
      const pith = await Pith.open({ workerUrl: wrong(absent), timeoutMs: wrong(absent) });
      await pith.load("story", { packaged }, { backend: "cpu", contextTokens: wrong(absent) });
      const write = (options: object) => pith.generate("story", "Once", { maxTokens: 3, ...options }).result;
      const outcome = (call: Promise<unknown>): Promise<string> =>
        call.then(
          () => "done",
          (error: unknown) =>
            error instanceof PithError ? `${error.code}: ${error.detail}` : `thrown: ${String(error)}`,
        );
      return {
        sampling: await outcome(write({ sampling: { temperature: absent, topK: absent, seed: absent } })),
        absent: await outcome(write({ lora: absent, stop: absent, overflow: absent, logprobs: absent })),
        keep: await outcome(write({ overflow: { type: "slide", keep: absent } })),
        settings: await outcome(pith.configure({ idleMs: wrong(absent) })),
        name: await outcome(pith.load(wrong(absent), { packaged })),
        texts: await outcome(pith.embed("story", wrong("a text"))),
        page: await outcome(pith.summarize(wrong(null))),
        question: await outcome(pith.ask({ title: "", blocks: [] } as never, wrong(absent))),
        template: await outcome(pith.applyTemplate(wrong(absent), [])),
        time: await outcome(pith.applyTemplate({ text: "{{ 1 }}" }, [], { now: wrong("never") })),
        number: await outcome(write({ maxTokens: "many" })),
      };
    },
    ["/pith/index.js", site.url(`/reference/${STORY}`)] as const,
  );
  expect(outcomes).toEqual({
    sampling: "done",
    absent: "done",
    keep: "done",
    settings: "done",
    name: expect.stringMatching(/^bad_message: .*expected a string/),
    texts: expect.stringMatching(/^bad_message: .*expected a sequence/),
    page: expect.stringMatching(/^bad_message: /),
    question: expect.stringMatching(/^bad_message: .*expected a string/),
    template: expect.stringMatching(/^bad_message: .*`text`/),
    time: expect.stringMatching(/^bad_message: /),
    number: expect.stringMatching(/^bad_message: .*"many"/),
  });
  await plain.close();
});
