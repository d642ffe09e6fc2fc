// A paper as HTML: two columns, headings, hyphens at line ends, a list, a table and a footnote on every page.

const SENTENCES = [
  "The tide mill at Olhao ground its last sack of maize in nineteen fifty-three, when the harbour was dredged.",
  "A pond of four hectares filled twice a day through gates that closed by themselves when the sea began to fall.",
  "The miller slept when the moon told him to, and his hours moved by fifty minutes from one day to the next.",
  "Every stone was dressed by hand with a pick, and a pair of stones lasted about seven years before it was too thin.",
  "Salt in the millpond kept weeds away, but it also ate the iron, so that hinges were made of bronze or of oak.",
  "An inventory of eighteen twelve lists three wheels, nine sacks, one cat and a debt to the convent of Saint Anne.",
  "Measurements with a current meter show that the gates lost less than three per cent of the water they held.",
  "Engineers who study small tidal plants return to such mills, because their basins have not silted in centuries.",
];

/** `count` paragraphs of whole sentences, each another beginning of the list. */
export const paragraphs = (count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    Array.from(
      { length: 4 },
      (_, next) => `${SENTENCES[(at * 3 + next) % SENTENCES.length]!} (${at + 1}.${next + 1})`,
    ).join(" "),
  );

/** Soft hyphens, which the printer turns into hyphens where a line ends. */
const hyphenated = (text: string): string => text.replace(/(\p{L}{4})(?=\p{L}{3})/gu, "$1\u00AD");

/** The paper; its text in reading order is `paperText`. */
export function paperHtml(count = 24): string {
  const text = paragraphs(count);
  const body = text.map((one, at) => `${at % 4 === 0 ? `<h2>${headingOf(at)}</h2>` : ""}<p>${hyphenated(one)}</p>`);
  return `<!doctype html><html lang="en"><title>Tide mills of the south</title><style>
    body { font: 10pt/1.3 "Liberation Serif", serif; margin: 0 }
    h1 { font-size: 20pt } h2 { font-size: 13pt; margin: 8pt 0 4pt; break-after: avoid }
    p { margin: 0; text-indent: 12pt; text-align: justify }
    main { columns: 2; column-gap: 20pt } table { column-span: all; width: 100% } td, th { text-align: left }
  </style><h1>Tide mills of the south</h1><p>Written for Pith as an example of a paper.</p>
  <main>${body.slice(0, count / 2).join("\n")}
  <ul><li>The first gate opens at half tide.</li><li>The second gate opens an hour later.</li></ul></main>
  <table><tr><th>Mill</th><th>Wheels</th><th>Hectares</th></tr><tr><td>Olhao</td><td>3</td><td>4</td></tr>
  <tr><td>Faro</td><td>2</td><td>7</td></tr><tr><td>Tavira</td><td>5</td><td>11</td></tr></table>
  <main>${body.slice(count / 2).join("\n")}</main></html>`;
}

const headingOf = (at: number): string => `Section ${at / 4 + 1}: what the water did`;

/** Its running text, paragraph by paragraph. */
export const paperText = (count = 24): string[] => paragraphs(count);
