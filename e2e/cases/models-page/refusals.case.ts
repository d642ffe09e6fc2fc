// What a hub can answer instead of a model: each has a sentence of its own, and the page stays usable.

import { bytesOf, FAILED_REQUEST } from "../../helpers/downloads.ts";
import { chooseHub, expect, lookUp, openModels, publish, test } from "../../helpers/models-page.ts";

const SENTENCES = [
  [401, "The server wants you to sign in first (401)."],
  [403, "The server does not give this file to you (403)."],
  [404, "The server does not have this file (404)."],
  [429, "The server has had too many requests (429)."],
  [500, "The server has a problem of its own."],
] as const;

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
  const large = faulty.serve("/large.gguf", bytesOf("small"), { claims_bytes: 2e11 });
  const repository = publish(faulty, bytesOf("small"), {}, "ab".repeat(32));
  await openModels(page, extension);
  await chooseHub(page, repository);
  const own = page.locator("#own");
  await lookUp(page, large.url);
  await expect(own).toContainText(/Not enough disk space: it needs 200\sGB, and .* are free\./);

  await lookUp(page, repository.name);
  await expect(own.locator(".model")).toContainText("It fits.");
  await own.getByRole("button", { name: /^(Download|Resume)/ }).click();
  await expect(page.getByRole("alert").first()).toContainText("SHA-256 mismatch");
});
