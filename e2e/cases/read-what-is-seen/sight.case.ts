// What a reader does not see is not read, and nothing that a reader sees is lost.

import { expect, test } from "../../fixtures.ts";
import { closeRealPanel, press } from "../../helpers/panel.ts";
import { AFTER, BEFORE, readCase, SECRET, serveCase, sightCases, WITNESS } from "../../helpers/sight.ts";

test.describe.configure({ timeout: 300_000 });

/** Why a case does not run in Firefox. */
const MANY = "Firefox permits one document for each press of the button, and this opens hundreds";

/** Where a case is tried, as whether it stands below the fold: in both places with the long suites, else every second case in one. */
const places = (number: number): boolean[] => {
  if (process.env.PITH_FULL) return [false, true];
  return number % 2 === 0 ? [number % 4 === 2] : [];
};

const WORDS = [/secret/i, /praised/i];

test("hidden texts: none is read", async ({ page, site, extension, browserName }, info) => {
  test.skip(browserName === "firefox", MANY);
  const cases = sightCases("hidden");
  expect(cases.length).toBeGreaterThanOrEqual(40);
  await page.goto(site.url("/article/"));
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const read: string[] = [];
  const lost: string[] = [];
  for (const [number, one] of cases.entries()) {
    expect(one.html, one.name).toContain("SECRET");
    for (const isBelow of places(number)) {
      const text = await readCase(page, extension, tab, serveCase(site, "hidden", number, one, isBelow), true);
      const name = `${one.name}${isBelow ? " (below the fold)" : ""}`;
      if (WORDS.some((word) => word.test(text))) read.push(name);
      // Otherwise reading nothing at all would pass.
      if (!text.includes(BEFORE) || !text.includes(AFTER)) lost.push(`${name}: ${text}`);
    }
  }
  const figures = `${cases.length} tricks: ${read.length} read, text around ${lost.length} lost`;
  info.annotations.push({ type: "sight", description: figures });
  console.info(figures);
  expect({ read, lost }).toEqual({ read: [], lost: [] });
  expect(SECRET).toMatch(WORDS[0] ?? "");
});

test("visible look-alikes: none is lost", async ({ page, site, extension, errors, browserName }, info) => {
  test.skip(browserName === "firefox", MANY);
  errors.expect(/sight\/(?:none|grain)\.png/);
  const cases = sightCases("visible");
  expect(cases.length).toBeGreaterThanOrEqual(40);
  await page.goto(site.url("/article/"));
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const lost: string[] = [];
  for (const [number, one] of cases.entries()) {
    const count = one.html.split(/WITNESS|SPACED/).length - 1;
    expect(count, one.name).toBeGreaterThan(0);
    for (const isBelow of places(number)) {
      const text = await readCase(page, extension, tab, serveCase(site, "visible", number, one, isBelow));
      if (text.split(WITNESS).length - 1 !== count)
        lost.push(`${one.name}${isBelow ? " (below the fold)" : ""}: ${text}`);
    }
  }
  const figures = `${cases.length} look-alikes: ${lost.length} lost`;
  info.annotations.push({ type: "sight", description: figures });
  console.info(figures);
  expect(lost).toEqual([]);
});
