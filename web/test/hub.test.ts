import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { authorize, findModel, HubError, type HubOptions, onHub, parseHubName, titleOf } from "../src/hub.js";
import { choose, readList } from "../src/hub-files.js";
import { openScripted } from "./endpoint.js";
import { knownEncoders, knownModels } from "../src/models.js";

const HASH = "ab".repeat(32);
const entry = (path: string, size = 10, oid = HASH) => ({ type: "file", path, size, lfs: { oid } });

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const closers: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
});

/** A server in the shape of a hub. Gives its origin. */
async function serveHub(answer: Answer): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const list = (...paths: string[]): string => JSON.stringify(paths.map((path) => entry(path)));

describe("a name on the hub", () => {
  it.each([
    ["acme/Tiny-GGUF", { owner: "acme", repo: "Tiny-GGUF", quant: null, path: null }],
    ["acme/m/big/m-F16.gguf", { owner: "acme", repo: "m", quant: null, path: "big/m-F16.gguf" }],
    ["acme/Tiny-GGUF/", { owner: "acme", repo: "Tiny-GGUF", quant: null, path: null }],
    [" acme/Tiny-1.5B:Q4_K_M ", { owner: "acme", repo: "Tiny-1.5B", quant: "Q4_K_M", path: null }],
  ])("%j is one", (text, name) => expect(parseHubName(text)).toEqual(name));

  it.each([
    "tiny",
    "a/b/c",
    "../x",
    "a/..",
    "https://a.example/b",
    "a/b:",
    "a/b?x=1",
    "a b/c",
    "a/b/../../../c.gguf",
    "a/b/./c.gguf",
    "a/b/x\nc.gguf",
    "a/b/x\\c.gguf",
    "a/b/x\u202Efugg.gguf",
    "a/b/x\0.gguf",
    `${"a".repeat(97)}/b`,
  ])("%j is none, or stays inside its folder", (text) =>
    expect(parseHubName(text)?.repo ?? null).toSatisfy((repo) => repo === null),
  );
});

describe("a page of the hub", () => {
  it.each(["/acme/m/blob/main/..%2F..%2Fx.gguf", "/acme/m/tree/main/a%0Ab", "/acme/m?show_file_info=..%2Fx.gguf"])(
    "%s names nothing in a repository",
    async (page) => {
      const asked: string[] = [];
      const hub = await serveHub(({ url }, response) => response.end((asked.push(url!), list(...files))));
      await findModel(hub + page, { hub }).catch(() => {});
      expect(asked.filter((url) => /\.\.|%2e|%0a/i.test(url))).toEqual([]);
    },
  );

  const files = ["Q4_K_M/big-Q4_K_M.gguf", "small-Q8_0.gguf", "mtp-small-Q4_K_M.gguf", "50%-F16.gguf"];
  it.each([
    ["/acme/m", "/acme/m/resolve/main/Q4_K_M/big-Q4_K_M.gguf"],
    ["/acme/m/", "/acme/m/resolve/main/Q4_K_M/big-Q4_K_M.gguf"],
    ["/acme/m/tree/main", "/acme/m/resolve/main/Q4_K_M/big-Q4_K_M.gguf"],
    ["/acme/m/tree/v2/Q4_K_M", "/acme/m/resolve/v2/Q4_K_M/big-Q4_K_M.gguf"],
    ["/acme/m/blob/main/small-Q8_0.gguf", "/acme/m/resolve/main/small-Q8_0.gguf"],
    ["/acme/m/blob/v2/50%25-F16.gguf", "/acme/m/resolve/v2/50%25-F16.gguf"],
    ["/acme/m?show_file_info=small-Q8_0.gguf", "/acme/m/resolve/main/small-Q8_0.gguf"],
    ["/acme/m/resolve/main/small-Q8_0.gguf", "/acme/m/resolve/main/small-Q8_0.gguf"],
    ["/acme/m/blob/main/README.md", "/acme/m/blob/main/README.md"],
  ])("%s stands for %s", async (page, file) => {
    const hub = await serveHub((_, response) => response.end(list(...files)));
    expect((await findModel(hub + page, { hub })).url).toBe(hub + file);
  });

  it("of another server is a file", async () => {
    const url = "https://files.example/acme/m/blob/main/a.gguf";
    expect(await findModel(url)).toMatchObject({ url, files: 1 });
  });
});

