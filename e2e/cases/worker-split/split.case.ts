// Models in several files: any one address is enough, local files come in any order, and what is wrong is named.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ORACLE_DIR } from "../../harness/paths.ts";
import { type FileSpec, RawWorker } from "../../harness/raw-worker.ts";
import { NMSE_MAX } from "../../helpers/golden.ts";
import { distance, MANIFEST } from "../../helpers/oracle.ts";
import type { Site } from "../../harness/server.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const [SPLIT, EMPTY_FIRST] = MANIFEST.split as [(typeof MANIFEST.split)[0], (typeof MANIFEST.split)[0]];
const FILES = SPLIT.files.map(({ file }) => file);
const BYTES = SPLIT.files.reduce((sum, { bytes }) => sum + bytes, 0);

const load = (source: Extract<Request, { type: "load" }>["source"], backend: "cpu" | "webgl2" = "cpu") =>
  ({ type: "load", name: "a", source, backend, contextTokens: 256 }) as const;

/** Requests for files of this name that were answered from `since` on, by method. */
const asked = (site: Site, since: number, method: string) =>
  site.requests.slice(since).filter((line) => line.startsWith(method) && line.endsWith(".gguf")).length;

for (const backend of ["cpu", "webgl2"] as const) {
  test(
    `by the address of one file on ${backend}: downloaded once, deleted as one`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site }) => {
      const worker = await RawWorker.open(page, site);
      const source = { type: "url", url: site.url(`/oracle/${FILES[1]}?download=true`) } as const;
      const before = site.requests.length;
      const { events, error } = await worker.ask(load(source, backend));
      expect(error).toBeUndefined();
      expect(asked(site, before, "GET")).toBeGreaterThanOrEqual(3);
      const progress = events.flatMap((e) => (e.type === "progress" && e.stage === "download" ? [e] : []));
      expect(progress.at(-1)).toMatchObject({ done: BYTES, total: BYTES });

      const { nmse, greedyEqual } = await distance(worker, "a", SPLIT, SPLIT.prompts);
      expect(nmse).toBeLessThanOrEqual(NMSE_MAX);
      expect(greedyEqual).toBe(true);

      const name = expect.stringMatching(/^llama-split-[0-9a-f]{16}-00001-of-00003\.gguf$/);
      const { stored } = await worker.get("status", { type: "status" });
      const sha256 = SPLIT.files.map(({ sha256 }) => sha256);
      expect(stored).toMatchObject([{ name, bytes: BYTES, totalBytes: BYTES, files: 3, whole: true, sha256 }]);
      await worker.get("ok", { type: "unload", name: "a" });
      const loaded = site.requests.length;
      const first = { type: "url", url: site.url(`/oracle/${FILES[0]}?download=true`) } as const;
      await worker.get("loaded", load(first, backend));
      expect(asked(site, loaded, ""), "requests for files that are stored").toBe(0);
      await worker.get("ok", { type: "delete", name: stored[0]!.name });
      expect((await worker.get("status", { type: "status" })).stored).toEqual([]);
      expect((await worker.ask({ type: "delete", name: stored[0]!.name })).error?.code).toBe("not_stored");
    },
  );
}

test("local files in any order, and packaged ones", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  for (const record of [SPLIT, EMPTY_FIRST]) {
    const specs = record.files.map(({ file }) => ({ url: site.url(`/oracle/${file}`), name: basename(file) }));
    const [one, two, three] = specs as [FileSpec, FileSpec, FileSpec];
    await worker.get("loaded", load({ type: "file" }), three, one, two);
    expect((await distance(worker, "a", record, record.prompts)).nmse).toBeLessThanOrEqual(NMSE_MAX);
    // Renamed ones too: the files themselves say which part they are.
    const renamed = [two, three, one].map((spec, at) => ({ ...spec, name: `${at}.gguf` }));
    await worker.get("loaded", load({ type: "file" }), ...renamed);
    expect((await distance(worker, "a", record, record.prompts)).nmse).toBeLessThanOrEqual(NMSE_MAX);

    const url = site.url(`/oracle/${record.files[2]!.file}`);
    await worker.get("loaded", load({ type: "packaged", url }));
    expect((await distance(worker, "a", record, record.prompts)).nmse).toBeLessThanOrEqual(NMSE_MAX);
  }
});

