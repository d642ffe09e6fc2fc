// Firefox looks at read-backs of WebGPU every 100 ms, unless something is submitted behind them. Here Chromium is made to do so.

import { basename, dirname } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { slowMapsWorker, whatEndedMaps } from "../../harness/slow-maps-worker.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const prompt: Prompt = { type: "ids", ids: [1, 2, 3, 4, 5] };
const write: Request = { type: "generate", model: "text", prompt, maxTokens: 60 };

test("read-backs do not wait for the browser's timer", async ({ page, site, errors }) => {
  test.setTimeout(600_000);
  errors.expect(/./);
  const file = randomModel("small");
  site.mount("/random/", dirname(file));
  const worker = await RawWorker.open(page, site, 240_000);
  const source = { type: "packaged", url: site.url(`/random/${basename(file)}`) } as const;
  const speed = async (script?: string) => {
    await worker.restart(script);
    await worker.get("ok", { type: "ping" });
    await worker.get("loaded", { type: "load", name: "text", source, backend: "webgpu", contextTokens: 128 });
    const before = script ? await whatEndedMaps(page) : null;
    const { ids, stats } = await worker.get("text", write);
    const after = script ? await whatEndedMaps(page) : null;
    const ended = before &&
      after && {
        timer: after.timer - before.timer,
        submission: after.submission - before.submission,
      };
    return { ids, ended, tokensPerSecond: (1000 * (ids.length - 1)) / stats.decodeMs };
  };
  const usual = await speed();
  const slow = await speed(slowMapsWorker(site, { submissionsHelp: false }));
  const helped = await speed(slowMapsWorker(site, { submissionsHelp: true }));
  for (const [what, { tokensPerSecond, ended }] of Object.entries({ usual, slow, helped }))
    console.log(`${what}: ${tokensPerSecond.toFixed(1)} tokens/s, read-backs ended by ${JSON.stringify(ended)}`);
  expect(slow.ids).toEqual(usual.ids);
  expect(helped.ids).toEqual(usual.ids);
  expect(helped.ended!.submission).toBeGreaterThan(0);
  // The timer may come first now and then.
  expect(helped.ended!.timer).toBeLessThanOrEqual(helped.ended!.submission);
  expect(helped.tokensPerSecond).toBeGreaterThan(1.2 * slow.tokensPerSecond);
});
