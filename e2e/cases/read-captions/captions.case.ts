// Captions of a video are text of its page: which ones are read, what is fetched for them, and where their sources lead.

import type { Page } from "@playwright/test";
import { expect, type Extension, test } from "../../fixtures.ts";
import { type Site, serve } from "../../harness/server.ts";
import { closeRealPanel, press, summarize, summaryLines } from "../../helpers/panel.ts";
import { readPage } from "../../helpers/sight.ts";

const FACTS = [
  "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.",
  "Its gates are of oak, because the steel ones of 1931 rusted faster than anybody could paint them.",
];
const PROSE = FACTS.map((fact) => `<p>${fact}</p>`).join("");
const cue = (start: number, text: string): string =>
  `00:00:${String(start).padStart(2, "0")}.000 --> 00:00:${String(start + 4).padStart(2, "0")}.000\n${text}\n\n`;
const ENGLISH =
  `WEBVTT\n\n${cue(2, "<v Ottilie Brandt>The upper gate was closed in March,\nbecause a beaver")}` +
  `${cue(6, "<v Ottilie Brandt>had built its dam across the race.")}${cue(20, "<v Jan Sund>Nobody wanted to move the beaver before the young ones could swim.")}`;
const SPOKEN = [
  "The upper gate was closed in March, because a beaver had built its dam across the race.",
  "Nobody wanted to move the beaver before the young ones could swim.",
];
const GERMAN = `WEBVTT\n\n${cue(2, "Das obere Tor wurde im März wegen eines Bibers geschlossen.")}`;

/** Opens a page with this body, and tells a server's path of a file. */
async function open(site: Site, page: Page, name: string, body: string): Promise<void> {
  const answer = (path: string, type: string, text: string): void =>
    site.handle(path, (_, response) => void response.setHeader("content-type", type).end(text));
  answer(
    `/captions/${name}`,
    "text/html; charset=utf-8",
    `<!doctype html><html lang="en"><title>The lock of Averby</title><style>video{width:400px;height:200px}</style>
     <body><main><h1>The lock of Averby</h1>${body}</main></body></html>`,
  );
  answer("/captions/en.vtt", "text/vtt; charset=utf-8", ENGLISH);
  answer("/captions/de.vtt", "text/vtt; charset=utf-8", GERMAN);
  await page.goto(site.url(`/captions/${name}`));
}

async function texts(page: Page, extension: Extension): Promise<string[]> {
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const found = await readPage(extension, tab);
  if (typeof found === "string") throw new Error(found);
  return found.blocks.map(({ text }) => text);
}

const VIDEO = `<video controls aria-label="Film of the lock"><track kind="subtitles" src="de.vtt" srclang="de">
  <track kind="captions" src="en.vtt" srclang="en"></video>`;

test("captions that are switched off are read, and the page cannot tell", async ({ page, site, extension }) => {
  const before = site.requests.length;
  await open(site, page, "off", VIDEO + PROSE);
  await page.evaluate(() => {
    const video = document.querySelector("video")!;
    const seen: string[] = [];
    for (const name of ["change", "addtrack", "removetrack"])
      video.textTracks.addEventListener(name, () => seen.push(name));
    for (const track of video.querySelectorAll("track")) track.addEventListener("load", () => seen.push("load"));
    new MutationObserver((records) => records.forEach(({ type }) => seen.push(type))).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
    });
    Object.assign(window, { seen });
  });
  const read = await texts(page, extension);
  expect(read.slice(-3)).toEqual(["Film of the lock", ...SPOKEN]);
  expect(read).toHaveLength(6);
  const told = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(told).toEqual([]);
  const modes = await page.evaluate(() => [...document.querySelector("video")!.textTracks].map(({ mode }) => mode));
  expect(modes).toEqual(["disabled", "disabled"]);
  // One file: that of the page's language. The panel that the press opens may have begun to read, too.
  const fetched = site.requests.slice(before).filter((one) => one.endsWith(".vtt"));
  expect([...new Set(fetched)]).toEqual(["GET /captions/en.vtt"]);
});

