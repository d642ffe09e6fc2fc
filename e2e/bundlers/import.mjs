// Imports every module of the package outside of a browser, as server-side rendering does, and prints what it changed.

// Node itself replaces this one when it is first read.
void DOMException;

/** Each global with its value or its accessor, which is not called: some globals of Node are made at their first use. */
const globals = () =>
  new Map(
    Reflect.ownKeys(globalThis).map((name) => {
      const { value, get } = Object.getOwnPropertyDescriptor(globalThis, name);
      return [name, get ?? value];
    }),
  );
const before = globals();

const { Pith } = await import("@pith/web");
for (const name of ["openai", "built-in", "models"]) await import(`@pith/web/${name}`);

const after = globals();
const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
  (name) => !before.has(name) || !Object.is(before.get(name), after.get(name)),
);
const error = await Pith.open().catch(({ name, code, detail }) => ({ name, code, detail }));
// Nothing is left running: the process ends by itself.
console.log(JSON.stringify({ changed: changed.map(String), error }));
