import { expect, it } from "vitest";
import { loopStart } from "../src/host/writers/loop.js";

it("finds where a text begins to repeat itself", () => {
  for (const [begin, piece, times] of [
    ["بيشناب ", "الأخصاصية ", 7],
    ["It is about a bog. ", "A bog is a bog, and so it is said that a bog is a bog. ", 4],
    ["泥炭は", "古い。", 22],
    ["Ha", "!", 64],
  ] as const) {
    const text = begin + piece.repeat(times);
    const start = loopStart(text);
    expect(text.slice(0, start ?? -1).trimEnd(), text).toBe((begin + piece).trimEnd());
    // A letter of the next one has come.
    expect(loopStart(text + piece[0]), text).not.toBeNull();
  }
});

it("leaves lists, refrains and figures alone", () => {
  for (const text of [
    "",
    "One, two, three, four, one, two, three, four.",
    "Row, row, row your boat, gently down the stream. Merrily, merrily, merrily, merrily.",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
    `1${"0".repeat(40)}`,
    "- The mill was built in 1761.\n- The mill was sold in 1790.\n- The mill was burnt in 1802.\n- The mill was rebuilt in 1804.\n",
  ])
    expect(loopStart(text), text).toBeNull();
});

it("takes no time for a long text", () => {
  const text = Array.from({ length: 4_000 }, (_, at) => `word${(at * 7919) % 4_001} `).join("");
  const start_ms = performance.now();
  for (let round = 0; round < 100; round++) loopStart(text);
  expect(performance.now() - start_ms).toBeLessThan(500);
});
