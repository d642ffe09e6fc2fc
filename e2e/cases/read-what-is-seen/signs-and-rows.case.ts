// What is drawn as a sign, laid out as a row without being a table, or shown in another order than it is written.

import { expect, test } from "../../fixtures.ts";
import { readBody, readServed } from "../../helpers/read-body.ts";

const LEAD = "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.";
const LAST = "In winter it stays shut, and the keeper paints the gates, the beams and the rails along the wall.";
const DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** The texts between the first and the last paragraph. */
const between = (texts: readonly string[]): string[] => {
  expect(texts.slice(0, 2)).toEqual(["Locks", LEAD]);
  expect(texts.at(-1)).toBe(LAST);
  return texts.slice(2, -1).map((text) => text.replaceAll("\t", " | "));
};
const around = (body: string): string => `<main><h1>Locks</h1><p>${LEAD}</p>${body}<p>${LAST}</p></main>`;

test("pictures of signs, drawn quotation marks and rolling digits are read as the eye sees them", async ({
  page,
  site,
  extension,
}) => {
  const image = (alt: string, size = 16): string => `<img alt="${alt}" src="${DOT}" width="${size}" height="${size}">`;
  const roll = (digit: number): string =>
    `<span style="display:inline-block;height:1.2em;line-height:1.2em;overflow:hidden"><span style="display:block;transform:translateY(-${digit * 1.2}em)">${[..."0123456789"].map((one) => `<span style="display:block;height:1.2em">${one}</span>`).join("")}</span></span>`;
  const body = `<style>.bare q::before, .bare q::after { content: "" }</style>
    <p>The crossing was ${image("👍🏽")} and the soup was ${image("🔥")}, they wrote, ${image("a secret of words")} and ${image("🦊", 2)} is none.</p>
    <p>She wrote <q>they say <q>come in</q> here</q>, and calls it <span style="quotes: '«' '»'"><q>the gate</q></span>.</p>
    <p class="bare">He said <q>no marks here</q> and left.</p>
    <p>${roll(3)}${roll(4)}${roll(7)} boats passed, of which ${roll(9)} were yawls.</p>
    <table><tr><th>What it has</th><th>Buoy</th><th>Berth</th></tr>
      <tr><td>Water</td><td>${image("No")}</td><td><svg width="16" height="16" role="img" aria-label="Yes"><path d="M0 0h9"/></svg></td></tr>
      <tr><td>Power</td><td><i class="icon-x" style="display:inline-block;width:16px;height:16px"></i></td><td><i class="fa fa-check" style="display:inline-block;width:16px;height:16px"></i></td></tr>
      <tr><td>Light</td><td>${image("whatever else is said")}</td><td>Yes ${image("Yes")}</td></tr></table>`;
  const { blocks } = await readBody(site, page, extension, "/signs", "Locks", around(body));
  expect(between(blocks.map(({ text }) => text))).toEqual([
    "The crossing was 👍🏽 and the soup was 🔥, they wrote, and is none.",
    "She wrote “they say ‘come in’ here”, and calls it «the gate».",
    "He said no marks here and left.",
    "347 boats passed, of which 9 were yawls.",
    "What it has | Buoy | Berth",
    "Water | ✗ | ✓",
    "Power | ✗ | ✓",
    "Light |  | Yes",
  ]);
});

test("a cell over several rows belongs to each; rows without a table are rows", async ({ page, site, extension }) => {
  const pair = (label: string, value: string): string => `<div><div>${label}</div><div>${value}</div></div>`;
  const float = (label: string, value: string): string =>
    `<p style="overflow:hidden"><span style="float:left">${label}</span><span style="float:right">${value}</span></p>`;
  const body = `<table><tr><th rowspan="2">Line</th><th colspan="2">Leaves</th></tr><tr><th>From</th><th>At</th></tr>
      <tr><th rowspan="3">Red</th><td>Holm</td><td>8:00</td></tr><tr><td>Skarv</td><td rowspan="2">8:20</td></tr><tr><td>Wick</td></tr>
      <tr><td>Blue</td><td>Wick</td><td>9:00</td></tr></table>
    <div style="display:grid;grid-template-columns:1fr 1fr 1fr"><div style="display:contents"><b>Boat</b><b>Day</b><b>Week</b></div>
      <div style="display:contents"><span>Sloop</span><span>12 €</span><span>60 €</span></div></div>
    <div style="display:flex;gap:9px">${pair("Depth", "4.2 m")}${pair("Berths", "347")}</div>
    ${float("Crane", "12 t")}${float("Slip", "60 t")}`;
  const { blocks } = await readBody(site, page, extension, "/rows", "Locks", around(body));
  expect(between(blocks.map(({ text }) => text))).toEqual([
    "Line | Leaves",
    "From | At",
    "Red | Holm | 8:00",
    "Red | Skarv | 8:20",
    "Red | Wick | 8:20",
    "Blue | Wick | 9:00",
    "Boat | Day | Week",
    "Sloop | 12 € | 60 €",
    "Depth | 4.2 m",
    "Berths | 347",
    "Crane | 12 t",
    "Slip | 60 t",
  ]);
  expect(blocks[6]?.headers).toEqual(["Line", "Leaves From", "Leaves At"]);
});

