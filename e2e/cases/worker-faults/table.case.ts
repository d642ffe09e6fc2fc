// Servers as the world has them: each file arrives whole, or its error names the cause.

import { createHash } from "node:crypto";
import { expect, test } from "../../fixtures.ts";
import { type Oddity, serveOddly } from "../../harness/odd-servers.ts";
import { serve } from "../../harness/server.ts";
import { bytesOf, FAILED_REQUEST, MIB, openStore, storedModels } from "../../helpers/downloads.ts";
import { type ErrorCode, ERRORS, type ModelSource } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

/** As nginx does with `add_header Access-Control-Allow-Origin *`. */
const NGINX: Oddity = { exposes: "", hidesErrors: true, refuses: ["OPTIONS"] };

let marks = 0;
const another = () => `"${(marks += 1)}"`;
const stallMs = 1000;

interface Row {
  what: string;
  odd: Oddity;
  /** What it fails with; it arrives where absent. */
  code?: ErrorCode;
  /** What the details name. */
  names?: RegExp;
  /** The request names its SHA-256. */
  named?: boolean;
  /** Padded to a length at which the last request goes past the end. */
  padded?: boolean;
  /** A file of several chunks, over several connections. */
  large?: boolean;
}

const ROWS: Row[] = [
  { what: "everything", odd: {}, large: true },
  { what: "nginx", odd: NGINX, large: true },
  { what: "nginx, which is asked for more than there is", odd: NGINX, padded: true },
  { what: "416 that says nothing", odd: { exposes: "" }, padded: true },
  { what: "gzip, ignores ranges", odd: { gzip: true, noRanges: true } },
  { what: "gzip, ignores ranges, hides it", odd: { gzip: true, noRanges: true, exposes: "" } },
  { what: "gzip, cut into ranges", odd: { gzip: true } },
  { what: "gzip, cut into ranges, hides it", odd: { gzip: true, exposes: "" }, large: true },
  { what: "ignores ranges", odd: { noRanges: true } },
  { what: "chunked", odd: { noRanges: true, chunked: true } },
  { what: "chunked parts, hidden", odd: { chunked: true, exposes: "" } },
  { what: "breaks off what asks for a part", odd: { dropsRanges: true } },
  { what: "signs each address anew", odd: { signs: true } },
  { what: "a weak ETag", odd: { etag: () => 'W/"one"' } },
  { what: "no ETag", odd: { etag: () => undefined } },
  { what: "an ETag of its own for each answer, SHA-256 known", odd: { etag: another }, named: true, large: true },
  { what: "an ETag of its own for each answer", odd: { etag: another }, code: "source_changed", names: /mark/ },
  { what: "HEAD refused", odd: { refuses: ["HEAD"] } },
  { what: "429, seconds", odd: { busy: { times: 2, status: 429, retryAfter: () => "1" } } },
  {
    what: "503, a date",
    odd: { busy: { times: 1, status: 503, retryAfter: () => new Date(Date.now() + 2000).toUTCString() } },
  },
  { what: "slow to begin", odd: { delay_ms: 2 * stallMs } },
  { what: "cut after a MiB each time", odd: { cutAfter_bytes: MIB, pause_ms: 2 }, large: true },
  { what: "cut after a MiB each time, hidden", odd: { ...NGINX, cutAfter_bytes: MIB, pause_ms: 2 } },
  { what: "a page to sign in", odd: { page: 200 }, code: "not_gguf" },
  { what: "403", odd: { page: 403 }, code: "http_status", names: /403/ },
  { what: "no leave to read it", odd: { page: 403, hidesErrors: true, refuses: ["GET"] }, code: "network_error" },
];

test("whole with its SHA-256, or the true cause", async ({ page, site: own, errors }) => {
  errors.expect(/Failed to load resource|CORS policy/);
  const worker = await openStore(page, own, "auto", { stallMs });
  const [small, large] = [bytesOf("small"), bytesOf("modest")];
  const padded = Buffer.concat([small, Buffer.alloc(4 * MIB)]).subarray(0, 4 * MIB);
  const rows = await Promise.all(
    ROWS.map(async (row) => {
      const bytes = row.padded ? padded : row.large ? large : small;
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      // Of another origin, and each of its own: a browser has six connections to one.
      const site = await serve({});
      serveOddly(site, "/model.gguf", bytes, row.odd);
      const url = site.url("/model.gguf");
      const source = { type: "url", url, ...(row.named && { sha256: [sha256] }) } satisfies ModelSource;
      return { ...row, site, url, sha256, id: await worker.start({ type: "download", source }) };
    }),
  );
  for (const { what, id, site, url, sha256, code, names = /./ } of rows) {
    const { error } = await worker.ended(id);
    const said = `${what}: ${error?.code}: ${error?.detail}`;
    const stored = (await storedModels(worker)).find((model) => model.url === url);
    if (code) {
      expect.soft(error, said).toMatchObject({ code, ...ERRORS[code] });
      expect.soft(error?.detail, said).toMatch(names);
      expect.soft(stored?.whole ?? false, what).toBe(false);
    } else {
      expect.soft(error, said).toBeUndefined();
      expect.soft(stored, what).toMatchObject({ whole: true, sha256: [sha256] });
    }
    await site.close();
  }
});

test("a part of a model that is not there", async ({ page, site, errors }) => {
  errors.expect(FAILED_REQUEST);
  const worker = await openStore(page, site, "auto");
  serveOddly(site, "/m-00001-of-00002.gguf", bytesOf("small"), {});
  const url = site.url("/m-00001-of-00002.gguf");
  const { error } = await worker.ask({ type: "download", source: { type: "url", url } });
  expect(error, error?.detail).toMatchObject({ code: "parts_missing", ...ERRORS.parts_missing });
});

test("an address that is signed anew is the same file where its SHA-256 is known", async ({ page, site, faulty }) => {
  const worker = await openStore(page, site, "opfs");
  let signature = "1";
  const admits = (query: URLSearchParams) => query.get("sig") === signature;
  const file = faulty.serve("/model.gguf", bytesOf("medium"), { admits, bytesPerS: 12 * MIB });
  const source = (): ModelSource => ({
    type: "url",
    url: `${file.url}?sig=${signature}`,
    sha256: [file.sha256],
  });
  const id = await worker.start({ type: "download", source: source() });
  await worker.reached(id, "download", 10 * MIB);
  await worker.get("ok", { type: "cancel", target: id });
  await worker.ended(id);
  const { sent_bytes } = file;
  delete file.faults.bytesPerS;
  signature = "2";
  const { model } = await worker.get("stored", { type: "download", source: source() });
  expect(model).toMatchObject({ whole: true, sha256: [file.sha256] });
  expect(file.sent_bytes - sent_bytes, "went on").toBeLessThan(file.bytes.length - 6 * MIB);
  signature = "3";
  const { length } = file.requests;
  await worker.get("stored", { type: "download", source: source() });
  expect(file.requests.length, "nothing was asked").toBe(length);
  expect(await storedModels(worker)).toHaveLength(1);
});