describe("the files of a repository", () => {
  it("are all parts of a model, and none that only drafts", () => {
    const files = (...paths: string[]) => readList(paths.map((path) => entry(path)));
    const parts = [1, 2, 3].map((part) => `p-Q4_K_M-0000${part}-of-00003.gguf`);
    expect(choose(files(...parts.toReversed()), null)).toHaveLength(3);
    for (const missing of [0, 1, 2])
      expect(() => choose(files(...parts.filter((_, at) => at !== missing)), null)).toThrow(
        expect.objectContaining({ code: "hub_no_file", detail: `p-Q4_K_M: ${missing + 1} of 3` }),
      );
    for (const draft of ["mtp-m-Q4_K_M.gguf", "m-draft-Q4_K_M.gguf", "eagle3/m-Q4_K_M.gguf"])
      expect(choose(files(draft, "a-much-longer-name-Q4_K_M.gguf"), "Q4_K_M")[0].path).toContain("longer");
    expect(choose(files("m-draft-Q8_0.gguf"), null)[0].path).toBe("m-draft-Q8_0.gguf");
  });

  it("may be very many, and have names that look like addresses", async () => {
    const name = "100%-Q4_0.gguf";
    expect(titleOf(`a/${name}`)).toBe("100%-Q4_0");
    const many = JSON.stringify([entry(name), ...Array.from({ length: 150_000 }, () => ({ path: ".gguf", size: 0 }))]);
    const hub = await serveHub((_, response) => response.end(many));
    const { url, title, files } = await findModel("a/b", { hub });
    expect([url, title, files]).toEqual([`${hub}/a/b/resolve/main/100%25-Q4_0.gguf`, "100%-Q4_0", 1]);
  });

  it("are those of models, with hashes that are hashes", () => {
    const list = [
      entry("a-Q8_0.gguf"),
      entry("b.gguf", 5, "no hash"),
      entry("mmproj-a-f16.gguf"),
      { path: "README.md", size: 1 },
      { path: 7, size: 1 },
      null,
      "text",
    ];
    expect(readList(list)).toEqual([
      { path: "a-Q8_0.gguf", size: 10, sha256: HASH },
      { path: "b.gguf", size: 5, sha256: null },
    ]);
    // An address cannot hold half a character.
    expect(readList([entry("a\ud800.gguf")])).toEqual([]);
    expect(() => readList({ error: "no" })).toThrow(expect.objectContaining({ code: "hub_answer" }));
  });

  const files = readList(
    ["m-Q4_K_S", "m-Q4_K_M", "m-Q4_K_M-extra", "m-q8_0", "big/m-F16-00002-of-00002", "big/m-F16-00001-of-00002"].map(
      (name) => entry(`${name}.gguf`),
    ),
  );
  it.each([
    [null, ["m-Q4_K_M.gguf"]],
    ["Q4_K_S", ["m-Q4_K_S.gguf"]],
    ["Q8_0", ["m-q8_0.gguf"]],
    ["f16", ["big/m-F16-00001-of-00002.gguf", "big/m-F16-00002-of-00002.gguf"]],
  ])("for %s are %j", (quant, paths) => expect(choose(files, quant).map(({ path }) => path)).toEqual(paths));

  it("have to be there: the error lists what is", () => {
    expect(() => choose(files, "Q4_K")).toThrow(
      expect.objectContaining({ code: "hub_no_quant", detail: "Q4_K_S, Q4_K_M, q8_0, F16" }),
    );
    expect(() => choose([], "Q4_0")).toThrow(expect.objectContaining({ code: "hub_no_gguf" }));
  });
});

