// A PDF file of one page, written by hand, for what no printer makes.

export interface Parts {
  /** Operators of the page. */
  readonly content: string;
  /** Entries of its resources besides the font /F. */
  readonly resources?: string;
  /** Entries of the page, such as /Annots, and of the catalog. */
  readonly page?: string;
  readonly catalog?: string;
  /** Further objects, from number 6 on: a dictionary, and a stream where it has one. */
  readonly objects?: readonly (readonly [dictionary: string, stream?: string])[];
}

export function writePage({ content, resources = "", page = "", catalog = "", objects = [] }: Parts): Uint8Array {
  const bodies = [
    `<</Type/Catalog/Pages 2 0 R ${catalog}>>`,
    "<</Type/Pages/Count 1/Kids[4 0 R]>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F 3 0 R>>${resources}>>${page}>>`,
    ...[["", content] as const, ...objects].map(([dictionary, stream]) =>
      stream === undefined
        ? `<<${dictionary}>>`
        : `<<${dictionary}/Length ${stream.length}>>stream\n${stream}\nendstream`,
    ),
  ];
  let file = "%PDF-1.7\n";
  const offsets = bodies.map((body, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj${body}endobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = bodies.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`;
  return Uint8Array.from(file, (one) => one.charCodeAt(0));
}
