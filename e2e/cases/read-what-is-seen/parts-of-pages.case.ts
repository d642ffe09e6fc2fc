// What pages keep closed, show late, draw, or take from elsewhere; editors; documents in other formats than HTML.

import { expect, type Extension, test } from "../../fixtures.ts";
import { readBody, readServed } from "../../helpers/read-body.ts";
import { readPage } from "../../helpers/sight.ts";

const LEAD = "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.";
const LAST = "The keeper writes all of it down in a book, which nobody has ever asked to read.";

/** Enough that is open: a page that is made of closed sections is opened. */
const OPEN = `The lock was built in 1804 by a miller, who wanted to sell flour in the town and had no road that would carry a cart in winter.
  Its walls are of sandstone from a quarry two miles upstream, and its first gates were made of elm by a man who built barns.
  The second lock beside it was begun in 1862 and never finished, since the railway came first and took the flour with it.
  What is left of it is a basin full of reeds, in which the village learns to swim.`;
const CLOSED = `<details><summary>What does it cost?</summary><p>A permit costs 40 euros a year and is sent by post.</p></details>
  <details name="one"><summary>Who can apply?</summary><p>Everybody with a boat may apply, and nobody is asked why.</p></details>
  <h3><button aria-expanded="false" aria-controls="long">How long does it take?</button></h3><div id="long" hidden><p>It takes about eleven days in summer, and a month in winter.</p></div>
  <input type="checkbox" id="dog" hidden><label for="dog">May I bring a dog?</label><div class="fold"><p>Yes, if it can swim and likes the company of ducks.</p></div>
  <style>.fold { display: none } #dog:checked ~ .fold { display: block }</style>
  <script>document.querySelector("h3 button").onclick = ({ target }) => { target.ariaExpanded = "true"; document.querySelector("#long").hidden = false; };</script>`;
const QUESTIONS = [
  "What does it cost?",
  "Who can apply?",
  "How long does it take?",
  "May I bring a dog?",
  "How do I pay?",
];
const ANSWERS = [/40 euros/, /nobody is asked/, /eleven days/, /can swim/, /In cash/];

/** Asks the page to open what is closed and to show what appears by scrolling, and reads it again. */
async function unfolded(extension: Extension, tab: number): Promise<string[]> {
  const ask = `chrome.scripting.executeScript({ target: { tabId: ${tab} }, func: () => pithPage.unfold() }).then(() => null)`;
  await extension.evaluate("background.js", ask);
  const found = await readPage(extension, tab);
  if (typeof found === "string") throw new Error(found);
  return found.blocks.map(({ text }) => text);
}

test("closed sections are counted with what heads them, and are read once they are opened", async ({
  page,
  site,
  extension,
}) => {
  // A heading that can be pressed is one as well.
  const heading = `<h3 style="cursor: pointer" onclick="this.nextElementSibling.style.display = 'block'">How do I pay?</h3><div style="display: none"><p>In cash, at the upper gate, and before noon.</p></div>`;
  const menu = `<nav><button aria-expanded="false">Menu</button><ul hidden><li>All about the lock of Averby and more</li></ul></nav>`;
  const body = `${menu}<main><h1>Permits</h1><p>${LEAD}</p><p>${OPEN}</p><p>${LAST}</p>${CLOSED}${heading}</main>`;
  const { blocks, coverage, tab } = await readBody(site, page, extension, "/parts/closed", "Permits", body);
  expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "heading: Permits",
    `paragraph: ${LEAD}`,
    `paragraph: ${OPEN.replace(/\s+/g, " ")}`,
    `paragraph: ${LAST}`,
  ]);
  const closed = coverage.leftOut.find(({ kind }) => kind === "closed");
  expect(closed).toEqual({ kind: "closed", count: 5, words: expect.any(Number), texts: QUESTIONS });
  expect(closed!.words).toBeGreaterThan(35);
  expect(JSON.stringify(coverage)).not.toMatch(/40 euros|can swim/);
  const texts = await unfolded(extension, tab);
  for (const [at, question] of QUESTIONS.entries()) expect(texts[texts.indexOf(question) + 1]).toMatch(ANSWERS[at]!);
});

