import { expect, it } from "vitest";
import type { ModelInfo, Outcome } from "../src/protocol.gen.js";
import { Registry } from "../src/shared/registry.js";
import type { Sent, State } from "../src/shared/wire.js";

const EMPTY: State = { settings: {}, tokens: [], models: [] };
const sent = (request: object, files?: File[]): Sent =>
  ({ version: 1, id: 1, request, ...(files && { files }) }) as unknown as Sent;
const loaded = (name: string): Outcome => ({ type: "loaded", model: { name } as ModelInfo });
const ok: Outcome = { type: "ok" };
const authorize = (token: string | null) => ({ type: "authorize", origin: "https://hub.example", token });
const names = ({ models }: State): string[] => models.map(({ model }) => model.name);

/** One tab gives a token and loads a picked file, another one loads a file of the site. */
function used(): Registry {
  const registry = new Registry(EMPTY, () => {});
  registry.note(sent(authorize("secret")), "one", ok);
  registry.note(sent({ type: "load", name: "picked" }, [new File(["a"], "mine.gguf")]), "one", loaded("picked"));
  registry.note(sent({ type: "load", name: "of-the-site" }), "two", loaded("of-the-site"));
  return registry;
}

it("tells tokens and picked files to the tab alone that gave them", () => {
  const registry = used();
  expect(names(registry.stateFor("one"))).toEqual(["picked", "of-the-site"]);
  expect(registry.stateFor("one").tokens).toEqual([authorize("secret")]);
  expect(names(registry.stateFor("two"))).toEqual(["of-the-site"]);
  expect(registry.stateFor("two").tokens).toEqual([]);
});

it("hears of them from that tab when another worker begins, and keeps them its own", () => {
  const before = used();
  const after = new Registry(before.stateFor("two"), () => {});
  expect(after.first).toEqual([]);
  expect(after.adopt("one", before.stateFor("one"))).toEqual([authorize("secret")]);
  expect(names(after.stateFor("one")).sort()).toEqual(["of-the-site", "picked"]);
  expect(after.stateFor("one").tokens).toEqual([authorize("secret")]);
  expect(names(after.stateFor("two"))).toEqual(["of-the-site"]);
  expect(after.stateFor("two").tokens).toEqual([]);
});

it("forgets a token that was taken back, whoever gave it", () => {
  const registry = used();
  registry.note(sent(authorize(null)), "two", ok);
  expect(registry.stateFor("one").tokens).toEqual([]);
});

it("a tab that has picked the same file may hand it on", () => {
  const registry = used();
  const { load } = registry.stateFor("one").models[0]!;
  expect(registry.answer("two", sent(load.request, load.files))).toMatchObject({ type: "loaded" });
  expect(names(registry.stateFor("two"))).toEqual(["picked", "of-the-site"]);
});
