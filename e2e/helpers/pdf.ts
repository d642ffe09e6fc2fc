// PDF files for tests: printed from HTML by Chromium, or written by hand where a printer cannot make them.

import { createHash } from "node:crypto";
import { chromium } from "@playwright/test";
import { findChromium } from "../harness/chromium.ts";

export interface PrintOptions {
  header?: string;
  footer?: string;
}

/** Prints HTML on A4 pages. */
export async function printPdf(html: string, { header = "", footer = "" }: PrintOptions = {}): Promise<Buffer> {
  const browser = await chromium.launch({ executablePath: findChromium() });
  try {
    const page = await browser.newPage();
    await page.setContent(html);
    const line = (text: string): string => `<div style="font-size:8px;width:100%;text-align:center">${text}</div>`;
    return await page.pdf({
      format: "A4",
      displayHeaderFooter: header !== "" || footer !== "",
      headerTemplate: line(header),
      footerTemplate: line(footer),
      margin: { top: "60px", bottom: "60px", left: "50px", right: "50px" },
    });
  } finally {
    await browser.close();
  }
}

/** Pads and reorders nothing: what the standard security handler of PDF 1.4 adds to every password. */
const PAD = Buffer.from("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A", "hex");
const PERMISSIONS = -4;
const ID = "0123456789abcdef0123456789abcdef";

/** A file with the lines of each page in Helvetica, encrypted where a password is given (40 bit, revision 2). */
export function writePdf(pages: readonly (readonly string[])[], password: string | null = null): Buffer {
  const security = password === null ? null : secure(password);
  const objects: Buffer[] = [];
  const add = (body: string | Buffer): number => objects.push(Buffer.from(body));
  const escape = (text: string): string => text.replace(/[\\()]/g, "\\$&");
  add("<</Type/Catalog/Pages 2 0 R>>");
  add(`<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${4 + at * 2} 0 R`).join(" ")}]>>`);
  add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  for (const lines of pages) {
    const number = objects.length + 1;
    add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${number + 1} 0 R>>`);
    const text = lines.map((line) => `(${escape(line)})'`).join("\n");
    const plain = Buffer.from(`BT /F 12 Tf 16 TL 60 780 Td\n${text}\nET`, "latin1");
    const stream = security ? rc4(keyOf(security.key, number + 1), plain) : plain;
    add(Buffer.concat([Buffer.from(`<</Length ${stream.length}>>stream\n`), stream, Buffer.from("\nendstream")]));
  }
  const encrypt = security
    ? add(
        `<</Filter/Standard/V 1/R 2/P ${PERMISSIONS}/O<${security.owner.toString("hex")}>/U<${security.user.toString("hex")}>>>`,
      )
    : 0;
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  let at = parts[0]!.length;
  const offsets = objects.map((body, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj`), body, Buffer.from("endobj\n")]);
    const offset = at;
    parts.push(part);
    at += part.length;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `<</Size ${objects.length + 1}/Root 1 0 R${encrypt ? `/Encrypt ${encrypt} 0 R` : ""}/ID[<${ID}><${ID}>]>>`;
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer${trailer}\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

function secure(password: string): { key: Buffer; owner: Buffer; user: Buffer } {
  const padded = Buffer.concat([Buffer.from(password, "latin1"), PAD]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(Buffer.concat([padded, owner, permissions, Buffer.from(ID, "hex")])).subarray(0, 5);
  return { key, owner, user: rc4(key, PAD) };
}

/** The key of one object. */
const keyOf = (key: Buffer, object: number): Buffer =>
  md5(Buffer.concat([key, Buffer.from([object & 255, (object >> 8) & 255, object >> 16, 0, 0])])).subarray(0, 10);

const md5 = (data: Buffer): Buffer => createHash("md5").update(data).digest();

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + state[i]!) & 255;
      [state[i], state[j]] = [state[j]!, state[i]!];
      return byte ^ state[(state[i]! + state[j]!) & 255]!;
    }),
  );
}