test("buttons and labels that head an open section are its heading", async ({ page, site, extension }) => {
  const body = `<main><h1>Questions</h1><p>${LEAD}</p>
    <div><button aria-expanded="true"><h3>May I keep hens?</h3></button><div><p>Up to six, if the nearest neighbour has agreed in writing.</p></div></div>
    <div><button aria-expanded="true">When is it open?</button><div><p>Every day of the year but one, from six in the morning.</p></div></div>
    <div><input type="checkbox" id="q" checked hidden><label for="q">Is there a deposit?</label><div><p>Yes, 80 euros in cash, which you get back.</p></div></div>
    <form><label for="n">Your name</label><input id="n"><label><input type="checkbox"> I agree to all of it</label><button>Send</button></form></main>`;
  const { blocks, coverage } = await readBody(site, page, extension, "/parts/heads", "Questions", body);
  expect(blocks.filter(({ kind }) => kind === "heading").map(({ text }) => text)).toEqual([
    "Questions",
    "May I keep hens?",
    "When is it open?",
    "Is there a deposit?",
  ]);
  expect(coverage.leftOut.find(({ kind }) => kind === "controls")?.texts).toEqual([
    "Your name",
    "I agree to all of it",
    "Send",
  ]);
});

test("text that appears by scrolling is counted and named, and is read once it was shown", async ({
  page,
  site,
  extension,
}) => {
  const part = (style: string, text: string): string =>
    `<section class="late" style="${style}"><h2>Later</h2><p>${text}</p><div style="height: 70vh"></div></section>`;
  const body = `<style>.late { transition: opacity .2s } .late.in { opacity: 1 !important; visibility: visible !important; transform: none !important }</style>
    <main><h1>Forty years</h1><p>${LEAD}</p><div style="height: 95vh"></div>
    ${part("opacity: 0; transform: translateY(24px)", "The class raised 3,000 pounds and nailed a roof of tin over the wheel.")}
    ${part("visibility: hidden", "A turbine of eleven kilowatts now lights the village hall all winter.")}</main>
    <div style="position: absolute; opacity: 0">A menu that nobody has opened has many words as well.</div>
    <script>const o = new IntersectionObserver((all) => all.forEach((one) => one.isIntersecting && one.target.classList.add("in")));
      document.querySelectorAll(".late").forEach((one) => o.observe(one));</script>`;
  const { blocks, coverage, tab } = await readBody(site, page, extension, "/parts/late", "Forty years", body);
  expect(blocks.map(({ text }) => text)).toEqual(["Forty years", LEAD]);
  expect(coverage.leftOut).toEqual([{ kind: "unseen", count: 2, words: expect.any(Number), texts: [] }]);
  expect(coverage.wordsVisible).toBeGreaterThan(coverage.wordsRead + 20);
  expect((await unfolded(extension, tab)).join(" ")).toMatch(/roof of tin.*eleven kilowatts/);
});

test("the text of an editor is read; what a page draws or frames from elsewhere is refused in words", async ({
  page,
  site,
  extension,
  browserName,
}) => {
  const editor = `<div><button>Share</button></div><div contenteditable="true" role="textbox" aria-multiline="true"><h1>Minutes</h1><p>${LEAD}</p><p>${LAST}</p></div>
    <div contenteditable="true" role="textbox">Write a message</div>`;
  const { blocks } = await readBody(site, page, extension, "/parts/editor", "Minutes", editor);
  expect(blocks.map(({ text }) => text)).toEqual(["Minutes", LEAD, LAST]);
  // Firefox permits one document for each press of the button.
  if (browserName === "firefox") return;
  const tools = ["File", "Edit", "View", "Insert", "Format"].map((one) => `<div role="menuitem">${one}</div>`).join("");
  const drawn = `${tools}<canvas width="900" height="600"></canvas><p>Headings that you add to the document will appear here in a moment.</p>`;
  const canvas = await readBody(site, page, extension, "/parts/canvas", "Plan", drawn);
  expect([canvas.blocks, canvas.problem]).toEqual([[], "text_drawn"]);
  const other = site.url("/article/").replace("127.0.0.1", "localhost");
  const framed = `<nav><a href="#">Courses</a> <a href="#">Calendar</a></nav><h1>Unit 3: lights and buoys of the sound</h1><iframe src="${other}" style="width: 100%; height: 500px"></iframe>`;
  const frame = await readBody(site, page, extension, "/parts/framed", "Course", framed);
  expect([frame.blocks, frame.problem]).toEqual([[], "text_in_frame"]);
});

