// PDF files that cannot be read, or not at once: each says so in its own words, with what to do.

import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "../../fixtures.ts";
import { openFile, openAddress } from "../../helpers/pdf-page.ts";
import { choose, closeRealPanel, openPanel, press, summaryLines } from "../../helpers/panel.ts";
import { printPdf, writePdf } from "../../helpers/pdf.ts";

const LINES = [
  "The lighthouse of Cape Ortegal was lit for the first time in nineteen eighty-four.",
  "Before that, ships steered by a bell that the keeper of the chapel rang in fog.",
  "The lamp stands a hundred and twenty-two metres above the sea and shows one flash every eight seconds.",
];

/** A server that lets the extension's pages read its answers, as one with CORS does. */
const answer =
  (status: number, body: string | Buffer = "") =>
  ({ headers }: IncomingMessage, response: ServerResponse): void => {
    response.setHeader("access-control-allow-origin", headers.origin ?? "*");
    response.setHeader("access-control-allow-credentials", "true");
    response.writeHead(status, { "content-type": "application/pdf" }).end(body);
  };

for (const [status, words, help] of [
  [401, "The site does not let Pith load this PDF.", "Sign in on the site"],
  [403, "The site does not let Pith load this PDF.", "Sign in on the site"],
  [404, "There is no PDF at this address.", "Check the address"],
  [500, "The site answered with an error instead of the PDF.", "Try again later"],
] as const) {
  test(`a site that answers ${status}`, async ({ site, context, extension, errors }) => {
    errors.expect(/Failed to load resource/);
    site.handle(`/answer-${status}.pdf`, answer(status));
    const page = await openAddress(context, extension, site.url(`/answer-${status}.pdf`));
    await expect(page.getByRole("alert")).toContainText(words);
    await expect(page.getByRole("alert")).toContainText(help);
    site.handle(`/answer-${status}.pdf`, answer(200, writePdf([LINES])));
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.locator(".text-layer")).toContainText("Cape Ortegal");
  });
}

test("a site that was not opened to Pith is asked for by name", async ({ site, context, extension, errors }) => {
  errors.expect(/CORS|Cross-Origin|Failed to load resource/i);
  site.handle("/closed.pdf", (_, response) => void response.end(writePdf([LINES])));
  const address = site.url("/closed.pdf");
  const page = await openAddress(context, extension, address);
  await expect(page.getByRole("alert")).toContainText("Pith may not load this PDF from its site yet.");
  await expect(page.getByRole("button", { name: `Allow access to ${new URL(address).host}` })).toBeVisible();
});

for (const [name, address, words] of [
  ["an address without https", "http://papers.example/a.pdf", "Pith loads PDF files over https only."],
  ["a file by its address", "file:///tmp/a.pdf", "does not let Pith open a file of this computer by its address"],
  ["no address at all", "paper", "There is no PDF at this address."],
] as const) {
  test(name, async ({ context, extension }) => {
    const page = await openAddress(context, extension, address);
    await expect(page.getByRole("alert")).toContainText(words);
  });
}

test("a file that is no PDF, a damaged one, and then one that opens", async ({ context, extension }) => {
  const page = await openFile(context, extension, "page.pdf", Buffer.from("<!doctype html><p>Not found"));
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("This is not a PDF file.");
  const file = (buffer: Buffer) => ({ name: "a.pdf", mimeType: "application/pdf", buffer });
  await page.locator("#file").setInputFiles(file(Buffer.from("%PDF-1.7\n1 0 obj nothing of use")));
  await expect(alert).toContainText("This PDF is damaged and cannot be opened.");
  await page.locator("#file").setInputFiles(file(writePdf([LINES])));
  await expect(alert).toHaveCount(0);
  await expect(page.locator(".text-layer")).toContainText("Cape Ortegal");
});

test("a password is asked for, and again where it is wrong", async ({ context, extension }) => {
  await choose(extension);
  const page = await openFile(context, extension, "secret.pdf", writePdf([LINES], "lamp"));
  await expect(page.getByText("This PDF is protected by a password")).toBeVisible();
  await expect(page.getByLabel("Password")).toBeFocused();
  await page.getByLabel("Password").fill("fog");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("This password is wrong.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("This PDF needs its password.");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel("Password").fill("lamp");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.locator(".text-layer")).toContainText("Cape Ortegal");
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const panel = await openPanel(context, extension, tab);
  expect((await summaryLines(panel)).join(" ")).toContain("Cape Ortegal");
});

test("pictures of text are no text", async ({ context, extension }) => {
  const scanned = await printPdf(`<canvas width=600 height=300></canvas><script>
    const pen = document.querySelector("canvas").getContext("2d");
    pen.font = "30px serif"; pen.fillText("A page that was scanned", 20, 60)</script>`);
  const page = await openFile(context, extension, "scan.pdf", scanned);
  await expect(page.locator(".page[data-drawn]")).toBeVisible();
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const panel = await openPanel(context, extension, tab);
  await expect(panel.getByRole("alert")).toContainText("Pith does not recognize text in pictures.");
  await expect(panel.getByRole("alert")).toContainText("OCR");
});

test("a tab without a file says so", async ({ context, extension }) => {
  const page = await context.newPage();
  await page.goto(extension.url("pages/pdf/index.html"));
  await expect(page.getByRole("heading", { name: "Open a PDF file" })).toBeVisible();
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const panel = await openPanel(context, extension, tab);
  await expect(panel.getByRole("alert")).toContainText("No PDF file is open in this tab.");
});
