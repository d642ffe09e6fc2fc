// A model by its name on a hub: found, downloaded and compared with the hash that the hub tells. Why a hub cannot be read is said.

import type { ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { ROOT, referenceDir } from "../../harness/paths.ts";
import { type Handler, serve, type Site } from "../../harness/server.ts";
import { publish } from "../../helpers/models-page.ts";
import type { authorize, findModel, HubOptions } from "../../../web/src/hub.ts";
import type { Pith } from "../../../web/src/index.ts";

test.use({ withExtension: false, freshProfile: true });

type Hub = { authorize: typeof authorize; findModel: typeof findModel };
interface Global {
  pith: Pith;
  find: typeof findModel;
  allow: typeof authorize;
}

async function openClient(page: Page, site: Site, policy = ""): Promise<void> {
  site.mount("/client/", resolve(ROOT, "web"));
  site.handle("/hub-page", (_, response) => {
    if (policy) response.setHeader("content-security-policy", policy);
    response.setHeader("content-type", "text/html").end("<title>hub</title>");
  });
  await page.goto(site.url("/hub-page"));
  await page.evaluate(async () => {
    const client = `${location.origin}/client/dist`;
    const { Pith: Client } = (await import(/* @vite-ignore */ `${client}/index.js`)) as { Pith: typeof Pith };
    const { authorize: allow, findModel: find } = (await import(/* @vite-ignore */ `${client}/hub.js`)) as Hub;
    Object.assign(globalThis, { pith: await Client.open(), find, allow });
  });
}

/** Finds a model and loads it. */
const load = (page: Page, name: string, options: HubOptions) =>
  page.evaluate(
    async ([name, options]) => {
      const { pith, find } = globalThis as unknown as Global;
      try {
        const found = await find(name, options);
        const { architecture } = await pith.load("model", found, { backend: "cpu" });
        const { rows } = await pith.evaluate("model", [1, 2, 3]);
        const [stored] = (await pith.status()).stored;
        return { found, architecture, rows, stored };
      } catch (error) {
        const { code, status, reason, detail } = error as Record<string, unknown>;
        return { error: { code, status, reason, detail } };
      }
    },
    [name, options] as const,
  );

test("a model is downloaded by its name on a hub", async ({ page, site, faulty }) => {
  const bytes = await readFile(join(referenceDir(), "models/llama32.Q8_0.gguf"));
  const { name, model, title } = publish(faulty, bytes);
  const hub = new URL(model.url).origin;
  await openClient(page, site);
  const got = await load(page, name.toLowerCase().replace("acme/tiny-gguf", "acme/Tiny-GGUF"), { hub });
  expect(got).toMatchObject({
    found: { url: model.url, title, bytes: bytes.length, files: 1, sha256: [model.sha256] },
    architecture: "llama",
    rows: 3,
    stored: { url: model.url, whole: true, sha256: [model.sha256] },
  });
});

test("a file that is not the one that the hub lists is refused", async ({ page, site, faulty }) => {
  const bytes = await readFile(join(referenceDir(), "models/llama32.Q8_0.gguf"));
  const { name, model } = publish(faulty, bytes, {}, "0".repeat(64));
  await openClient(page, site);
  expect((await load(page, name, { hub: new URL(model.url).origin })).error).toMatchObject({ code: "wrong_hash" });
});

test("a gated model is downloaded with a token, which no other server gets", async ({ page, site, errors }) => {
  errors.expect(/Failed to load resource/);
  const bytes = await readFile(join(referenceDir(), "models/llama32.Q8_0.gguf"));
  const path = "acme/gated";
  const file = { path: "m-Q8_0.gguf", size: bytes.length };
  const cdn = await serve({});
  const seen: (string | undefined)[] = [];
  const allow = { "access-control-allow-origin": "*", "access-control-allow-headers": "authorization, range" };
  cdn.handle("/m.gguf", ({ headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(200, { ...allow, "content-type": "application/octet-stream" }).end(bytes);
  });
  const hub = await serve({});
  const gated = (answer: (response: ServerResponse) => void): Handler => {
    return ({ method, headers }, response) => {
      if (method === "OPTIONS") response.writeHead(204, allow).end();
      else if (headers.authorization !== "Bearer secret") response.writeHead(401, allow).end();
      else answer(response);
    };
  };
  hub.handle(
    `/api/models/${path}/tree/main`,
    gated((response) => void response.writeHead(200, allow).end(JSON.stringify([file]))),
  );
  hub.handle(
    `/${path}/resolve/main/${file.path}`,
    gated((response) => void response.writeHead(302, { ...allow, location: cdn.url("/m.gguf") }).end()),
  );
  await openClient(page, site);
  const options = { hub: hub.origin, token: "secret" };
  expect((await load(page, path, { hub: hub.origin })).error).toMatchObject({ code: "http_status", status: 401 });
  expect((await load(page, path, options)).error).toMatchObject({ code: "http_status" });
  await page.evaluate(async (hub) => {
    const { pith, allow } = globalThis as unknown as Global;
    await allow(pith, "secret", { hub });
  }, hub.origin);
  expect(await load(page, path, options)).toMatchObject({ architecture: "llama", rows: 3 });
  expect(new Set(seen)).toEqual(new Set([undefined]));
  await Promise.all([hub.close(), cdn.close()]);
});

test("why a hub cannot be read", async ({ page, site, context, errors }) => {
  errors.expect(/Failed to load resource|CORS policy|Content Security Policy|Connecting to/);
  const silent = await serve({});
  silent.handle("/api/models/acme/m/tree/main", (_, response) => void response.end("[]"));
  const gone = await serve({});
  await gone.close();
  const why = async (hub: string) => (await load(page, "acme/m", { hub })).error;
  await openClient(page, site);
  expect(await why(silent.origin)).toMatchObject({ code: "network_error", reason: "cors" });
  expect(await why(gone.origin)).toMatchObject({ code: "network_error", reason: "unreachable" });
  expect(await why("https://no-such-name.invalid")).toMatchObject({ code: "network_error", reason: "unreachable" });
  expect(await why(site.origin)).toMatchObject({ code: "http_status", status: 404 });
  await context.setOffline(true);
  expect(await why(silent.origin)).toMatchObject({ code: "network_error", reason: "offline" });
  await context.setOffline(false);
  await openClient(page, site, "connect-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'unsafe-eval'");
  const policy = await why(silent.origin);
  expect(policy).toMatchObject({ code: "network_error", reason: "policy" });
  expect(policy?.detail).toContain("connect-src");
  await silent.close();
});
