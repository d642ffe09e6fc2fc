import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { getDocument, GlobalWorkerOptions } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, it } from "vitest";
import { itemsOf } from "../src/pages/pdf/reading.js";
import { assemble, readLines } from "../src/pages/pdf/text/document.js";
import { type Parts, writePage } from "./pdf-file.js";

const worker = createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.worker.mjs");
GlobalWorkerOptions.workerSrc = pathToFileURL(worker).href;

const SEEN = "The quay of the old harbour was repaired in spring, and boats may moor there again until autumn.";
const OTHER = "The town council pays nine million for it.";

/** A line of text at a height of the page. */
const line = (text: string, y = 600, size = 11): string => `BT /F ${size} Tf 60 ${y} Td (${text}) Tj ET\n`;
/** The line that everybody sees, and another drawn in some way. */
const page = (content: string, rest: Omit<Parts, "content"> = {}): Parts => ({
  content: line(SEEN, 700) + content,
  ...rest,
});
const state = (entries: string): Omit<Parts, "content"> => ({ resources: `/ExtGState<</G<<${entries}>>>>` });
const form = (dictionary: string, stream: string): [string, string] => [
  `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>${dictionary}`,
  stream,
];
const layers = (off: string, policy = ""): Omit<Parts, "content"> => ({
  resources: `/Properties<</L ${policy ? "7 0 R" : "6 0 R"}>>`,
  catalog: `/OCProperties<</OCGs[6 0 R]/D<</OFF[${off}]>>>>`,
  objects: [["/Type/OCG/Name(Draft)"], [`/Type/OCMD/OCGs[6 0 R]${policy}`]],
});
const picture = (bytes: string, at: string): string => `q ${at} cm BI /W 1 /H 1 /CS /RGB /BPC 8 ID ${bytes} EI Q\n`;
const dashes = (procedure: string): Omit<Parts, "content"> => ({
  resources: "/Font<</F 3 0 R/T 6 0 R>>",
  objects: [
    [
      `/Type/Font/Subtype/Type3/FontBBox[0 0 600 800]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97/LastChar 98/Widths[600 600]` +
        `/Encoding<</Differences[97/a/b]>>/CharProcs<</a 7 0 R/b 7 0 R>>/ToUnicode 8 0 R`,
    ],
    ["", procedure],
    [
      "",
      "/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange " +
        "2 beginbfchar <61> <006F0074006800650072> <62> <00610067006100690020006E> endbfchar endcmap",
    ],
  ],
});
const mask = (backdrop: string): Omit<Parts, "content"> => ({
  resources: `/ExtGState<</G<</SMask<</S/Luminosity/G 6 0 R>>>>>>`,
  objects: [form("/Group<</S/Transparency/CS/DeviceGray>>", backdrop)],
});

async function read(parts: Parts) {
  const document = await getDocument({ data: writePage(parts), verbosity: 0 }).promise;
  const items = await itemsOf(document, await document.getPage(1));
  const { blocks, leftOut } = await assemble([readLines(1, items)]);
  const hidden = leftOut.find(({ kind }) => kind === "hidden");
  return { text: blocks.map(({ text }) => text).join("\n"), hidden: hidden?.words ?? 0, isLayer: items.isLayer };
}

