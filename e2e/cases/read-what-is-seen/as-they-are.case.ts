// Text as pages set it: raised, struck out, drawn as formulas, hidden from screen readers, in boxes of its own.

import type { Page } from "@playwright/test";
import { expect, type Extension, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { readBody } from "../../helpers/read-body.ts";

const LEAD = "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.";
/** Seen by screen readers only, as usual frameworks do it. */
const UNSEEN =
  "position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap;border:0";
const SPARE = "position:absolute;left:-10000px;top:auto;width:1px;height:1px;overflow:hidden";

const DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** The texts of the page's blocks behind its first two, a row with a bar between its cells. */
async function textsOf(site: Site, page: Page, extension: Extension, name: string, body: string) {
  const html = `<main><h1>Locks</h1><p>${LEAD}</p>${body}</main>`;
  const { blocks, coverage, tab } = await readBody(site, page, extension, `/as-they-are/${name}`, "Locks", html);
  expect(blocks.slice(0, 2).map(({ text }) => text)).toEqual(["Locks", LEAD]);
  return { texts: blocks.slice(2).map(({ text }) => text.replaceAll("\t", " | ")), coverage, tab };
}

test("powers, fractions, ordinals and formulas keep their form, and marks of notes go", async ({
  page,
  site,
  extension,
}) => {
  const raised = (text: string, style: string): string => `<span style="${style}">${text}</span>`;
  const body = `<p>The pond holds 3 × 10<sup>6</sup> cells, 6.02 × 10${raised("23", "vertical-align: super; font-size: 70%")} atoms,
      10${raised("9", "position: relative; top: -.5em; font-size: 75%")} grains and 10<sup>−12</sup> grams on 420 m<sup>2</sup>.</p>
    <p>Add 2<sup>1</sup>⁄<sub>2</sub> cups, <sup>3</sup>/<sub>4</sub> of a spoon and 1<sup>5</sup>⁄<sub>16</sub> of an inch.</p>
    <p>On the 1<sup>st</sup> of May, in the XIX<sup>e</sup> century, she drank H<sub>2</sub>O, CO<sub>2</sub>, Ca<sup>2+</sup> and <sup>14</sup>C at Averby<sup>TM</sup>.</p>
    <p>The energy is mc<sup>2</sup>, x<sup>n</sup> + y<sup>n</sup>, v<sub>max</sub>, 9.81 m/s<sup>2</sup>, and the price is <sup>$</sup>34<sup>50</sup>.</p>
    <p>It has 130 workers<sup>3</sup> and is of 1861<sup>4</sup>. So it is.<sup>5,6</sup> It lifts 4.2 metres<sup><a href="#n">[note 1]</a></sup>
      in ice<sup>[<i><a href="/c">citation needed</a></i>]</sup>.<sup>: 23–24</sup> It holds 12<sup><a href="#n">4</a></sup> boats.</p>
    <p>Since 1674.<a href="#n" style="vertical-align: super; font-size: .75em">1</a> That is why 240 chairs<a href="#n">2</a> stand
      here, see the mill <cite>[<a href="#b1">12</a>, <a href="#b2">13</a>]</cite>.</p>
    <p>The sluice is older <a href="#b3">[Knu84]</a>, was proved twice [<a href="#b4">ABC+19</a>, <a href="#b5">Bra20a</a>] and is
      described in <a href="/rfc">[RFC2119]</a>, with <cite>[<a href="#b6">Lam94</a>]</cite> and by Brandt [<a href="#b7">7</a>]. It is of oak<a href="#n">²</a>. <a href="#r">↩</a></p>
    <p id="n">A note about it.</p>`;
  const { texts } = await textsOf(site, page, extension, "raised", body);
  expect(texts.slice(0, 7)).toEqual([
    "The pond holds 3 × 10⁶ cells, 6.02 × 10²³ atoms, 10⁹ grains and 10⁻¹² grams on 420 m².",
    "Add 2½ cups, ¾ of a spoon and 1⁵⁄₁₆ of an inch.",
    "On the 1st of May, in the XIXe century, she drank H₂O, CO₂, Ca²⁺ and ¹⁴C at Averby™.",
    "The energy is mc², xⁿ + yⁿ, v_max, 9.81 m/s², and the price is $34.50.",
    "It has 130 workers and is of 1861. So it is. It lifts 4.2 metres in ice. It holds 12 boats.",
    "Since 1674. That is why 240 chairs stand here, see the mill.",
    "The sluice is older, was proved twice and is described in [RFC2119], with and by Brandt. It is of oak.",
  ]);
});

test("what is struck out is no fact, and is counted", async ({ page, site, extension }) => {
  const line = "text-decoration: line-through";
  const body = `<p>The saw costs <s>40 euros</s> <b>30 euros</b>, the axe <span style="${line}">50</span> 45, the plane
      <strike>12</strike> 11, the lathe <span style="${line} red 2px">900</span> <ins>800</ins>.</p>
    <ul><li><s>Buy oil for the gate before the winter comes.</s></li><li>Paint the wall of the upper lock in the spring.</li></ul>
    <table><tr><th>Day</th><th>Boat</th></tr><tr><td><s>Monday</s> Tuesday</td><td>Holm</td></tr>
      <tr style="${line}"><td>Friday</td><td>Skarv</td></tr></table>
    <del><p>A deleted paragraph about the old gate, which was replaced many years ago.</p></del>
    <p>Its name is <del style="text-decoration: none; background: #fcc">Old Gate</del> <ins>New Gate</ins>, and it is of oak.</p>`;
  const { texts, coverage } = await textsOf(site, page, extension, "struck", body);
  expect(texts).toEqual([
    "The saw costs 30 euros, the axe 45, the plane 11, the lathe 800.",
    "Paint the wall of the upper lock in the spring.",
    "Day | Boat",
    "Tuesday | Holm",
    "Its name is New Gate, and it is of oak.",
  ]);
  const struck = coverage.leftOut.find(({ kind }) => kind === "struck");
  expect(struck?.count).toBe(9);
  expect(struck?.texts).toEqual(expect.arrayContaining(["40 euros", "50", "Friday Skarv", "Old Gate"]));
  const left = coverage.leftOut.reduce((sum, { words }) => sum + words, 0);
  expect(coverage.wordsRead + left).toBe(coverage.wordsVisible);
});

test("what the eye sees is read once, whatever screen readers get", async ({ page, site, extension }) => {
  const twice = (text: string): string =>
    `<span aria-hidden="true">${text}</span><span style="${UNSEEN}">${text}</span>`;
  const body = `<p>${twice("She plans breakwaters, and has spent nine years on the coast.")}</p>
    <p>Price: <span><span style="${UNSEEN}">€34.50</span><span aria-hidden="true"><span>€</span><span>34</span><span>.50</span></span></span>,
      and <a href="#x">a book<span style="${SPARE}"> (opens in a new window)</span></a> about it.</p>
    <div inert aria-hidden="true"><p>An open dialog makes this part inert, and everybody sees it.</p></div>
    <p aria-label="Something else is said here">The letters that are seen are read, and no label of theirs.</p>
    <p>The tip <span style="font-family: 'Material Icons'">arrow_back</span>is no word, and nothing is <span style="${UNSEEN}">not </span>hidden.</p>`;
  const { texts } = await textsOf(site, page, extension, "twins", body);
  expect(texts).toEqual([
    "She plans breakwaters, and has spent nine years on the coast.",
    "Price: €34.50, and a book about it.",
    "An open dialog makes this part inert, and everybody sees it.",
    "The letters that are seen are read, and no label of theirs.",
    "The tip is no word, and nothing is hidden.",
  ]);
});

test("a formula is one piece of its sentence, and what only its source says is not read", async ({
  page,
  site,
  extension,
}) => {
  const math = (inner: string, rest = ""): string => `<math${rest}><semantics><mrow>${inner}</mrow>
    <annotation encoding="application/x-tex">the secret of it</annotation></semantics></math>`;
  const twin = (inner: string): string => `<span style="${UNSEEN}">${math(inner)}</span>`;
  const [eleven, five] = ["<mi>P</mi><mo>=</mo><mn>48</mn>", "<mi>E</mi><mo>=</mo><mn>5</mn>"];
  const body = `<style>.c50::before { content: "𝑃" } .c3d::before { content: "=" } .c34::before { content: "4" } .c38::before { content: "8" }</style>
    <p>The panels deliver <span class="k">${twin(eleven)}<span aria-hidden="true"><span style="display: inline-block"><i>P</i><span>=</span><span>48</span></span></span></span> kilowatts on a clear day.</p>
    <p>One draws <mjx-container><mjx-math aria-hidden="true"><mjx-c class="c50"></mjx-c><mjx-c class="c3d"></mjx-c><mjx-c class="c34"></mjx-c><mjx-c class="c38"></mjx-c></mjx-math>${twin(eleven)}</mjx-container> by a font, and
      <mjx-container><svg width="60" height="20" aria-hidden="true"><use data-c="1D438"></use><use data-c="3D"></use><path data-c="35" d="M0 0h9v9z"></path></svg>${twin(five)}</mjx-container> by shapes.</p>
    <p>The foot stands ${math("<mi>d</mi><mo>=</mo><mfrac><mi>l</mi><mn>4</mn></mfrac>")} from the wall, and
      ${math("<mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>")} is known.</p>
    <p>The energy is ${math("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", ' display="block"')} where m is the mass of the gate.</p>
    <p>Old pages show <img width="60" height="20" alt="{\\displaystyle F=ma}" src="${DOT}"> as a picture.</p>
    <p>A lie <mjx-container><svg width="60" height="20" aria-hidden="true"><path d="M0 0h9v9z"></path></svg>${twin("<mtext>secret words</mtext>")}</mjx-container> is counted.</p>
    <p>A picture of <img width="60" height="20" alt="the secret = all of the words that nobody sees" src="${DOT}"> words is none.</p>`;
  const { texts, coverage } = await textsOf(site, page, extension, "formulas", body);
  expect(texts).toEqual([
    "The panels deliver P = 48 kilowatts on a clear day.",
    "One draws P = 48 by a font, and E = 5 by shapes.",
    "The foot stands d = l/4 from the wall, and x = (−b ± √(b² − 4ac))/(2a) is known.",
    "The energy is E = mc² where m is the mass of the gate.",
    "Old pages show F=ma as a picture.",
    "A lie is counted.",
    "A picture of words is none.",
  ]);
  expect(JSON.stringify(coverage)).not.toMatch(/secret/);
  expect(coverage.leftOut).toEqual([expect.objectContaining({ kind: "formulas", count: 1 })]);
});

test("a box in a sentence leaves it whole; labels and values side by side are rows", async ({
  page,
  site,
  extension,
}) => {
  const body = `<p><span style="float: left; font-size: 3.4em; line-height: .8">H</span>annelore repaired the clock for forty years without a word.</p>
    <p>Nine thousand tufts stood <span style="position: absolute; left: 94%">[Pg 41]</span>between the chapel and the creek, each with a stone.</p>
    <p>More than twice what<small style="float: right; width: 30%">Weighed with the comb.</small> the same bees gave in the village before.</p>
    <p style="display: flex; gap: 4px">Look at the roof with <b>field glasses</b> from the garden, never from a ladder in wind.</p>
    <p>A mark <span style="display: inline-flex; border: 1px solid"><span>new</span><span>hot</span></span> stands in the line, which goes on behind it.</p>
    <p>The word <span style="display: inline-block">tip<span style="position: absolute; visibility: hidden">Hidden tip</span></span> has none, and the line goes on.</p>
    <div style="display: flex; justify-content: space-between; width: 300px"><span>Friday</span><span>10:00–20:00</span></div>
    <div style="display: grid; grid-template-columns: 1fr 1fr; width: 300px"><div>Length</div><div>31 m</div><div>Rise</div><div>4.2 m</div></div>
    <div style="display: table"><div style="display: table-row"><div style="display: table-cell">Day ticket</div><div style="display: table-cell">3 euros</div></div></div>
    <p>The keeper writes all of it down in a book, which nobody has ever asked to read.</p>`;
  const { texts } = await textsOf(site, page, extension, "boxes", body);
  expect(texts.filter((text) => text !== "Weighed with the comb.")).toEqual([
    "Hannelore repaired the clock for forty years without a word.",
    "Nine thousand tufts stood between the chapel and the creek, each with a stone.",
    "More than twice what the same bees gave in the village before.",
    "Look at the roof with field glasses from the garden, never from a ladder in wind.",
    "A mark new hot stands in the line, which goes on behind it.",
    "The word tip has none, and the line goes on.",
    "Friday | 10:00–20:00",
    "Length | 31 m",
    "Rise | 4.2 m",
    "Day ticket | 3 euros",
    "The keeper writes all of it down in a book, which nobody has ever asked to read.",
  ]);
});
