// The server that fails on purpose fails in just the way that it is told, and counts what it sends.

import { randomBytes } from "node:crypto";
import { test as base, expect } from "@playwright/test";
import { type FaultyFile, type FaultyServer, serveFaulty } from "../../harness/faulty-server.ts";

const test = base.extend<{ faulty: FaultyServer }>({
  faulty: async ({}, use) => {
    const server = await serveFaulty();
    await use(server);
    await server.close();
  },
});

const bytes = randomBytes(300_000);

/** What arrives, and whether the connection ended as it should. */
async function get({ url }: FaultyFile, headers: Record<string, string> = {}, signal: AbortSignal | null = null) {
  const { status, headers: told, body } = await fetch(url, { headers, signal });
  const pieces: Uint8Array[] = [];
  let broken = false;
  try {
    for await (const piece of body!) pieces.push(piece);
  } catch {
    broken = true;
  }
  return { status, told, broken, body: Buffer.concat(pieces) };
}

test("connections are cut and fall silent at a byte, once", async ({ faulty }) => {
  const file = faulty.serve("/model", bytes, { cuts: [100, 200_000], stalls: [250_000] });
  const first = await get(file);
  expect([first.broken, first.body.equals(bytes.subarray(0, 100))]).toEqual([true, true]);
  const second = await get(file, { range: "bytes=100-" });
  expect([second.broken, second.body.equals(bytes.subarray(100, 200_000))]).toEqual([true, true]);
  const third = await get(file, { range: "bytes=200000-" }, AbortSignal.timeout(300));
  expect([third.broken, third.body.equals(bytes.subarray(200_000, 250_000))]).toEqual([true, true]);
  const fourth = await get(file, { range: "bytes=250000-" });
  expect([fourth.broken, fourth.body.equals(bytes.subarray(250_000))]).toEqual([false, true]);
  expect(file.requests.map(({ sent_bytes }) => sent_bytes)).toEqual([100, 199_900, 50_000, 50_000]);
  expect(file.refetched_bytes).toBe(0);
});

test("refusals come in order and end", async ({ faulty }) => {
  const refusals = [
    { status: 429, retryAfter_s: 3 },
    { status: 503, times: 2 },
    { status: 200, since_bytes: 1 },
  ];
  const file = faulty.serve("/model", bytes, { refusals });
  const refused = await get(file);
  expect([refused.status, refused.told.get("retry-after")]).toEqual([429, "3"]);
  expect([(await get(file)).status, (await get(file)).status]).toEqual([503, 503]);
  expect((await get(file)).body.equals(bytes)).toBe(true);
  expect((await get(file)).body.toString()).toContain("<!doctype html>");
  expect((await get(file)).body.equals(bytes)).toBe(true);
  expect(file.sent_bytes, "of the file").toBe(2 * bytes.length);
});

test("ranges, versions and lies", async ({ faulty }) => {
  const file = faulty.serve("/model", bytes);
  const part = async (ifRange?: string) => {
    const { status, told, body } = await get(file, { range: "bytes=5-9", ...(ifRange && { "if-range": ifRange }) });
    return [status, told.get("content-range"), body.length];
  };
  expect(await part()).toEqual([206, "bytes 5-9/300000", 5]);
  const tag = `"${file.sha256}"`;
  expect(await part(tag)).toEqual([206, "bytes 5-9/300000", 5]);
  file.become(randomBytes(1000));
  expect(await part(tag)).toEqual([200, null, 1000]);
  expect((await get(file, { range: "bytes=1000-" })).status).toBe(416);

  const plain = await get(faulty.serve("/plain", bytes, { noRanges: true, noLength: true }), { range: "bytes=5-9" });
  expect([plain.status, plain.told.get("content-length"), plain.body.length]).toEqual([200, null, bytes.length]);
  const long = await get(faulty.serve("/long", bytes, { claims_bytes: 400_000 }));
  expect([long.told.get("content-length"), long.broken, long.body.length]).toEqual(["400000", true, bytes.length]);
  const short = await get(faulty.serve("/short", bytes, { claims_bytes: 200_000 }));
  expect([short.told.get("content-length"), short.broken, short.body.length]).toEqual(["200000", false, 200_000]);
});

test("slow, wrong once, another file, elsewhere", async ({ faulty }) => {
  const slow = faulty.serve("/slow", bytes, { bytesPerS: 600_000 });
  const start_ms = performance.now();
  expect((await get(slow)).body.equals(bytes)).toBe(true);
  expect(performance.now() - start_ms).toBeGreaterThan(400);

  const wrong = faulty.serve("/wrong", bytes, { wrong: [7] });
  const { body } = await get(wrong);
  expect(body[7]).toBe(bytes[7]! ^ 0xff);
  expect((await get(wrong)).body.equals(bytes)).toBe(true);

  const change = { after_bytes: 100_000, bytes: randomBytes(500) };
  const changes = faulty.serve("/changes", bytes, { change });
  const tag = changes.sha256;
  const before = await get(changes);
  expect([before.broken, before.told.get("etag")]).toEqual([true, `"${tag}"`]);
  const after = await get(changes);
  expect([after.body.equals(change.bytes), after.told.get("etag") === `"${tag}"`]).toEqual([true, false]);

  let ticket = 0;
  slow.faults = { admits: (query) => query.get("ticket") === String(ticket) };
  const moved = faulty.serve("/moved", bytes, { redirect: () => `${slow.url}?ticket=${(ticket += 1)}` });
  expect((await get(moved, { range: "bytes=1-2" })).body).toEqual(bytes.subarray(1, 3));
  expect((await get(slow)).status).toBe(403);
});