test("XHTML is read as HTML, ruby without its readings, a set of frames in its order", async ({
  page,
  site,
  extension,
  browserName,
}) => {
  const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml" lang="ja"><head><title>川</title></head><body><h1>川</h1>
    <p>${LEAD}<sup><a href="#n">[1]</a></sup><br/><br/>${LAST}</p><table><tr><th>Lock</th><th>Rise</th></tr><tr><td>Holm</td><td>4.2 m</td></tr></table>
    <p><ruby>町<rp>(</rp><rt>まち</rt><rp>)</rp></ruby>の中を流れる<ruby>川<rt>かわ</rt></ruby>の水位が三メートルまで上がりました。</p><button>Map</button></body></html>`;
  const { blocks } = await readServed(site, page, extension, "/parts/page.xhtml", xhtml, "application/xhtml+xml");
  expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "heading: 川",
    `paragraph: ${LEAD}`,
    `paragraph: ${LAST}`,
    "table: Lock\tRise",
    "table: Holm\t4.2 m",
    "paragraph: 町の中を流れる川の水位が三メートルまで上がりました。",
  ]);
  if (browserName === "firefox") return;
  const file = (name: string, html: string): void =>
    site.handle(`/parts/${name}`, (_, response) => void response.setHeader("content-type", "text/html").end(html));
  file("contents", `<ul><li><a href="chapter">Levers</a></li></ul>`);
  file("chapter", `<h1>Levers</h1><p>${LEAD}</p><p>${LAST}</p>`);
  const set = `<frameset cols="22%,78%"><frame src="contents"><frame src="chapter"></frameset>`;
  const framed = await readServed(site, page, extension, "/parts/frames", `<title>Box</title>${set}`);
  expect(framed.blocks.map(({ text }) => text)).toEqual(["Levers", LEAD, LAST]);
});

test("code keeps its lines without their numbers, and Markdown is read without its signs", async ({
  page,
  site,
  extension,
  browserName,
}) => {
  const code = `def lift(boat):\n    for gate in gates:\n        gate.open(boat)\n\n\n    return boat`;
  const body = `<h1>Locks</h1><p>${LEAD}</p>
    <figure><table><tr><td><pre>1\n2\n3\n4\n5\n6</pre></td><td><pre><code>${code}</code></pre></td></tr></table></figure>
    <pre><code><span style="user-select: none; -webkit-user-select: none">1 </span>level()\n<span style="user-select: none; -webkit-user-select: none">2 </span>level()</code></pre>
    <p>To see how high the water stands, use</p><pre>level\n  --now</pre><p>${LAST}</p>`;
  const { blocks } = await readBody(site, page, extension, "/parts/code", "Locks", body);
  expect(blocks.slice(2).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "code: def lift(boat):\n    for gate in gates:\n        gate.open(boat)\n\n    return boat",
    "code: level()\nlevel()",
    "paragraph: To see how high the water stands, use level --now",
    `paragraph: ${LAST}`,
  ]);
  if (browserName === "firefox") return;
  const markdown = `# The lock of Averby\n\n${LEAD}\nIt is of **oak**, *not* of [steel](/steel).\n\n## Boats\n\n- Four boats\n  an hour\n- [x] None at night\n\n1. Ring the bell.\n2. Wait.\n\n> Nobody waits long.\n\n\`\`\`sh\nlevel \\\n  --now\n\`\`\`\n\n---\n${LAST}\n`;
  const read = await readServed(site, page, extension, "/parts/notes.md", markdown, "text/plain; charset=utf-8");
  expect(read.blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "heading: The lock of Averby",
    `paragraph: ${LEAD} It is of oak, not of steel.`,
    "heading: Boats",
    "listItem: Four boats an hour",
    "listItem: None at night",
    "listItem: Ring the bell.",
    "listItem: Wait.",
    "quote: Nobody waits long.",
    "code: level \\\n  --now",
    `paragraph: ${LAST}`,
  ]);
});
