// What cases about downloads and stores share.

import { readFileSync } from "node:fs";
import { expect, type Page, type TestInfo } from "@playwright/test";
import type { FaultyFile } from "../harness/faulty-server.ts";
import { RawWorker } from "../harness/raw-worker.ts";
import { REFETCHED, type Refetched } from "../harness/refetched-reporter.ts";
import type { Site } from "../harness/server.ts";
import type { Settings, StoredModel, StoreKind } from "../../web/src/protocol.gen.ts";
import { numbers } from "./numbers.ts";
import { randomModel } from "./random-model.ts";

export const MIB = 1 << 20;

/** What a connection that breaks may cost. */
const REFETCHED_BYTES_MAX = 4 * MIB;

/** Chromium says so itself of every request that fails. */
export const FAILED_REQUEST = /Failed to load resource/;

export const bytesOf = (size: Parameters<typeof randomModel>[0]): Buffer => readFileSync(randomModel(size));

/** The same model with other weights: every second byte, of which none makes a number that is not finite. */
export function otherWeights(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  for (let at = 64 << 10; at < other.length; at += 2) other[at]! ^= 0x55;
  return other;
}

/** Places in a file, in ascending order. */
export function places(count: number, size_bytes: number, seed: number): number[] {
  const next = numbers(seed);
  const found = new Set<number>();
  while (found.size < count) found.add(1 + (next() % (size_bytes - 1)));
  return [...found].sort((a, b) => a - b);
}

/** A worker whose store is empty and of this kind. */
export async function openStore(page: Page, site: Site, store: StoreKind, settings: Settings = {}): Promise<RawWorker> {
  const worker = await RawWorker.open(page, site);
  await configure(worker, { store, ...settings });
  await empty(worker);
  return worker;
}

/** Deletes what is stored. What the worker knows of adapters stays, for finding that out takes long. */
export async function empty(worker: RawWorker): Promise<void> {
  for (const { name } of await storedModels(worker)) await worker.get("ok", { type: "delete", name });
}

export const configure = (worker: RawWorker, settings: Settings) => worker.get("ok", { type: "configure", settings });

export const download = (file: FaultyFile, ...sha256: string[]) =>
  ({ type: "download", source: { type: "url", url: file.url, ...(sha256.length > 0 && { sha256 }) } }) as const;

export const load = (file: FaultyFile) =>
  ({ type: "load", name: "a", source: { type: "url", url: file.url }, backend: "cpu", contextTokens: 64 }) as const;

export const storedModels = async (worker: RawWorker): Promise<StoredModel[]> =>
  (await worker.get("status", { type: "status" })).stored;

/** The file is stored, alone, just as the server has it; `status` says so and the bytes do. */
export async function expectWhole(worker: RawWorker, file: FaultyFile): Promise<StoredModel> {
  const { length: bytes } = file.bytes;
  const stored = await storedModels(worker);
  const expected = { url: file.url, bytes, totalBytes: bytes, files: 1, whole: true, sha256: [file.sha256] };
  expect(stored).toMatchObject([expected]);
  const model = stored[0]!;
  expect(await worker.exported(model.name), "the bytes themselves").toEqual([file.sha256]);
  return model;
}

/** Writes down what interruptions have cost. */
export async function tellRefetched(
  info: TestInfo,
  fault: string,
  store: StoreKind,
  file: FaultyFile,
  interruptions: number,
): Promise<number> {
  const { refetched_bytes } = file;
  const row: Refetched = { fault, store, size_bytes: file.bytes.length, interruptions, refetched_bytes };
  await info.attach(REFETCHED, { body: JSON.stringify(row), contentType: "application/json" });
  return refetched_bytes;
}

/** As `tellRefetched`, and no interruption may have cost too much. */
export async function expectLittleRefetched(...args: Parameters<typeof tellRefetched>): Promise<void> {
  const [, fault, , , interruptions] = args;
  const refetched_bytes = await tellRefetched(...args);
  expect(refetched_bytes, `${fault}: fetched again`).toBeLessThanOrEqual(interruptions * REFETCHED_BYTES_MAX);
  expect(refetched_bytes, `${fault}: everything was sent`).toBeGreaterThanOrEqual(0);
}