test("a line names who says it and when; a click goes there", async ({ page, site, extension, context }) => {
  await open(site, page, "seek", `${PROSE}<div style="height:2500px"></div>${VIDEO}`);
  const { panel } = await summarize(context, extension, page, { length: "long" });
  const lines = await summaryLines(panel);
  const plain = lines.map((line) => line.replaceAll(/\s+/g, " "));
  const heard = [`Ottilie Brandt: ${SPOKEN[0]} 0:02`, `Jan Sund: ${SPOKEN[1]} 0:20`];
  const at = plain.findIndex((line) => heard.includes(line));
  expect(at, plain.join("\n")).toBeGreaterThanOrEqual(0);
  const second = plain[at] === heard[0] ? 2 : 20;
  for (const line of plain) expect([...heard, ...FACTS]).toContain(line);
  await panel.locator("#summary .passage").nth(at).click();
  await expect.poll(() => page.evaluate(() => document.querySelector("video")!.currentTime)).toBe(second);
  await expect
    .poll(() => page.evaluate(() => document.querySelector("video")!.getBoundingClientRect().top < innerHeight))
    .toBe(true);
  expect(await page.evaluate(() => document.querySelector("video")!.paused)).toBe(true);
});

test(
  "cues that a script of the page has made are read as they are",
  { tag: "@long" },
  async ({ page, site, extension }) => {
    await open(site, page, "script", `<video controls></video>${PROSE}`);
    await page.evaluate((spoken) => {
      const track = document.querySelector("video")!.addTextTrack("captions", "English", "en");
      track.mode = "hidden";
      for (const [at, text] of spoken.entries()) track.addCue(new VTTCue(at * 10, at * 10 + 9, text));
    }, SPOKEN);
    expect((await texts(page, extension)).slice(-2)).toEqual(["The lock of Averby", SPOKEN.join(" ")]);
  },
);

test(
  "nothing is fetched from another origin",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, errors }) => {
    // The browser tells that it stopped the detour.
    errors.expect(/moved\.vtt|en\.vtt/);
    const other = await serve({});
    try {
      await open(
        site,
        page,
        "other",
        `<video controls><track kind="captions" src="${other.url("/en.vtt")}" srclang="en"></video>${PROSE}`,
      );
      expect(await texts(page, extension)).toHaveLength(3);
      // Nor by a detour.
      site.handle(
        "/captions/moved.vtt",
        (_, response) => void response.writeHead(302, { location: other.url("/en.vtt") }).end(),
      );
      await open(
        site,
        page,
        "moved",
        VIDEO.replaceAll("en.vtt", "moved.vtt").replace(/<track kind="subtitles"[^>]*>/, "") + PROSE,
      );
      expect(await texts(page, extension)).toHaveLength(3);
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  },
);

test("a transcript on the page is not repeated", { tag: "@long-in-firefox" }, async ({ page, site, extension }) => {
  await open(
    site,
    page,
    "twice",
    `${VIDEO}${PROSE}<h2>Transcript</h2>${SPOKEN.map((one) => `<p>${one}</p>`).join("")}`,
  );
  const read = await texts(page, extension);
  expect(read.filter((one) => one === SPOKEN[0])).toHaveLength(1);
  expect(read).not.toContain("Film of the lock");
});

test("captions of what is not seen are not read", { tag: "@long" }, async ({ page, site, extension }) => {
  const hidden = [
    "hidden",
    'style="display:none"',
    'style="opacity:0"',
    'style="width:4px"',
    'style="position:absolute;left:-900px"',
  ].map((how) => VIDEO.replace("<video", `<video ${how}`));
  const before = site.requests.length;
  await open(site, page, "unseen", hidden.join("") + PROSE);
  expect(await texts(page, extension)).toHaveLength(3);
  expect(site.requests.slice(before).filter((one) => one.endsWith(".vtt"))).toEqual([]);
});

test(
  "a file that never comes delays the page by seconds only",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    await open(
      site,
      page,
      "slow",
      VIDEO.replaceAll("en.vtt", "never.vtt").replace(/<track kind="subtitles"[^>]*>/, "") + PROSE,
    );
    site.handle("/captions/never.vtt", () => new Promise(() => {}));
    const start = performance.now();
    expect(await texts(page, extension)).toHaveLength(3);
    expect(performance.now() - start).toBeLessThan(15_000);
  },
);

test(
  "names on the page that shadow members of the DOM do no harm",
  { tag: "@long" },
  async ({ page, site, extension }) => {
    const names = ["textTracks", "currentTime", "createElement", "tracks", "src", "append"];
    const inputs = names.map((name) => `<input name="${name}"><img name="${name}" alt="">`).join("");
    await open(site, page, "names", `<form>${inputs}${VIDEO}${PROSE}</form>`);
    expect((await texts(page, extension)).slice(-2)).toEqual(SPOKEN);
  },
);
