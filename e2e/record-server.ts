// Records what a real llama-server answers, for cases that replay it: `npx tsx record-server.ts` in this folder.

import { writeFileSync } from "node:fs";
import { LLAMA_SERVER, llamaServerMissing, startLlamaServer } from "./harness/llama-server.ts";
import { type Recording, toFile } from "./recordings/recordings.ts";

/** The only headers that a client looks at. */
const KEPT = ["content-type", "retry-after", "server"];

const missing = llamaServerMissing();
if (missing !== null) {
  console.error(missing);
  process.exit(1);
}

async function record(address: string, init: RequestInit = {}): Promise<Recording> {
  const answer = await fetch(address, init);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => KEPT.includes(name)));
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
}

function keep(name: string, recording: Recording): void {
  writeFileSync(new URL(`recordings/llama-server/${name}.http`, import.meta.url), toFile(recording));
  console.info(`${name}: ${recording.status}, ${recording.body.length} bytes`);
}

const server = await startLlamaServer({ contextTokens: 512 });
const authorization = `Bearer ${server.key}`;
const chat = `${server.origin}/v1/chat/completions`;
const post = (content: string, more: object = {}): RequestInit => ({
  method: "POST",
  headers: { authorization, "content-type": "application/json" },
  body: JSON.stringify({
    model: "smollm2-135m-instruct",
    messages: [{ role: "user", content }],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    max_tokens: 48,
    return_progress: true,
    ...more,
  }),
});

try {
  // The port opens before the model is there.
  let loading: Recording | null = null;
  while (loading?.status !== 503) {
    loading = await record(`${server.origin}/v1/models`, { headers: { authorization } }).catch(() => null);
    if (loading?.status === 200) throw new Error("the model was loaded before the server was asked: try again");
  }
  keep("loading", loading);
  await server.ready();
  keep("models", await record(`${server.origin}/v1/models`, { headers: { authorization } }));
  keep("chat", await record(chat, post("Write one short sentence about the sea.")));
  keep("accents", await record(chat, post("Repeat exactly: Zürich, naïve, 東京, “déjà vu”, 🙂")));
  keep("cut", await record(chat, post("Count from one to fifty in words.", { max_tokens: 8 })));
  keep("too-long", await record(chat, post("The sea is wide and old. ".repeat(200))));
  keep("wrong-key", await record(`${server.origin}/v1/models`, { headers: { authorization: "Bearer wrong" } }));
  keep("no-path", await record(`${server.origin}/nowhere/v1/models`, { headers: { authorization } }));
  keep("bad-request", await record(chat, { ...post(""), body: "{" }));
} finally {
  await server.close();
}
console.info(`recorded from ${LLAMA_SERVER}`);
