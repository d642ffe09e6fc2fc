// Every request ends with exactly one `done` or `failed`, also those that no client would send.

import { expect, test } from "../../fixtures.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import { PROTOCOL_VERSION as version } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const BAD: [name: string, message: unknown, id: number, code: string][] = [
  ["another version", { version: version - 1, id: 900, request: { type: "status" } }, 900, "protocol_version"],
  ["no version", { id: 901, request: { type: "status" } }, 901, "protocol_version"],
  ["an unknown request", { version, id: 902, request: { type: "fly" } }, 902, "bad_message"],
  ["a request without its fields", { version, id: 903, request: { type: "embed" } }, 903, "bad_message"],
  ["a field of a wrong type", { version, id: 904, request: { type: "cancel", target: "x" } }, 904, "bad_message"],
  ["no request", { version, id: 905 }, 905, "bad_message"],
  ["no id", { version, request: { type: "status" } }, 0, "bad_message"],
  ["an id that is no number", { version, id: "7", request: { type: "status" } }, 0, "bad_message"],
  ["a string", "hello", 0, "protocol_version"],
  ["nothing", null, 0, "protocol_version"],
];

test("bad messages are refused with a code, and the worker goes on", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  for (const [name, message, id, code] of BAD) {
    const before = (await worker.received(id)).length;
    await worker.post(message);
    await expect.poll(async () => (await worker.received(id)).length, name).toBe(before + 1);
    const event = (await worker.received(id)).at(-1)!;
    expect(event, name).toMatchObject({ type: "failed", error: { code } });
  }
  const status = await worker.get("status", { type: "status" });
  expect(status).toMatchObject({ models: [], backend: null });
  expect(status.wasmHeapBytes).toBeGreaterThan(0);
});

test("what is nested without end is refused, and the worker goes on", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await worker.get("status", { type: "status" });
  const codes = await page.evaluate(async (version) => {
    const { raw } = globalThis as unknown as { raw: { worker: Worker; nextId: number } };
    const cycle: Record<string, unknown> = {};
    cycle.again = { cycle };
    const deep = (levels: number) => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level += 1) value = { value };
      return value;
    };
    let wide: unknown = 1;
    for (let level = 0; level < 40; level += 1) wide = [wide, wide];
    const refused: Record<string, unknown> = { cycle, wide, deep: deep(300), "as deep as may be": deep(40) };
    const codes: Record<string, string> = {};
    for (const [name, value] of Object.entries(refused)) {
      for (const request of [
        { type: "applyTemplate", template: { type: "text", text: "a" }, messages: null, variables: { value } },
        { type: "status", value },
      ]) {
        const id = raw.nextId++;
        const ended = new Promise<{ type: string; error?: { code: string } }>((resolve) => {
          raw.worker.addEventListener("message", ({ data }) => {
            if (data.id === id && ["done", "failed"].includes(data.event.type)) resolve(data.event);
          });
        });
        raw.worker.postMessage({ version, id, request });
        const { type, error } = await ended;
        codes[`${name} in ${request.type}`] = error?.code ?? type;
      }
    }
    return codes;
  }, version);
  expect(await worker.deaths()).toEqual([]);
  for (const [name, code] of Object.entries(codes))
    expect(code, name).toBe(name.startsWith("as") ? "done" : "bad_message");
  await worker.get("status", { type: "status" });
});

test("what is not there is refused by name", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const codes: [Parameters<RawWorker["ask"]>[0], string][] = [
    [{ type: "embed", model: "absent", texts: ["a"] }, "model_not_loaded"],
    [{ type: "tokenize", model: "absent", text: "a" }, "model_not_loaded"],
    [{ type: "detokenize", model: "absent", ids: [1] }, "model_not_loaded"],
    [{ type: "applyTemplate", template: { type: "model", model: "absent" }, messages: [] }, "model_not_loaded"],
    [{ type: "applyTemplate", template: { type: "text", text: "{% if %}" } }, "bad_template"],
    [{ type: "unload", name: "absent" }, "model_not_loaded"],
    [{ type: "delete", name: "absent.gguf" }, "not_stored"],
    [{ type: "verify", name: "absent.gguf" }, "not_stored"],
    [{ type: "pin", name: "absent.gguf", pinned: true }, "not_stored"],
    [{ type: "export", name: "absent.gguf" }, "not_stored"],
    [{ type: "load", name: "a", source: { type: "stored", name: "absent.gguf" } }, "not_stored"],
    [{ type: "fit", source: { type: "stored", name: "absent.gguf" } }, "not_stored"],
    [{ type: "load", name: "a", source: { type: "file" } }, "bad_message"],
    [{ type: "load", name: "a", source: { type: "packaged", url: site.url("/absent.gguf") } }, "http_status"],
    [{ type: "summarize", page: { title: "Empty", blocks: [] } }, "no_text"],
    [{ type: "ask", page: { title: "Empty", blocks: [] }, question: "Why?" }, "no_text"],
    [{ type: "ask", page: { title: "Empty", blocks: [] }, question: " " }, "bad_message"],
  ];
  for (const [request, code] of codes) {
    const { error, events } = await worker.ask(request);
    expect(error?.code, JSON.stringify(request)).toBe(code);
    expect(error?.message && error.help, code).toMatch(/\.$/);
    expect(endings(events), code).toBe(1);
  }
});

test("text becomes ids and text again; a template shows what a model is given", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url("/reference/models/qwen2.Q8_0.gguf") } as const;
  await worker.ask({ type: "load", name: "a", source, backend: "cpu" });
  const text = "Hello, 你好 <|im_start|>";
  const { ids } = await worker.get("ids", { type: "tokenize", model: "a", text });
  const parsed = await worker.get("ids", { type: "tokenize", model: "a", text, parseSpecial: true });
  expect(parsed.ids.length).toBeLessThan(ids.length);
  expect((await worker.get("plain", { type: "detokenize", model: "a", ids })).text).toBe(text);
  expect((await worker.get("plain", { type: "detokenize", model: "a", ids: parsed.ids })).text).toBe("Hello, 你好 ");
  const messages = [{ role: "user", content: "Hi" }];
  const ownTemplate = { type: "model", model: "a" } as const;
  const own = await worker.get("plain", { type: "applyTemplate", template: ownTemplate, messages });
  expect(own.text).toContain("Hi");
  const given = "{{ messages[0].content }} {{ name }} {{ strftime_now('%Y-%m-%d') }}";
  const told = await worker.get("plain", {
    type: "applyTemplate",
    template: { type: "text", text: given },
    messages,
    variables: { name: "Ann" },
    now: { year: 2026, month: 2, day: 3, hour: 4, minute: 5, second: 6 },
  });
  expect(told.text).toBe("Hi Ann 2026-02-03");
});

test("an id that is in use is refused; requests run in order", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const file = "/reference/models/llama32.F16.gguf";
  const source = { type: "packaged", url: site.url(file) } as const;
  const load = await worker.start({ type: "load", name: "a", source, backend: "cpu" });
  const tokenize = await worker.start({ type: "tokenize", model: "a", text: "Hello world" });
  await worker.post({ version, id: tokenize, request: { type: "status" } });
  await worker.heard(tokenize, "failed");
  expect((await worker.received(tokenize)).find(({ type }) => type === "failed")).toMatchObject({
    error: { code: "duplicate_id" },
  });
  await worker.ended(load);
  await worker.heard(tokenize, "done");
  expect((await worker.received(tokenize)).at(-1)).toMatchObject({ result: { type: "ids" } });
});
