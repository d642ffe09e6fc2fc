// Lines as a style or a file sets them: of code, of posts, of plain text; and buttons, numbers and signs within a line.

import { expect, test } from "../../fixtures.ts";
import { readBody, readServed } from "../../helpers/read-body.ts";

const LEAD = "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.";
const LAST = "In winter it stays shut, and the keeper paints the gates, the beams and the rails along the wall.";
const DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const CODE = "def lift(boat):\n    for gate in gates:\n        gate.open(boat)";

/** The blocks between the first and the last paragraph. */
const between = (blocks: readonly { kind: string; text: string }[]): string[] => {
  const texts = blocks.map(({ kind, text }) => `${kind}: ${text}`);
  expect(texts.slice(0, 2)).toEqual(["heading: Locks", `paragraph: ${LEAD}`]);
  expect(texts.at(-1)).toBe(`paragraph: ${LAST}`);
  return texts.slice(2, -1).map((text) => text.replaceAll("\t", " | "));
};
const around = (body: string): string => `<main><h1>Locks</h1><p>${LEAD}</p>${body}<p>${LAST}</p></main>`;

test("a button between the words of a sentence is one of them", async ({ page, site, extension }) => {
  const body = `<p>The <button style="all: unset">sill</button> holds the water back, and keeps the wall of the basin from falling in.</p>
    <p>Water comes through the <span class="term"><span role="button" tabindex="0">culvert</span></span> and leaves by the <button aria-expanded="false">sluice</button>, which is older.</p>
    <p><button>Divers</button> look at both of them twice a year. They bring their own lamps and a long rope.</p>
    <pre><button>Copy</button>lift boats one by one. then rest\nlower them\nand wait</pre>
    <p>Boats of the town go first, whatever the hour. <button>Copy</button> <button>Share</button></p>
    <p>Each gate weighs nine tonnes and is moved by hand, with a wheel. <button>Show the wheel</button></p>`;
  const { blocks, coverage } = await readBody(site, page, extension, "/lines/buttons", "Locks", around(body));
  expect(between(blocks)).toEqual([
    "paragraph: The sill holds the water back, and keeps the wall of the basin from falling in.",
    "paragraph: Water comes through the culvert and leaves by the sluice, which is older.",
    "paragraph: Divers look at both of them twice a year. They bring their own lamps and a long rope.",
    "code: lift boats one by one. then rest\nlower them\nand wait",
    "paragraph: Boats of the town go first, whatever the hour.",
    "paragraph: Each gate weighs nine tonnes and is moved by hand, with a wheel.",
  ]);
  expect(coverage.leftOut).toEqual([expect.objectContaining({ kind: "controls", count: 4 })]);
});

test("line ends that a style keeps part paragraphs as breaks do", async ({ page, site, extension }) => {
  const body = `<div style="white-space: pre-wrap">The gates were painted on Monday,
and the paint of the upper one is still wet.

Boats pass at their own risk until it is dry.</div>
    <div style="white-space: pre-line"><span>Nobody has leaned on the rails so far.

</span><span>A heron has, and it has a green foot now.</span></div>
    <div style="white-space: normal">A line end without such a style

parts nothing, wherever it stands.</div>`;
  const { blocks } = await readBody(site, page, extension, "/lines/kept", "Locks", around(body));
  expect(between(blocks)).toEqual([
    "paragraph: The gates were painted on Monday, and the paint of the upper one is still wet.",
    "paragraph: Boats pass at their own risk until it is dry.",
    "paragraph: Nobody has leaned on the rails so far.",
    "paragraph: A heron has, and it has a green foot now.",
    "paragraph: A line end without such a style parts nothing, wherever it stands.",
  ]);
});

test("lines of code that are elements keep their ends and indents", async ({ page, site, extension }) => {
  const lines = CODE.split("\n");
  const boxes = lines.map((line) => `<div class="line">${line}</div>`).join("");
  const rows = (number: (at: number) => string): string =>
    `<table>${lines.map((line, at) => `<tr>${number(at)}<td style="white-space: pre; font-family: ui-monospace, monospace">${line}</td></tr>`).join("")}</table>`;
  const body = `<pre><code>${boxes}</code></pre><h2>Breaks</h2><pre>${lines.join("<br>")}</pre>
    <h2>Rows</h2>${rows((at) => `<td data-line-number="${at}"></td>`)}<h2>Numbers</h2>${rows((at) => `<td>${at + 7}</td>`)}`;
  const { blocks } = await readBody(site, page, extension, "/lines/code", "Locks", around(body));
  const code = `code: ${CODE}`;
  const wanted = [code, "heading: Breaks", code, "heading: Rows", code, "heading: Numbers", code];
  expect(between(blocks)).toEqual(wanted);
});

