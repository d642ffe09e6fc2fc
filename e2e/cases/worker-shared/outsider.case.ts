// Another page of the origin: it reads every channel that it can name, and says that it runs the worker.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { loadStory, openTab, type TabGlobal, tell } from "../../helpers/shared-tabs.ts";
import { STORY } from "../../helpers/story.ts";
import type { authorize } from "../../../web/src/hub.ts";
import type * as Secret from "../../../web/src/shared/secret.ts";

test.use({ withExtension: false });

type Heard = { heard: string[] };
const [TOKEN, DIARY] = ["hf_token_of_1867", "My private diary of today."];

/** Listens to all names of channels that a page can find out: names of locks, and what was said on those channels. */
async function openOutsider(context: BrowserContext, site: Site, lies: boolean): Promise<Page> {
  site.handle(
    "/outsider",
    (_, response) => void response.setHeader("content-type", "text/html").end("<title>outsider</title>"),
  );
  const page = await context.newPage();
  await page.goto(site.url("/outsider"));
  await page.evaluate((lies) => {
    const heard: string[] = ((globalThis as unknown as Heard).heard = []);
    const channels = new Map<string, BroadcastChannel>();
    const evil = { id: "evil", term: 9e15 };
    const state = { settings: {}, tokens: [], models: [] };
    const listen = (name: string): void => {
      if (channels.has(name)) return;
      const channel = new BroadcastChannel(name);
      channels.set(name, channel);
      channel.onmessage = ({ data }) => {
        heard.push(JSON.stringify(data, (_, value: unknown) => (value instanceof File ? `file ${value.name}` : value)));
        if (lies)
          for (const other of channels.values())
            for (const lie of [
              { host: evil, state },
              { type: "host", host: evil },
            ])
              other.postMessage(lie);
        // Whoever believes it asks for texts.
        if (data?.host === "evil")
          channel.postMessage({
            host: evil,
            message: { version: 1, id: data.message.id, event: { type: "token", text: "evil" } },
          });
      };
    };
    const look = async (): Promise<void> => {
      const { held = [], pending = [] } = await navigator.locks.query();
      for (const { name } of [...held, ...pending]) if (name) listen(name);
      const prefix = held.map(({ name }) => name!).find((name) => /^pith shared \S+$/.test(name));
      if (!prefix) return;
      if (lies)
        void navigator.locks.request(
          `${prefix} host ${"A".repeat(88)}`,
          { ifAvailable: true },
          () => new Promise(() => {}),
        );
      channels.get(prefix)!.postMessage({ type: "join", member: "outsider" });
      listen(`${prefix} outsider`);
      if (lies) channels.get(prefix)!.postMessage({ type: "host", host: evil });
    };
    setInterval(() => void look(), 50);
  }, lies);
  return page;
}

/** A tab gives a token, another loads a model from a picked file, both write. */
async function useClients(context: BrowserContext, site: Site): Promise<void> {
  const first = await openTab(context, site);
  await first.evaluate(
    async ([hub, token]) => {
      const hubModule = (await import(/* @vite-ignore */ `${location.origin}/client/dist/hub.js`)) as {
        authorize: typeof authorize;
      };
      await hubModule.authorize((globalThis as unknown as TabGlobal).pith, token!, { hub: hub! });
    },
    [site.origin, TOKEN],
  );
  const second = await openTab(context, site);
  await loadStory(second);
  const text = await second.evaluate(async (prompt) => {
    const { pith } = globalThis as unknown as TabGlobal;
    return (await pith.generate("story", prompt, { maxTokens: 20 }).result).text;
  }, DIARY);
  expect(text.length).toBeGreaterThan(10);
  expect(text).not.toContain("evil");
  const picked = await first.evaluate(async (url) => {
    const bytes = await (await fetch(url)).blob();
    const file = new File([bytes], "picked-by-me.gguf");
    const { pith } = globalThis as unknown as TabGlobal;
    await pith.load("picked", file, { backend: "cpu" });
    return (await pith.generate("picked", "Once upon a time", { maxTokens: 5 }).result).text;
  }, `/reference/${STORY}`);
  expect(picked.length).toBeGreaterThan(3);
  expect((await tell(second, { maxTokens: 5 })).error).toBeNull();
}

for (const lies of [false, true]) {
  test(`a page that ${lies ? "says that it runs the worker" : "listens"} gets no prompt, token or file`, async ({
    context,
    site,
  }) => {
    const outsider = await openOutsider(context, site, lies);
    await useClients(context, site);
    const heard = await outsider.evaluate(() => (globalThis as unknown as Heard).heard.join("\n"));
    expect(heard, "it listens").toContain("join");
    for (const secret of [TOKEN, DIARY, "picked-by-me"]) expect(heard).not.toContain(secret);
  });
}

test("a page that joins as clients do is told neither tokens nor files of others", async ({ context, site }) => {
  const outsider = await openOutsider(context, site, false);
  const first = await openTab(context, site);
  await outsider.evaluate(async () => {
    const { drawKeys, findHostKey, openSecret } = (await import(
      /* @vite-ignore */ `${location.origin}/client/dist/shared/secret.js`
    )) as typeof Secret;
    const keys = await drawKeys();
    const prefix = (await navigator.locks.query())
      .held!.map(({ name }) => name!)
      .find((name) => /^pith shared \S+$/.test(name))!;
    void navigator.locks.request(`${prefix} ${keys.shown}`, () => new Promise(() => {}));
    const channel = await openSecret(keys.own, (await findHostKey())!);
    const { heard } = globalThis as unknown as Heard;
    channel.onmessage = ({ data }) =>
      void heard.push(
        JSON.stringify(data, (_, value: unknown) => (value instanceof File ? `file ${value.name}` : value)),
      );
    new BroadcastChannel(prefix).postMessage({ type: "join", member: keys.shown });
  });
  await useClients(context, site);
  const heard = await outsider.evaluate(() => (globalThis as unknown as Heard).heard.join("\n"));
  expect(heard, "it is welcome").toContain('"models"');
  for (const secret of [TOKEN, DIARY, "picked-by-me"]) expect(heard).not.toContain(secret);
  await first.close();
});
