// Servers that refuse, stall, lie, move and change their files: the file arrives all the same, or the reason is named.

import { expect, test } from "../../fixtures.ts";
import { type Faults, serveFaulty } from "../../harness/faulty-server.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import {
  bytesOf,
  configure,
  download,
  empty,
  expectLittleRefetched,
  expectWhole,
  FAILED_REQUEST,
  MIB,
  openStore,
  storedModels,
  tellRefetched,
} from "../../helpers/downloads.ts";
import { type ErrorCode, ERRORS } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

test.beforeEach(({ errors }) => errors.expect(FAILED_REQUEST));

const half = 4 * MIB + 12_345;

/** Slow enough that little waits in buffers. */
const bytesPerS = 8 * MIB;

/** What the file survives, and how often it interrupts. */
const SURVIVED: [fault: string, interruptions: number, faults: () => Faults][] = [
  ["no ETag", 1, () => ({ tag: "none", cuts: [half] })],
  ["a date instead of an ETag", 1, () => ({ tag: "date", cuts: [half] })],
  ["silence", 2, () => ({ stalls: [half, 6 * MIB] })],
  ["416 once", 1, () => ({ refusals: [{ status: 416 }] })],
  ["500 midway", 1, () => ({ cuts: [half], refusals: [{ status: 500, since_bytes: half }] })],
  ["503 twice", 2, () => ({ refusals: [{ status: 503, times: 2 }] })],
  ["a sign-in page midway", 1, () => ({ cuts: [half], refusals: [{ status: 200, since_bytes: half }] })],
  // The request that reads the header is cut short by the worker itself.
  ["no ranges", 1, () => ({ noRanges: true, bytesPerS })],
  ["no ranges, no length", 1, () => ({ noRanges: true, noLength: true, bytesPerS })],
];

test("survived: refusals, silence, and what servers cannot do", async ({ page, site, faulty }, info) => {
  const worker = await openStore(page, site, "auto", { stallMs: 1500 });
  for (const [fault, interruptions, faults] of SURVIVED) {
    await test.step(fault, async () => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), faults());
      await worker.get("stored", download(file));
      const { cuts = [], stalls = [], refusals = [] } = file.faults;
      expect([cuts, stalls, refusals], `${fault}: what did not happen`).toEqual([[], [], []]);
      await expectWhole(worker, file);
      await expectLittleRefetched(info, fault, "opfs", file, interruptions);
      await empty(worker);
    });
  }
});

test("survived: a connection without ranges that breaks begins again", async ({ page, site, faulty }, info) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"), { noRanges: true, cuts: [half], bytesPerS });
  const worker = await openStore(page, site, "auto");
  await worker.get("stored", download(file));
  await expectWhole(worker, file);
  // Nothing else is possible than to read again what was there.
  expect(await tellRefetched(info, "no ranges, cut", "opfs", file, 1)).toBeLessThanOrEqual(half + 2 * MIB);
});

test("survived: 429, asked again when the server says", async ({ page, site, faulty }, info) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"), { refusals: [{ status: 429, retryAfter_s: 2 }] });
  const worker = await openStore(page, site, "auto");
  const id = await worker.start(download(file));
  await worker.reached(id, "retry");
  expect((await worker.ended(id)).error).toBeUndefined();
  const [refused, next] = file.requests;
  expect(next!.at_ms - refused!.at_ms).toBeGreaterThanOrEqual(1990);
  expect(next!.at_ms - refused!.at_ms).toBeLessThan(5000);
  await expectWhole(worker, file);
  await expectLittleRefetched(info, "429", "opfs", file, 1);
});

test("survived: addresses on another host, each good for one request", async ({ page, site, faulty }, info) => {
  const other = await serveFaulty("127.0.0.1");
  const good = new Set<string>();
  const blob = other.serve("/blob", bytesOf("modest"), {
    cuts: [half],
    admits: (query) => good.delete(query.get("ticket") ?? ""),
  });
  const redirect = () => {
    const ticket = String(Math.random());
    // Its preflight does not count.
    good.add(ticket);
    return `${blob.url}?ticket=${ticket}`;
  };
  const file = faulty.serve("/model.gguf", blob.bytes, { redirect });
  const worker = await openStore(page, site, "auto");
  await worker.get("stored", download(file));
  await expectWhole(worker, file);
  expect(blob.requests.map(({ status }) => status)).not.toContain(403);
  await expectLittleRefetched(info, "redirect to another host, cut", "opfs", blob, 1);
  await other.close();
});

/** What ends a download at once. */
const REFUSED: [fault: string, faults: () => Faults, code: ErrorCode][] = [
  ["404", () => ({ refusals: [{ status: 404 }] }), "http_status"],
  ["401", () => ({ refusals: [{ status: 401 }] }), "http_status"],
  ["403", () => ({ refusals: [{ status: 403 }] }), "http_status"],
  ["410", () => ({ refusals: [{ status: 410 }] }), "http_status"],
  ["a sign-in page", () => ({ refusals: [{ status: 200, times: Infinity }] }), "not_gguf"],
  ["a length that is too short", () => ({ claims_bytes: 6 * MIB }), "truncated"],
  ["a length that is too short, no ranges", () => ({ claims_bytes: 6 * MIB, noRanges: true }), "truncated"],
];

test("refused at once, by name", async ({ page, site, faulty }) => {
  const worker = await openStore(page, site, "auto");
  for (const [fault, faults, code] of REFUSED) {
    const file = faulty.serve(`/${fault}.gguf`.replaceAll(" ", "-"), bytesOf("modest"), faults());
    const { error } = await worker.ask(download(file));
    expect(error, `${fault}: ${error?.detail}`).toMatchObject({ code, ...ERRORS[code] });
    // A length that contradicts the header may be that of a compressed file: it is read to its end, which is 6 MiB in, and once more.
    expect(file.sent_bytes, fault).toBeLessThanOrEqual(13 * MIB);
    expect(
      (await storedModels(worker)).filter(({ whole }) => whole),
      fault,
    ).toEqual([]);
    // Once the server has mended its ways the file arrives.
    if (code !== "http_status") continue;
    await worker.get("stored", download(file));
    const { name } = await expectWhole(worker, file);
    await worker.get("ok", { type: "delete", name });
  }
});

test("given up after six attempts that came to nothing", { tag: "@long" }, async ({ page, context, site, faulty }) => {
  test.slow();
  const rows: [fault: string, faults: Faults, code: ErrorCode][] = [
    ["503", { refusals: [{ status: 503, times: Infinity }] }, "http_status"],
    ["a length that is too long", { claims_bytes: 12 * MIB }, "download_incomplete"],
    ["silence", { stalls: Array<number>(99).fill(half) }, "download_incomplete"],
    ["closed at once", { cuts: Array<number>(99).fill(0) }, "download_incomplete"],
  ];
  await openStore(page, site, "auto");
  // Each in a tab of its own, so that they wait at the same time.
  const ends = rows.map(async ([fault, faults, code]) => {
    const file = faulty.serve(`/${fault}.gguf`.replaceAll(" ", "-"), bytesOf("modest"), faults);
    const worker = await RawWorker.open(await context.newPage(), site);
    await configure(worker, { stallMs: 500 });
    const { error } = await worker.ask(download(file));
    expect(error, `${fault}: ${error?.detail}`).toMatchObject({ code, ...ERRORS[code] });
    expect(file.requests.length, fault).toBeGreaterThanOrEqual(6);
  });
  await Promise.all(ends);
});