test("a label that a style writes is read whole or not at all; a sign in a line is read", async ({
  page,
  site,
  extension,
}) => {
  const image = (alt: string, size: number): string =>
    `<img alt="${alt}" src="${DOT}" width="${size}" height="${size}">`;
  const body = `<style>h2 { counter-increment: part } .part::before { content: "Part " counter(part) ": " }
    .note::before { content: "Note: " } .dot::before { content: counter(part, disc) " Hint: " }</style>
    <h2 class="part">Gates</h2><p class="note">They are of oak.</p><p class="dot">They float when they break.</p>
    <p>In May the water has 12 ${image("°", 14)} and flows ${image("→", 14)} the sea, past ${image("+", 90)} the mill.</p>`;
  const { blocks } = await readBody(site, page, extension, "/lines/labels", "Locks", around(body));
  expect(between(blocks)).toEqual([
    "heading: Gates",
    "paragraph: Note: They are of oak.",
    "paragraph: Hint: They float when they break.",
    "paragraph: In May the water has 12 ° and flows → the sea, past the mill.",
  ]);
});

test("a file of XML is read by its elements, under its title", async ({ page, site, extension }) => {
  const item = (title: string, text: string): string =>
    `<item><title>${title}</title><link>https://lock.example/1</link><guid>a1b2-c3d4</guid><description>${text}</description></item>`;
  const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>News of the lock</title>${item("Boats", LEAD)}${item("Winter", `<![CDATA[<p>${LAST.replace("keeper", "<b>keeper</b>")}</p>]]>`)}</channel></rss>`;
  const read = async (name: string, xml: string): Promise<{ texts: string[]; tab: number }> => {
    const { blocks, tab } = await readServed(site, page, extension, `/lines/${name}.xml`, xml, "application/xml");
    return { texts: blocks.map(({ text }) => text), tab };
  };
  const { texts, tab } = await read("feed", feed);
  expect(texts).toEqual(expect.arrayContaining(["News of the lock", LEAD, LAST]));
  expect(texts.join()).not.toMatch(/https:|a1b2/);
  // All of a tree is shown, also what no script can find in it.
  const source = { block: texts.indexOf(LAST), start: 0, end: LAST.length, text: LAST };
  const drawn = await extension.evaluate<{ places: { isFound: boolean }[] }>(
    "background.js",
    `chrome.scripting.executeScript({ target: { tabId: ${tab} }, func: (source) => pithPage.drawn([source]), args: [${JSON.stringify(source)}] })
      .then(([{ result }]) => result)`,
  );
  expect(drawn.places.map(({ isFound }) => isFound)).toEqual([true]);
  // Where a file has parts of a page in it, browsers show its words without the tree.
  const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Lock</title><entry><summary>${LEAD}</summary></entry>
    <entry><id>urn:x</id><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>${LAST}</p><p style="display: none">The secret of it all is here.</p></div></content></entry></feed>`;
  expect((await read("atom", atom)).texts).toEqual([LEAD, LAST]);
});

test("plain text has paragraphs that are indented, rows of cells, and Markdown its notes", async ({
  page,
  site,
  extension,
  browserName,
}) => {
  if (browserName === "firefox") return;
  const text = `LOCKS\n\n   ${LEAD}\nIt has hand-\ndriven gates.\n   It was built by hand.\n\nBoat\tRise\nSloop\t4.2\nYawl\t3.9\n${LAST}\n`;
  const plain = await readServed(site, page, extension, "/lines/plain.txt", text, "text/plain; charset=utf-8");
  expect(plain.blocks.map(({ kind, text: one }) => `${kind}: ${one.replaceAll("\t", " | ")}`)).toEqual([
    "paragraph: LOCKS",
    `paragraph: ${LEAD} It has hand-driven gates.`,
    "paragraph: It was built by hand.",
    "table: Boat | Rise",
    "table: Sloop | 4.2",
    "table: Yawl | 3.9",
    `paragraph: ${LAST}`,
  ]);
  const markdown = `+++\ntitle = "Locks"\n+++\n\n${LEAD}[^1] It is ~~new~~ _old_.\n\n<!-- check\nit -->\n\n\`\`\`\n${CODE}\n\`\`\`\n\n${LAST}\n\n[^1]: By hand.\n`;
  const read = await readServed(site, page, extension, "/lines/notes.md", markdown, "text/plain; charset=utf-8");
  expect(read.blocks.map(({ kind, text: one }) => `${kind}: ${one}`)).toEqual([
    `paragraph: ${LEAD} It is old.`,
    `code: ${CODE}`,
    `paragraph: ${LAST}`,
    "paragraph: By hand.",
  ]);
});

test("a title goes without the name that the site gives itself; languages are named in either way", async ({
  page,
  site,
  extension,
}) => {
  const metadataOf = async (name: string, title: string): Promise<unknown> => {
    const html = `<!doctype html><html lang="de_AT"><meta property="og:site_name" content="Tune Post"><title>${title}</title><p>${LEAD}</p><p>${LAST}</p></html>`;
    const { tab } = await readServed(site, page, extension, `/lines/${name}`, html);
    return extension.evaluate(
      "background.js",
      `chrome.scripting.executeScript({ target: { tabId: ${tab} }, func: async () => (await pithPage.picture()).metadata })
        .then(([{ result: { title, language } }]) => ({ title, language }))`,
    );
  };
  const language = "de-AT";
  expect(await metadataOf("site", "Plus/Minus - a band | Tune Post")).toEqual({
    title: "Plus/Minus - a band",
    language,
  });
  expect(await metadataOf("colon", "Locks: what they are")).toEqual({ title: "Locks: what they are", language });
  expect(await metadataOf("other", "Tune Post - a paper")).toEqual({ title: "Tune Post - a paper", language });
});
