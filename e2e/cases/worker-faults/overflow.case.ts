// A stack overflow unwinds the wasm in the middle of anything. Whoever speaks to the worker without the client hears of the
// end of each request, and nothing reaches that memory again.

import { basename, dirname } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { patchedWorker } from "../../harness/patched-worker.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import { randomModel } from "../../helpers/random-model.ts";
import { type Prompt, PROTOCOL_VERSION as version } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

/** The clock's next call overflows the stack, once it is told to. */
function overflow(): void {
  const told = new BroadcastChannel("overflow");
  const { now } = Performance.prototype;
  let wanted = false;
  told.onmessage = () => {
    wanted = true;
    told.postMessage("ready");
  };
  const deeper = (): number => 1 + deeper();
  Performance.prototype.now = function () {
    if (!wanted) return now.call(this);
    wanted = false;
    return deeper();
  };
}

test("a stack overflow ends every request, and the wasm is asked nothing more", async ({ page, site, errors }) => {
  errors.expect(/Maximum call stack size exceeded/);
  const worker = await RawWorker.open(page, site);
  await worker.restart(patchedWorker(site, overflow));
  // Its text takes longer than the case.
  const file = randomModel("modest");
  site.mount("/random/", dirname(file));
  const source = { type: "packaged", url: site.url(`/random/${basename(file)}`) } as const;
  await worker.get("loaded", { type: "load", name: "a", source, backend: "cpu", contextTokens: 2048 });
  const prompt: Prompt = { type: "ids", ids: [1, 2, 3] };
  const generate = { type: "generate", model: "a", prompt, maxTokens: 2000 } as const;
  const running = await worker.start(generate);
  await worker.heard(running, "begun");
  const waiting = await worker.start(generate);
  await worker.heard(waiting, "progress");
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const tell = new BroadcastChannel("overflow");
        tell.onmessage = resolve;
        tell.postMessage(null);
      }),
  );
  for (const id of [running, waiting]) {
    const { error, events } = await worker.ended(id);
    expect(error).toMatchObject({ code: "internal", message: "The AI worker has stopped." });
    expect(error?.detail).toContain("Maximum call stack size exceeded");
    expect(endings(events)).toBe(1);
  }
  const [fatal, ...more] = (await worker.received(0)).filter(({ type }) => type === "fatal");
  expect(fatal).toMatchObject({ error: { code: "internal" } });
  expect(more).toEqual([]);
  // Whatever comes now is refused at once, not answered by what is left of the wasm.
  for (const request of [{ type: "status" }, { type: "ping" }, generate] as const) {
    expect((await worker.ask(request)).error?.code, request.type).toBe("internal");
  }
  await worker.post({ version, id: "x" });
  await expect.poll(async () => (await worker.received(0)).at(-1)?.type).toBe("failed");
});
