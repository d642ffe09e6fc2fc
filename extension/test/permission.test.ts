import { afterEach, beforeEach, expect, it, vi } from "vitest";

vi.mock("../src/host/writers/openai/connection.js", () => ({
  readConnection: async () => (server ? { base: server } : null),
}));
import { askForHost, giveBackHosts } from "../src/models/permission.js";

let server = "";
let granted: Set<string>;
let stored: Record<string, unknown>;

beforeEach(() => {
  server = "";
  granted = new Set(["https://before.example/*"]);
  stored = {};
  const local = {
    get: async (key: string) => ({ [key]: stored[key] }),
    set: async (changes: object) => void Object.assign(stored, changes),
  };
  type Origins = { origins: string[] };
  const permissions = {
    contains: async ({ origins }: Origins) => origins.every((one) => granted.has(one)),
    request: async ({ origins }: Origins) => {
      await new Promise((asked) => setTimeout(asked));
      for (const one of origins) granted.add(one);
      return true;
    },
    remove: async ({ origins }: Origins) => origins.every((one) => granted.delete(one)),
  };
  vi.stubGlobal("chrome", { storage: { local }, permissions });
});
afterEach(() => void vi.unstubAllGlobals());

it("a right that was given for a download goes when it has ended; one that was there before stays", async () => {
  for (const host of ["before", "one", "other"]) await askForHost(`https://${host}.example:8443/m.gguf`);
  expect(granted.size).toBe(3);
  await giveBackHosts("https://one.example/m.gguf");
  await giveBackHosts("https://before.example/m.gguf");
  expect([...granted]).toEqual(["https://before.example/*", "https://other.example/*"]);
  await giveBackHosts();
  expect([...granted]).toEqual(["https://before.example/*"]);
});

it("the reader's own server keeps its right", async () => {
  server = "https://one.example/v1";
  await askForHost("https://one.example/m.gguf");
  await giveBackHosts("https://one.example/m.gguf");
  expect(granted.has("https://one.example/*")).toBe(true);
});