const HIDDEN: Record<string, Parts> = {
  "drawn invisibly": page(`3 Tr ${line(OTHER)}`),
  "a stencil through which nothing is drawn": page(`q 7 Tr ${line(OTHER)} Q`),
  "a stencil, and what is drawn then lies elsewhere": page(`q 7 Tr ${line(OTHER)} 10 10 50 50 re f Q`),
  "white on white": page(`1 g ${line(OTHER)}`),
  "nearly white": page(`.99 .98 1 rg ${line(OTHER)}`),
  "white in four colors": page(`0 0 0 0 k ${line(OTHER)}`),
  "white outlines": page(`1 Tr 1 G ${line(OTHER)}`),
  "white, filled and outlined": page(`2 Tr 1 g 1 G ${line(OTHER)}`),
  "alpha 0": page(`/G gs ${line(OTHER)}`, state("/ca 0")),
  "alpha 0.04": page(`/G gs ${line(OTHER)}`, state("/ca .04")),
  "letters of half a point": page(line(OTHER, 600, 0.5)),
  "letters that a matrix makes small": page(`q .04 0 0 .04 60 600 cm BT /F 11 Tf (${OTHER}) Tj ET Q`),
  "letters without width": page(`1 Tz ${line(OTHER)}`),
  "letters on each other": page(`-5.5 Tc ${line(OTHER)}`),
  "under a white box": page(`${line(OTHER)} 1 g 50 590 400 30 re f`),
  "under a black box": page(`${line(OTHER)} 50 590 400 30 re f`),
  "under two boxes, each over a half": page(`${line(OTHER)} 1 g 50 590 100 30 re f 150 590 300 30 re f`),
  "under a thick line": page(`${line(OTHER)} 1 G 24 w 50 604 m 450 604 l S`),
  "under a round shape": page(`${line(OTHER)} 1 g 50 600 m 50 700 450 700 450 600 c 450 500 50 500 50 600 c f`),
  "under a picture": page(line(OTHER) + picture("zzz", "400 0 0 30 50 590")),
  "under a picture that is used twice": page(`${line(OTHER)} /I Do q 400 0 0 30 50 590 cm /I Do Q`, {
    resources: "/XObject<</I 6 0 R>>",
    objects: [["/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceRGB/BitsPerComponent 8", "zzz"]],
  }),
  "under an annotation": page(line(OTHER), {
    page: "/Annots[6 0 R]",
    objects: [
      ["/Type/Annot/Subtype/Square/Rect[50 590 450 620]/AP<</N 7 0 R>>"],
      ["/Type/XObject/Subtype/Form/BBox[0 0 400 30]", "1 g 0 0 400 30 re f"],
    ],
  }),
  "on a box of its own color": page(`.1 .2 .5 rg 50 590 400 30 re f .12 .22 .5 rg ${line(OTHER)}`),
  "clipped away": page(`q 10 10 20 20 re W n ${line(OTHER)} Q`),
  "clipped away, between two corners": page(
    `q 0 0 m 9 0 l 0 9 l h 595 842 m 586 842 l 595 833 l h W n ${line(OTHER)} Q`,
  ),
  "clipped away by an empty path": page(`q 60 600 0 0 re W n ${line(OTHER)} Q`),
  "clipped by the box of a form": page("/X Do", {
    resources: "/XObject<</X 6 0 R>>",
    objects: [["/Type/XObject/Subtype/Form/BBox[0 0 20 20]/Resources<</Font<</F 3 0 R>>>>", line(OTHER)]],
  }),
  "a layer that is off": page(`/OC /L BDC ${line(OTHER)} EMC`, layers("6 0 R")),
  "a group of layers that are off": page(`/OC /L BDC ${line(OTHER)} EMC`, layers("6 0 R", "/P/AllOn")),
  "a layer that is off, around a form": page("/X Do", {
    ...layers("6 0 R"),
    resources: "/XObject<</X 7 0 R>>",
    objects: [["/Type/OCG/Name(Draft)"], form("/OC 6 0 R", line(OTHER))],
  }),
  "a transparent group": page("/G gs /X Do", {
    resources: "/XObject<</X 6 0 R>>/ExtGState<</G<</ca 0>>>>",
    objects: [form("/Group<</S/Transparency>>", line(OTHER))],
  }),
  "behind a mask that lets nothing through": page(`/G gs ${line(OTHER)}`, mask("0 g 0 0 595 842 re f")),
  "behind an empty mask": page(`/G gs ${line(OTHER)}`, mask("")),
  "letters without outlines": page("BT /T 11 Tf 60 600 Td (abababab) Tj ET", dashes("600 0 0 0 600 800 d1")),
  "a color that a form takes over": page("1 g /X Do", {
    resources: "/XObject<</X 6 0 R>>",
    objects: [form("", line(OTHER))],
  }),
};

