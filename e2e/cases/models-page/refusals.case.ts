// What a hub can answer instead of a model: each has a sentence of its own, and the page stays usable.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { knownModels } from "../../../web/src/models.ts";
import { bytesOf, FAILED_REQUEST } from "../../helpers/downloads.ts";
import { llamaSlots, type Tensor, writeLlama } from "../../helpers/gguf.ts";
import { chooseHub, expect, lookUp, openModels, publish, test } from "../../helpers/models-page.ts";

const SENTENCES = [
  [401, "The server wants you to sign in first (401)."],
  [403, "The server does not give this file to you (403)."],
  [404, "The server does not have this file (404)."],
  [429, "The server has had too many requests (429)."],
  [500, "The server has a problem of its own."],
] as const;

/** The header of a model of nearly 1 TiB, for which no disk here has room. */
function enormous(): { header: Buffer; whole_bytes: number } {
  const shape = { width: 8192, inner: 28_672, layers: 500, heads: 64, kvHeads: 8, vocab: 32_000, context: 4096 };
  const tensors = llamaSlots(shape).map(([name, shape, isMatrix]): Tensor => {
    const size_bytes = shape.reduce((a, b) => a * b, 1) * (isMatrix ? 2 : 4);
    return { name, shape, type: isMatrix ? 1 : 0, size_bytes, bytes: () => Buffer.alloc(0) };
  });
  const file = join(mkdtempSync(join(tmpdir(), "pith-header-")), "large.gguf");
  writeLlama(file, shape, tensors);
  const bytes = readFileSync(file);
  rmSync(dirname(file), { recursive: true });
  // Every size is a multiple of the alignment.
  const whole_bytes = tensors.reduce((sum, { size_bytes }) => sum + size_bytes, bytes.length);
  // The weights begin with what is read at once.
  return { header: Buffer.concat([bytes, Buffer.alloc(8 << 20)]), whole_bytes };
}

test("a hub that refuses its list, or the model", async ({ page, extension, faulty, errors }) => {
  test.setTimeout(240_000);
  errors.expect(FAILED_REQUEST);
  const repository = publish(faulty, bytesOf("small"));
  await openModels(page, extension);
  await chooseHub(page, repository);
  const own = page.locator("#own");
  for (const [status, sentence] of SENTENCES) {
    repository.list.faults = { refusals: [{ status, times: 1 }] };
    await lookUp(page, repository.name);
    await expect(own.getByRole("alert")).toContainText(sentence);
    expect(repository.model.requests).toEqual([]);
  }
  for (const [status, sentence] of SENTENCES) {
    repository.model.faults = { refusals: [{ status, times: 99 }] };
    await lookUp(page, repository.name);
    await expect(own.getByRole("alert")).toContainText(sentence, { timeout: 60_000 });
    expect(await own.getByRole("alert").getByRole("button", { name: "Try again" }).count()).toBe(1);
  }
  // Once the server gives it, the same button goes on.
  repository.model.faults = {};
  await own.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await expect(own.locator(".model")).toContainText("It fits.");
});

test("names, answers and files that are none", async ({ page, extension, faulty, errors }) => {
  errors.expect(FAILED_REQUEST);
  const repository = publish(faulty, bytesOf("small"));
  await openModels(page, extension);
  await chooseHub(page, repository);
  const alert = page.locator("#own").getByRole("alert");
  for (const text of ["tiny", "ftp://localhost/model.gguf", "http://example.org/model.gguf", "javascript:alert(1)"]) {
    await lookUp(page, text);
    await expect(alert).toContainText("This is neither an address of a file nor a name on the hub.");
  }
  await lookUp(page, "acme/Tiny-GGUF:Q3_K_S");
  await expect(alert).toContainText("This repository has no such quantization.");
  await alert.getByText("Technical details", { exact: true }).click();
  await expect(alert).toContainText("Q8_0");
  repository.list.bytes = Buffer.from(JSON.stringify([{ type: "file", path: "README.md", size: 1 }]));
  await lookUp(page, repository.name);
  await expect(alert).toContainText("This repository has no GGUF file.");
  repository.list.bytes = Buffer.from("<!doctype html><title>Sign in</title>");
  await lookUp(page, repository.name);
  await expect(alert).toContainText("The hub sent an answer that Pith does not understand.");
});

test("a model that finds no room, and one with another hash than the hub says", async ({
  page,
  extension,
  faulty,
  errors,
}) => {
  errors.expect(FAILED_REQUEST);
  const { header, whole_bytes } = enormous();
  const large = faulty.serve("/large.gguf", header, { claims_bytes: whole_bytes });
  const repository = publish(faulty, bytesOf("small"), {}, "ab".repeat(32));
  await openModels(page, extension);
  await chooseHub(page, repository);
  const own = page.locator("#own");
  await lookUp(page, large.url);
  await expect(own).toContainText(/Not enough disk space: it needs 856\sGB, and .* are free\./);
  // The download checks again, and begins nothing.
  const before = large.sent_bytes;
  await own.getByRole("button", { name: /^(Download|Resume).* from localhost/ }).click();
  await expect(own.locator(".download")).toContainText("Not enough disk space: it needs 856");
  expect(large.sent_bytes - before).toBeLessThanOrEqual(3 << 20);

  await lookUp(page, repository.name);
  await expect(own.locator(".model")).toContainText("It fits.");
  await own.getByRole("button", { name: /^(Download|Resume)/ }).click();
  await expect(page.getByRole("alert").first()).toContainText("SHA-256 mismatch");

  // A known model has its hash in the extension: another file at its address is refused.
  const { source } = knownModels[0]!;
  const other = faulty.serve(new URL(source).pathname, bytesOf("small"));
  await page.getByRole("button", { name: /^Show all/ }).click();
  const known = page.locator("#recommended-list > li", { hasText: "SmolLM2 135M Instruct" });
  await known.getByRole("button", { name: /^Download 105\sMB from localhost/ }).click();
  await expect(known.getByRole("alert")).toContainText("SHA-256 mismatch");
  expect(other.sent_bytes).toBeGreaterThan(0);
});