describe("a hub is asked", () => {
  it("for the files of a repository, without cookies, and with the token alone", async () => {
    const seen: [string | undefined, string | undefined, string | undefined][] = [];
    const hub = await serveHub(({ url, headers }, response) => {
      seen.push([url, headers.authorization, headers.cookie]);
      response.end(list("README.md", "m-Q4_0.gguf", "m-F16-00002-of-00002.gguf", "m-F16-00001-of-00002.gguf"));
    });
    expect(await findModel("acme/m", { hub, token: "secret" })).toEqual({
      url: `${hub}/acme/m/resolve/main/m-Q4_0.gguf`,
      title: "m-Q4_0",
      bytes: 10,
      files: 1,
      sha256: [HASH],
    });
    const split = {
      url: `${hub}/acme/m/resolve/main/m-F16-00001-of-00002.gguf`,
      files: 2,
      bytes: 20,
      sha256: [HASH, HASH],
    };
    expect(await findModel("acme/m:f16", { hub: new URL(hub) })).toMatchObject(split);
    expect(await findModel("acme/m/m-F16-00002-of-00002.gguf", { hub })).toMatchObject(split);
    expect(seen[0]).toEqual(["/api/models/acme/m/tree/main?recursive=true", "Bearer secret", undefined]);
    expect(seen[1]?.[1]).toBeUndefined();
    await expect(findModel("acme/m/none.gguf", { hub })).rejects.toMatchObject({ code: "hub_no_file" });
  });

  it("for the rest of a long list, on the same hub only", async () => {
    const other = await serveHub((_, response) => response.end(list("m-Q8_0.gguf")));
    const hub: string = await serveHub(({ url }, response) => {
      if (url?.includes("cursor=1"))
        return response.setHeader("link", `<${other}/more>; rel="next"`).end(list("m-Q4_0.gguf"));
      response.setHeader("link", `<${hub}${url}&cursor=1>; rel="next"`).end(list("m-F16.gguf"));
    });
    expect((await findModel("acme/m", { hub })).title).toBe("m-Q4_0");
    await expect(findModel("acme/m:Q8_0", { hub })).rejects.toMatchObject({
      code: "hub_no_quant",
      detail: "F16, Q4_0",
    });
  });

  it("and an endless answer, or one that is no list, is refused", async () => {
    let isLeft = false;
    const hub = await serveHub(({ url }, response) => {
      if (url?.includes("text")) return response.end("<!doctype html>");
      response.on("close", () => (isLeft = true));
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, " ")));
      };
      response.on("drain", more);
      more();
    });
    for (const repo of ["endless", "text"])
      await expect(findModel(`acme/${repo}`, { hub })).rejects.toMatchObject({ code: "hub_answer" });
    await vi.waitUntil(() => isLeft);
  });

  it.each([
    [401, /token/],
    [403, /terms/],
    [404, /owner and repository/],
    [429, /in 30 seconds/],
    [503, /later/],
  ])("status %d is a field of the error, with what to do", async (status, help) => {
    const hub = await serveHub((_, response) => response.writeHead(status, { "retry-after": "30" }).end());
    const error = await findModel("acme/m", { hub }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(HubError);
    expect(error).toMatchObject({ code: "http_status", status, reason: null, help: expect.stringMatching(help) });
  });

  it("and the cause is named if it does not answer", async () => {
    const hub = "http://127.0.0.1:9";
    const unreachable = { code: "network_error", status: undefined, reason: "unreachable" };
    await expect(findModel("acme/m", { hub })).rejects.toMatchObject(unreachable);
    vi.stubGlobal("navigator", { onLine: false });
    await expect(findModel("acme/m", { hub })).rejects.toMatchObject({ reason: "offline" });
    const stopped = AbortSignal.abort();
    await expect(findModel("acme/m", { hub, signal: stopped })).rejects.toBe(stopped.reason);
  });
});

describe("without a request", () => {
  it("a known model is found by its id, on the hub of the caller", async () => {
    for (const { id, source, sha256 } of [knownModels[0]!, knownEncoders[0]!]) {
      const { pathname } = new URL(source);
      const found = await findModel(id, { hub: "https://mirror.example" });
      expect(found).toMatchObject({ url: `https://mirror.example${pathname}`, ...(sha256 && { sha256: [sha256] }) });
    }
    expect(onHub("https://example.org/m.gguf", "https://mirror.example")).toBe("https://example.org/m.gguf");
  });

  it("a URL stays as it is", async () => {
    const url = "https://example.org/a/My%20Model-00001-of-00003.gguf?x=1";
    expect(await findModel(url)).toEqual({ url, title: "My Model", bytes: null, files: 1 });
    expect(titleOf("a/m.GGUF")).toBe("m");
  });

  it.each([
    ["tiny", {}, "tiny"],
    ["a/b", { hub: "no url" }, "hub"],
    ["a/b", { hub: "file:///models" }, "hub"],
    ["a/b", { tokens: "x" }, "unknown option: tokens"],
  ])("%j with %j is refused", async (source, options, detail) => {
    const error = { code: "bad_argument", detail: expect.stringContaining(detail) };
    await expect(findModel(source, options as HubOptions)).rejects.toMatchObject(error);
  });
});

describe("a token for downloads", () => {
  it("is told to the worker, with the only origin that gets it", async () => {
    const { pith, script } = await openScripted();
    const allowed = authorize(pith, "secret", { hub: "https://mirror.example/models" });
    await pith.status();
    const { id, request } = script.seen.find(({ request }) => (request as { type: string }).type === "authorize")!;
    expect(request).toEqual({ type: "authorize", origin: "https://mirror.example", token: "secret" });
    script.send(id, { type: "done", result: { type: "ok" } });
    await allowed;
    for (const token of ["", "two words", "line\n"])
      await expect(authorize(pith, token)).rejects.toMatchObject({ code: "bad_argument" });
    pith.close();
  });
});
