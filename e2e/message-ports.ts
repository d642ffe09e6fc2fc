// What an exchange between two workers costs: values there and back over a MessagePort, transferred, and through shared memory with
// Atomics, as threads of the CPU backend do it. Microseconds of a round trip, the median of several rounds.
//   npx tsx message-ports.ts

import { launch } from "./harness/launch.ts";
import { serve } from "./harness/server.ts";

const LENGTHS = [576, 2048, 8192];
const ROUNDS = 15;
const TRIPS = 400;

/** Sends back what comes: by messages, or through memory for so many trips. */
const ECHO = `
let port;
onmessage = ({ data }) => {
  if (data.port) {
    port = data.port;
    port.onmessage = ({ data }) => port.postMessage(data, [data.buffer]);
    port.postMessage(null);
    return;
  }
  const { words, values, trips } = data;
  const own = new Float32Array(values.length);
  postMessage(null);
  for (let trip = 1; trip <= trips; trip += 1) {
    while (Atomics.load(words, 0) < trip);
    own.set(values);
    values.set(own);
    Atomics.store(words, 1, trip);
  }
};`;

/** Measures, on the other side. */
const ASK = `
const echo = new Worker("/echo.js");
const { port1, port2 } = new MessageChannel();
const next = (target) => new Promise((resolve) => (target.onmessage = ({ data }) => resolve(data)));
onmessage = async ({ data: { length, trips } }) => {
  const results = {};
  if (!globalThis.ready) {
    const there = next(port1);
    echo.postMessage({ port: port2 }, [port2]);
    await there;
    globalThis.ready = true;
  }
  let values = new Float32Array(length);
  let start = performance.now();
  for (let trip = 0; trip < trips; trip += 1) {
    const back = next(port1);
    port1.postMessage(values, [values.buffer]);
    values = await back;
  }
  results.messages = (1000 * (performance.now() - start)) / trips;
  const words = new Int32Array(new SharedArrayBuffer(8));
  const shared = new Float32Array(new SharedArrayBuffer(4 * length));
  const there = next(echo);
  echo.postMessage({ words, values: shared, trips });
  await there;
  start = performance.now();
  for (let trip = 1; trip <= trips; trip += 1) {
    shared.set(values);
    Atomics.store(words, 0, trip);
    while (Atomics.load(words, 1) < trip);
    values.set(shared);
  }
  results.memory = (1000 * (performance.now() - start)) / trips;
  postMessage(results);
};`;

const site = await serve({});
site.isolate();
const give = (path: string, type: string, text: string): void =>
  site.handle(path, (_, response) => void response.setHeader("content-type", type).end(text));
give("/", "text/html", "<!doctype html><title>messages</title>");
give("/echo.js", "text/javascript", ECHO);
give("/ask.js", "text/javascript", ASK);
const browser = await launch({ extension: null });
const page = await browser.context.newPage();
await page.goto(site.url("/"));
console.log("| values | message, us | shared memory, us |");
console.log("|---|---|---|");
for (const length of LENGTHS) {
  const found = await page.evaluate(
    async ([length, rounds, trips]) => {
      const worker = new Worker("/ask.js");
      const all: { messages: number; memory: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const answer = new Promise<MessageEvent>((resolve) => (worker.onmessage = resolve));
        worker.postMessage({ length, trips });
        all.push(((await answer) as MessageEvent<{ messages: number; memory: number }>).data);
      }
      worker.terminate();
      return all;
    },
    [length, ROUNDS, TRIPS] as const,
  );
  const median = (values: number[]): string => values.sort((a, b) => a - b)[values.length >> 1]!.toFixed(1);
  console.log(
    `| ${length} | ${median(found.map((one) => one.messages))} | ${median(found.map((one) => one.memory))} |`,
  );
}
await browser.close();
await site.close();