const SHOWN: Record<string, Parts> = {
  "white on a dark box": page(`.1 g 50 590 400 30 re f 1 g ${line(OTHER)}`),
  "black on a box that hides another": page(`.1 g 50 590 400 30 re f 1 g 55 592 380 25 re f 0 g ${line(OTHER)}`),
  "over a picture": page(`${picture("zzz", "400 0 0 30 50 590")} 1 g ${line(OTHER)}`),
  "small print": page(line(OTHER, 600, 5)),
  outlined: page(`1 Tr .5 w ${line(OTHER)}`),
  "white with black outlines": page(`2 Tr 1 g 0 G .4 w ${line(OTHER)}`),
  "alpha 0.6": page(`/G gs ${line(OTHER)}`, state("/ca .6")),
  gray: page(`.6 g ${line(OTHER)}`),
  "a stencil that is filled": page(`q 7 Tr ${line(OTHER)} 0 0 1 rg 0 0 595 842 re f Q`),
  "under a marker": page(`${line(OTHER)} /G gs 1 1 0 rg 50 590 400 30 re f`, state("/BM/Multiply")),
  "under a box that shines through": page(`${line(OTHER)} /G gs 1 1 0 rg 50 590 400 30 re f`, state("/ca .4")),
  "underlined and framed": page(`${line(OTHER)} 60 597 230 1 re f .5 w 50 590 400 30 re S`),
  "inside of a clip": page(`q 40 580 500 60 re W n ${line(OTHER)} Q`),
  "inside of a ring, which is no cover": page(`${line(OTHER)} 1 g 30 560 500 100 re 45 585 460 45 re f*`),
  "a layer that is on": page(`/OC /L BDC ${line(OTHER)} EMC`, layers("")),
  "a group of which one layer is on": page(`/OC /L BDC ${line(OTHER)} EMC`, layers("", "/P/AnyOn")),
  "behind a mask that lets it through": page(`/G gs ${line(OTHER)}`, mask("1 g 0 0 595 842 re f")),
  "letters that operators draw": page(
    "BT /T 11 Tf 60 600 Td (abababab) Tj ET",
    dashes("600 0 0 0 600 800 d1 0 0 500 700 re f"),
  ),
  "under a picture with a mask of its own": page(`${line(OTHER)} q 400 0 0 30 50 590 cm /I Do Q`, {
    resources: "/XObject<</I 6 0 R>>",
    objects: [
      ["/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceRGB/BitsPerComponent 8/SMask 7 0 R", "zzz"],
      ["/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", "!"],
    ],
  }),
  "a pattern of colors under it": page(`q 50 590 400 30 re W n /S sh Q 1 g ${line(OTHER)}`, {
    resources:
      "/Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[50 0 450 0]" +
      "/Function<</FunctionType 2/Domain[0 1]/C0[0 0 0]/C1[.3 0 .3]/N 1>>>>>>",
  }),
  "set close": page(`-1.2 Tc ${line(OTHER)}`),
  "set wide, in a form": page("/X Do", {
    resources: "/XObject<</X 6 0 R>>",
    objects: [form("/Matrix[1 0 0 1 5 5]", `1.5 Tc 3 Tw ${line(OTHER)}`)],
  }),
  "white text before, black text after": page(`1 g 0 g ${line(OTHER)}`),
};

/** The other line, however it is spaced. */
const isIn = (text: string): boolean => /pays\s*nine\s*million|other/.test(text.replace(/old harbour/, ""));

describe("text of a PDF file that nobody sees", () => {
  it.each(Object.entries(HIDDEN))("is not read, and counted: %s", async (_, parts) => {
    const { text, hidden } = await read(parts);
    expect(text).toContain(SEEN);
    expect(isIn(text), text).toBe(false);
    expect(hidden).toBeGreaterThan(0);
  });

  it("is left out behind a soft hyphen, which pdf.js places otherwise", async () => {
    const { text } = await read(page(`BT /F 11 Tf 60 600 Td (A \\255 sign, ) Tj 1 g (${OTHER}) Tj ET`));
    expect(isIn(text), text).toBe(false);
    expect(text).toContain("sign");
  });

  it("is cut out of the line it stands in", async () => {
    const mixed = "BT /F 11 Tf 60 600 Td (The trust pays ) Tj 1 g (nine million) Tj 0 g ( euros a year.) Tj ET";
    const { text, hidden } = await read(page(mixed));
    expect(text).not.toMatch(/nine|million/);
    expect(text).toMatch(/The trust pays\s+euros a year\./);
    expect(hidden).toBe(2);
  });
});

describe("text that looks like hidden text", () => {
  it.each(Object.entries(SHOWN))("is read: %s", async (_, parts) => {
    const { text, hidden } = await read(parts);
    expect(text).toContain(SEEN);
    expect(isIn(text), text).toBe(true);
    expect(hidden).toBe(0);
  });
});

describe("a scan", () => {
  const scan = picture("zzz", "595 0 0 842 0 0");
  const text = `3 Tr ${line(SEEN, 700)} ${line(OTHER)}`;

  it.each([
    ["letters over the picture", scan + text],
    ["letters under the picture", `${line(SEEN, 700)} ${line(OTHER)} ${scan}`],
    ["a picture that leaves margins", `${picture("zzz", "520 0 0 320 40 480")} ${text}`],
    ["with a stamp", `${scan + text} 0 Tr ${line("p. 7", 20)}`],
  ])("is read from its text layer: %s", async (_, content) => {
    const { text, hidden, isLayer } = await read({ content });
    expect([text.includes(SEEN), isIn(text), hidden, isLayer]).toEqual([true, true, 0, true]);
  });

  it.each([
    ["a page with text that is drawn", scan + line(SEEN, 700) + `3 Tr ${line(OTHER)}`],
    ["a small picture", picture("zzz", "300 0 0 300 50 400") + line(SEEN, 700) + `3 Tr ${line(OTHER)}`],
  ])("is not what only looks like one: %s", async (_, content) => {
    const { text, isLayer } = await read({ content });
    expect([text.includes(SEEN), isIn(text), isLayer]).toEqual([true, false, false]);
  });
  it("is read as far as its letters lie on the picture", async () => {
    const { text: found, hidden, isLayer } = await read({ content: picture("zzz", "595 0 0 260 0 640") + text });
    expect([found.includes(SEEN), isIn(found), hidden, isLayer]).toEqual([true, false, 8, true]);
  });
});
