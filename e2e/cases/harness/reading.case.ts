// The arithmetic of `cargo xtask reading`.

import { expect, test } from "@playwright/test";
import { parseMarks, score } from "../../reading/score.ts";
import { words } from "../../reading/words.ts";

test("words are runs of letters, marks and digits, folded", () => {
  expect(words("The STRASSE, the straße: 3.5 km/h — don't")).toEqual([
    "the",
    "strasse",
    "the",
    "strasse",
    "3",
    "5",
    "km",
    "h",
    "don",
    "t",
  ]);
  expect(words("un\u00adseen cafe\u0301")).toEqual(["unseen", "café"]);
  expect(words("हिन्दी में")).toEqual(["हिन्दी", "में"]);
});

test("scripts without spaces count letter by letter", () => {
  expect(words("第3章は、港の話。Port 港")).toEqual(["第", "3", "章", "は", "港", "の", "話", "port", "港"]);
  expect(words("ท่าเรือ")).toEqual(["ท่", "า", "เ", "รื", "อ"]);
});

test("words are compared as multisets", () => {
  const marks = parseMarks("red red green\n\nblue\n! buy now\n");
  const { score: got } = score("page", marks, ["red green", "red red", "yellow"]);
  expect(got).toMatchObject({ words_main: 4, words_read: 5, precision: 3 / 5, recall: 3 / 4 });
  expect(got.f1).toBeCloseTo(2 / 3);
});

test("a forbidden line counts where it is read more often than it stands in the main text", () => {
  const marks = parseMarks("To share a bed, buy now or later.\n! Share\n! Buy now\n! Accept all cookies\n");
  expect(score("page", marks, ["To share a bed, buy now or later."]).score.forbidden_read).toBe(0);
  const { forbidden, score: got } = score("page", marks, ["Share", "To share a bed, buy", "now or later. Accept all"]);
  expect(forbidden.lines).toEqual(["Share"]);
  expect(got.forbidden_read).toBe(1 / 6);
  // A line may lie across two blocks.
  expect(score("page", marks, ["Accept", "all cookies"]).forbidden.lines).toEqual(["Accept all cookies"]);
});

test("an empty page scores nothing", () => {
  const { score: got } = score("page", parseMarks("some text\n! other"), []);
  expect(got).toMatchObject({ precision: 0, recall: 0, f1: 0, forbidden_read: 0 });
});
