// Answers of real servers, kept as files: a line of JSON with status and headers, then the body as it was sent.

import { readFileSync } from "node:fs";

export interface Recording {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const fileOf = (name: string): URL => new URL(`${name}.http`, import.meta.url);

/** Reads one, such as "llama-server/chat". */
export function readRecording(name: string): Recording {
  const bytes = readFileSync(fileOf(name));
  const end = bytes.indexOf(10);
  const { status, headers } = JSON.parse(bytes.subarray(0, end).toString()) as Omit<Recording, "body">;
  return { status, headers, body: bytes.subarray(end + 1) };
}

export const toFile = ({ status, headers, body }: Recording): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ status, headers })}\n`), body]);

/** The bytes in pieces of these lengths, again and again. */
export function* piecesOf(body: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield body.subarray(at, at + length);
    at += length;
  }
}