test("files that are missing or belong elsewhere are refused by name", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const spec = (file: string, name = basename(file)): FileSpec => ({ url: site.url(`/oracle/${file}`), name });
  const [one, two, three] = FILES.map((file) => spec(file)) as [FileSpec, FileSpec, FileSpec];
  const foreign = EMPTY_FIRST.files[1]!.file;
  const rows: [what: string, files: FileSpec[], code: string, detail: RegExp][] = [
    ["the first alone", [one], "parts_missing", /1 of 3 files.* 2, 3$/],
    ["two of three", [three, one], "parts_missing", /2 of 3 files.* 2$/],
    ["one twice", [one, two, two], "wrong_part", /"llama-split-00002-of-00003.gguf" is part 2 of 3, and/],
    ["one too many", [one, two, three, two], "wrong_part", /part 2 of 3/],
    ["another model's", [one, spec(foreign), three], "wrong_part", /llama-split-empty-first-00002/],
    ["another model's, renamed", [one, spec(foreign, "x.gguf"), three], "wrong_part", /tensor/],
    ["a whole model beside it", [one, two, three, spec("models/llama-tied.F16.gguf")], "wrong_part", /part 1 of 1/],
  ];
  for (const [what, files, code, detail] of rows) {
    const { error } = await worker.ask(load({ type: "file" }), ...files);
    expect(error?.code, `${what}: ${error?.detail}`).toBe(code);
    expect(error?.detail, what).toMatch(detail);
  }
  await worker.get("loaded", load({ type: "file" }), one, two, three);
});

test(
  "a file that the server does not have is noticed before the others are downloaded",
  { tag: "@long" },
  async ({ page, site, errors }) => {
    errors.expect(/Failed to load resource/);
    const bytes = await readFile(join(ORACLE_DIR, FILES[0]!));
    site.handle("/gone/m-00001-of-00003.gguf", (_, response) => void response.end(bytes));
    const worker = await RawWorker.open(page, site);
    for (const type of ["url", "packaged"] as const) {
      const before = site.requests.length;
      const { error } = await worker.ask(load({ type, url: site.url("/gone/m-00001-of-00003.gguf") }));
      expect(error?.code, type).toBe("parts_missing");
      expect(error?.detail, type).toContain("/gone/m-00002-of-00003.gguf answered with status 404");
      // Nothing but the first file's header, and the second's that is not there.
      if (type === "url") expect(asked(site, before, "GET")).toBeLessThanOrEqual(2);
    }
    // The address that was given is not there itself.
    const { error } = await worker.ask(load({ type: "url", url: site.url("/gone/m-00001-of-00002x.gguf") }));
    expect(error?.code).toBe("http_status");
    // One file of several under a name that does not tell.
    site.handle("/gone/single.gguf", (_, response) => void response.end(bytes));
    const single = await worker.ask(load({ type: "url", url: site.url("/gone/single.gguf") }));
    expect(single.error?.code).toBe("parts_missing");
  },
);

test("an interrupted download continues with what is missing; each file has its checksum", async ({
  page,
  site,
  faulty,
}) => {
  const files = FILES.map((file, at) =>
    faulty.serve(`/m-0000${at + 1}-of-00003.gguf`, readFileSync(join(ORACLE_DIR, file)), {
      stalls: at === 2 ? Array<number>(99).fill(9000) : [],
    }),
  );
  const sha256 = files.map((file) => file.sha256);
  const from = (sha256: string[]) =>
    ({ type: "download", source: { type: "url", url: files[1]!.url, sha256 } }) as const;
  const worker = await RawWorker.open(page, site);
  const stored = async () => (await worker.get("status", { type: "status" })).stored;
  const id = await worker.start(from(sha256));
  await expect.poll(() => files[2]!.sent_bytes).toBeGreaterThanOrEqual(9000);
  await worker.get("ok", { type: "cancel", target: id });
  expect((await worker.ended(id)).error?.code).toBe("cancelled");
  for (const { whole } of await stored()) expect(whole).toBe(false);
  files[2]!.faults.stalls = [];
  await worker.get("stored", from(sha256));
  expect(await stored()).toMatchObject([{ url: files[0]!.url, bytes: BYTES, files: 3, whole: true, sha256 }]);
  const { name } = (await stored())[0]!;
  expect(await worker.exported(name)).toEqual(sha256);
  await worker.get("loaded", load({ type: "stored", name }));
  expect((await distance(worker, "a", SPLIT, SPLIT.prompts)).nmse).toBeLessThanOrEqual(NMSE_MAX);
  await worker.get("ok", { type: "unload", name: "a" });
  await worker.get("ok", { type: "delete", name });

  const wrong = [sha256[0]!, sha256[0]!, sha256[2]!];
  expect((await worker.ask(from(wrong))).error?.code).toBe("wrong_hash");
  for (const { whole } of await stored()) expect(whole).toBe(false);
});
