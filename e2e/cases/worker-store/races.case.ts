// Requests about the same files, in random order and at random moments, from two tabs: no pin is lost, nothing that was
// deleted comes back, models in memory stay within what they may take. With the long suites 1,000 seeds a store.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import type { FaultyServer } from "../../harness/faulty-server.ts";
import { locks } from "../../harness/faulty-store.ts";
import { type Answer, RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import {
  bytesOf,
  configure,
  download,
  FAILED_REQUEST,
  MIB,
  openStore,
  otherWeights,
  storedModels,
} from "../../helpers/downloads.ts";
import { numbers } from "../../helpers/numbers.ts";
import type { Request, StoredModel, StoreKind } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const SEEDS = process.env.PITH_FULL ? 1_000 : 4;
const REQUESTS = 12;
/** The memory that models may take, in models. */
const MODELS = 1.7;
/** What a request may fail with when another one got in its way. */
const FAIR = /^(cancelled|not_stored|model_not_loaded|in_use): |^damaged: .* is not whole$/;

interface File {
  name: string;
  url: string;
  sha256: string;
}

/** A request, when it began and ended, by a clock that counts messages. */
interface Done {
  request: Request;
  file: File;
  began: number;
  ended: number;
  answer: Answer;
}

interface World {
  tabs: RawWorker[];
  files: File[];
  memoryBytes: number;
}

for (const store of ["opfs", "indexedDb", "memory"] as const) {
  test(
    `in random order (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, context, site, faulty, errors }, info) => {
      test.setTimeout(180_000 + SEEDS * 6_000);
      errors.expect(FAILED_REQUEST);
      const world = await open(store, page, context, site, faulty);
      let pinned: (boolean | null)[] = world.files.map(() => null);
      const ends = new Map<string, number>();
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        await test.step(`seed ${seed}`, async () => {
          const done = await race(world, seed);
          for (const { request, answer } of done) {
            const { error } = answer;
            const end = `${request.type} ${error?.code ?? "done"}`;
            ends.set(end, (ends.get(end) ?? 0) + 1);
            if (error) expect(`${error.code}: ${error.detail}`, `seed ${seed}: ${request.type}`).toMatch(FAIR);
          }
          await expectMemory(world, `seed ${seed}`);
          pinned = await expectStore(world, done, pinned, `seed ${seed}`);
          await expect.poll(() => locks(page), { timeout: 5000, message: `seed ${seed}` }).toEqual([]);
        });
      }
      info.annotations.push({
        type: "races",
        description: [...ends].map(([end, count]) => `${count} ${end}`).join(", "),
      });
    },
  );
}

async function open(
  store: StoreKind,
  page: Page,
  context: BrowserContext,
  site: Site,
  faulty: FaultyServer,
): Promise<World> {
  const tabs = [await openStore(page, site, store)];
  // Another worker has another memory.
  if (store !== "memory") tabs.push(await RawWorker.open(await context.newPage(), site));
  const first = tabs[0]!;
  for (const tab of tabs.slice(1)) await configure(tab, { store });
  const bytes = bytesOf("small");
  const files: File[] = [];
  for (const [at, content] of [bytes, otherWeights(bytes)].entries()) {
    const file = faulty.serve(`/model-${at}.gguf`, content, { bytesPerS: 24 * MIB });
    const { name } = (await first.get("stored", download(file))).model;
    await first.get("ok", { type: "delete", name });
    files.push({ name, url: file.url, sha256: file.sha256 });
  }
  const source = { type: "url", url: files[0]!.url } as const;
  const { fit } = await first.get("fit", { type: "fit", source, backend: "cpu", contextTokens: 64 });
  const memoryBytes = Math.floor((fit.need.weightsBytes + fit.need.kvBytes + fit.need.scratchBytes) * MODELS);
  for (const tab of tabs) await configure(tab, { memoryBytes });
  for (const { name } of await storedModels(first)) await first.get("ok", { type: "delete", name });
  return { tabs, files, memoryBytes };
}

/** Sends requests without waiting for their ends, and cancels some. */
async function race({ tabs, files, memoryBytes }: World, seed: number): Promise<Done[]> {
  const next = numbers(seed);
  const pick = <T>(from: readonly T[]): T => from[next() % from.length]!;
  let clock = 0;
  const open: Promise<Done>[] = [];
  const begun: [RawWorker, number][] = [];
  for (let at = 0; at < REQUESTS; at += 1) {
    const [tab, file] = [pick(tabs), pick(files)];
    const request = pick(REQUESTS_OF)(file, next() % 2 === 0);
    const began = (clock += 1);
    const id = await tab.start(request);
    begun.push([tab, id]);
    open.push(tab.ended(id).then((answer) => ({ request, file, began, ended: (clock += 1), answer })));
    if (next() % 5 === 0) {
      const [of, target] = pick(begun);
      await of.start({ type: "cancel", target });
    }
    await tab.page.waitForTimeout(next() % 60);
    if (next() % 4 === 0) await expectMemory({ tabs: [tab], files, memoryBytes }, `seed ${seed}`);
  }
  return Promise.all(open);
}

const url = (file: File) => ({ type: "url", url: file.url }) as const;
const REQUESTS_OF: ((file: File, chance: boolean) => Request)[] = [
  (file) => ({ type: "download", source: url(file) }),
  (file) => ({ type: "download", source: url(file) }),
  (file) => ({ type: "load", name: file.name, source: url(file), backend: "cpu", contextTokens: 64 }),
  (file) => ({
    type: "load",
    name: file.name,
    source: { type: "stored", name: file.name },
    backend: "cpu",
    contextTokens: 64,
  }),
  ({ name }, pinned) => ({ type: "pin", name, pinned }),
  ({ name }, pinned) => ({ type: "pin", name, pinned }),
  ({ name }) => ({ type: "delete", name }),
  ({ name }, repair) => ({ type: "verify", name, repair }),
  ({ name }) => ({ type: "export", name }),
  ({ name }) => ({ type: "unload", name }),
];

async function expectMemory({ tabs, memoryBytes }: World, when: string): Promise<void> {
  for (const tab of tabs) {
    const { report } = await tab.get("memory", { type: "memory" });
    const taken = report.models.reduce(
      (sum, { memory }) => sum + memory.weightsBytes + memory.kvBytes + memory.scratchBytes,
      0,
    );
    expect(taken, `${when}: bytes of models in memory`).toBeLessThanOrEqual(memoryBytes);
  }
}

/** What is stored is what some order of the requests explains. Gives whether each file is pinned, null where it is not there. */
async function expectStore(
  { tabs, files }: World,
  done: Done[],
  before: (boolean | null)[],
  when: string,
): Promise<(boolean | null)[]> {
  const statuses = await Promise.all(tabs.map((tab) => tab.get("status", { type: "status" })));
  for (const { stored, unknown } of statuses) {
    expect(unknown, `${when}: files without a record`).toEqual([]);
    expect(stored.map(told).sort(), `${when}: what both tabs say`).toEqual(statuses[0]!.stored.map(told).sort());
  }
  const { stored } = statuses[0]!;
  expect(new Set(files.map(({ name }) => name)), `${when}: ghosts`).toEqual(
    new Set([...files, ...stored].map(({ name }) => name)),
  );
  return Promise.all(
    files.map(async (file, at) => {
      const model = stored.find(({ name }) => name === file.name);
      if (model?.whole) expect(await tabs[0]!.exported(file.name), `${when}: bytes`).toEqual([file.sha256]);
      const possible = outcomes(
        done.filter((one) => one.file === file),
        before[at]!,
      );
      const found = model ? model.pinned : null;
      expect([...possible], `${when}: ${file.url}: pinned, or null where it is gone`).toContain(found);
      return found;
    }),
  );
}

const told = ({ name, pinned, whole, bytes }: StoredModel): string => `${name} ${pinned} ${whole} ${bytes}`;

/** What may be there after these requests, in any order that their beginnings and ends allow. */
function outcomes(done: Done[], before: boolean | null): Set<boolean | null> {
  const isLast = (of: Done, among: Done[]) => among.every(({ began }) => began < of.ended);
  const succeeded = (type: string) => done.filter(({ request, answer }) => request.type === type && !answer.error);
  const [pins, deletes] = [succeeded("pin"), succeeded("delete")];
  // A record appears with the first byte, whatever became of the request.
  const fetches = done.filter(({ request: { type } }) => type === "download" || type === "load");
  const possible = new Set<boolean | null>();
  const lastDeletes = deletes.filter((one) => isLast(one, pins));
  for (const { request } of pins.filter((one) => isLast(one, [...deletes, ...pins]))) {
    if (request.type === "pin") possible.add(request.pinned);
  }
  for (const last of lastDeletes.filter((one) => isLast(one, deletes))) {
    possible.add(null);
    if (fetches.some(({ ended }) => ended > last.began)) possible.add(false);
  }
  if (pins.length === 0 && deletes.length === 0) {
    possible.add(before);
    if (before === null && fetches.length > 0) possible.add(false);
  }
  return possible;
}