test("parts below each other are read in the order in which they are shown", async ({ page, site, extension }) => {
  const body = `<div style="display:flex;flex-direction:column-reverse"><p>Third, the barge drops the silt at sea.</p>
      <p>Second, the pump lifts it into the barge.</p><p>First, divers mark the channel.</p></div>
    <div style="display:grid"><p style="order:2">Then the gate opens for the boats.</p><p style="order:1">At noon the lamp is lit.</p></div>`;
  const { blocks } = await readBody(site, page, extension, "/order", "Locks", around(body));
  expect(between(blocks.map(({ text }) => text))).toEqual([
    "First, divers mark the channel.",
    "Second, the pump lifts it into the barge.",
    "Third, the barge drops the silt at sea.",
    "At noon the lamp is lit.",
    "Then the gate opens for the boats.",
  ]);
});

test("items of a list have their numbers where the page refers to them", async ({ page, site, extension }) => {
  const body = `<ol start="4"><li>Close the lower gate.</li><li>Open the sluice.</li><li value="9">Tie the boat to the ring.</li></ol>
    <p>If the boat swings, repeat step 5 until it lies still beside the wall.</p>
    <ol style="list-style: lower-roman"><li>Boats with sails pass first.</li><li>Barges wait behind the buoy.</li></ol>
    <p>Rule (ii) does not hold on Sundays, when nobody works at the lock.</p>
    <ol reversed style="list-style: upper-alpha"><li>Ask the keeper.</li><li>Ask the clerk.</li></ol>
    <p>Point B comes before all others at high water in the spring.</p>
    <ol style="list-style: none"><li>This has no number on the page.</li><li>Nor has this one.</li></ol>
    <ol start="20"><li>Nobody refers to this one.</li><li>It stays as it is.</li></ol>`;
  const { blocks } = await readBody(site, page, extension, "/numbers", "Locks", around(body));
  expect(between(blocks.map(({ text }) => text)).filter((text) => text.length < 40)).toEqual([
    "4. Close the lower gate.",
    "5. Open the sluice.",
    "9. Tie the boat to the ring.",
    "i. Boats with sails pass first.",
    "ii. Barges wait behind the buoy.",
    "B. Ask the keeper.",
    "A. Ask the clerk.",
    "This has no number on the page.",
    "Nor has this one.",
    "Nobody refers to this one.",
    "It stays as it is.",
  ]);
});

test("of a text that is cut off, what is shown is read", async ({ page, site, extension }) => {
  const clamp = "display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;width:22em";
  const body = `<p style="${clamp}">The clamp shows the first two lines of this paragraph, which goes on for more words than fit, and then a secret is told.</p>
    <p style="white-space:nowrap;overflow:hidden;text-overflow:ellipsis;width:14em">A line that is cut by an ellipsis, and then a secret is told.</p>`;
  const { blocks } = await readBody(site, page, extension, "/clamp", "Locks", around(body));
  const texts = between(blocks.map(({ text }) => text)).join(" ");
  expect(texts).toContain("The clamp shows the first two");
  expect(texts).not.toContain("secret");
});

test("numbers of lines, tags of XML and data before Markdown are no text", async ({
  page,
  site,
  extension,
  browserName,
}) => {
  const line = (number: number, code: string): string => `<span class="ln">${number}</span>${code}\n`;
  const body = `<pre><code>${line(9, "open gate")}${line(10, "wait")}${line(11, "close gate")}</code></pre>
    <pre><code>lift <span class="n">3</span> boats\nlower <span class="n">4</span> boats</code></pre>`;
  const { blocks } = await readBody(site, page, extension, "/lines", "Locks", around(body));
  expect(between(blocks.map(({ text }) => text))).toEqual([
    "open gate\nwait\nclose gate",
    "lift 3 boats\nlower 4 boats",
  ]);
  if (browserName === "firefox") return;
  const xml = `<?xml version="1.0"?><notes><note>${LEAD}</note><note who="keeper">${LAST}</note></notes>`;
  const file = await readServed(site, page, extension, "/notes.xml", xml, "application/xml");
  expect(file.blocks.map(({ text }) => text)).toEqual([LEAD, LAST]);
  const markdown = `---\ntitle: "Notes of the keeper"\ntags: [a, b]\n---\n\nLocks\n=====\n\n${LEAD}\n\nDues\n----\n\n| Boat | Day |\n|---|---:|\n| Sloop | 12 € |\n| Yawl | 18 € |\n\n${LAST}\n`;
  const read = await readServed(site, page, extension, "/head.md", markdown, "text/plain; charset=utf-8");
  expect(read.blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "heading: Locks",
    `paragraph: ${LEAD}`,
    "heading: Dues",
    "paragraph: Boat | Day",
    "paragraph: Sloop | 12 €",
    "paragraph: Yawl | 18 €",
    `paragraph: ${LAST}`,
  ]);
});
