import { beforeEach, describe, expect, it, vi } from "vitest";
import { Pith } from "../src/client.js";
import { availability, configure } from "../src/built-in/engine.js";

const opened: { alive: boolean; status: () => Promise<object>; close: () => void }[] = [];

beforeEach(() => {
  opened.length = 0;
  vi.spyOn(Pith, "open").mockImplementation(async () => {
    const pith = { alive: true, status: async () => ({ models: [], stored: [] }), close: (): void => {} };
    opened.push(pith);
    return pith as unknown as Pith;
  });
  configure({});
});

describe("the worker of all sessions", () => {
  it("is one, also where several ask for it at once", async () => {
    await Promise.all([availability("model"), availability("model"), availability("model")]);
    expect(opened).toHaveLength(1);
    opened[0]!.alive = false;
    await Promise.all([availability("model"), availability("model")]);
    expect(opened).toHaveLength(2);
  });
});
