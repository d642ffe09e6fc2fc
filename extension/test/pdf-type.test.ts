import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { watchPdfTypes } from "../src/pdf-type.js";

afterEach(() => void vi.unstubAllGlobals());

/** Asks for the type of an address as the panel does; gives what the server was asked. */
async function ask(answers: Record<string, [status: number, type: string]>): Promise<[boolean, string[]]> {
  const asked: string[] = [];
  const server = createServer(({ method }, response) => {
    asked.push(method!);
    const [status, type] = answers[method!] ?? [405, "text/plain"];
    response.writeHead(status, { "content-type": type }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  type Listener = (message: object, sender: object, answer: (is: boolean) => void) => void;
  let listener: Listener | undefined;
  const runtime = {
    id: "pith",
    getURL: (path: string) => `chrome-extension://pith${path}`,
    onMessage: { addListener: (one: Listener) => void (listener = one) },
  };
  vi.stubGlobal("chrome", { runtime });
  vi.stubGlobal("location", { origin: "chrome-extension://pith" });
  watchPdfTypes();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/once`;
  const sender = { id: "pith", url: "chrome-extension://pith/sidepanel/index.html", origin: "chrome-extension://pith" };
  const is = await new Promise<boolean>((answer) => listener!({ type: "isPdf", url }, sender, answer));
  server.close();
  return [is, asked];
}

it("asks for the type alone, so that a link that works once is not used up", async () => {
  expect(await ask({ HEAD: [200, "application/pdf"] })).toEqual([true, ["HEAD"]]);
  expect(await ask({ HEAD: [200, "text/html"], GET: [200, "application/pdf"] })).toEqual([false, ["HEAD"]]);
});

it("gets the file where the server knows no other way", async () =>
  expect(await ask({ GET: [200, "application/pdf"] })).toEqual([true, ["HEAD", "GET"]]));
