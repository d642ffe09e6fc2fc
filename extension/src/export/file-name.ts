/** Room in every file system, also for a number that the browser adds. */
const BYTES_MAX = 120;
/** Names of devices in Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** A file name from a page's title: valid in Windows, macOS and Linux, and no hidden file. */
export function fileName(title: string, extension: string): string {
  const cleaned = title
    .normalize("NFC")
    // Unseen characters too: some turn the direction, so that an ending looks like another one.
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/["*/:<>?\\|]/g, " ")
    .replace(/\s+/g, " ");
  const name = trimmed(cut(trimmed(cleaned))) || "Pith";
  return `${name.replace(DEVICE, "$& page")}.${extension}`;
}

const trimmed = (text: string): string => text.replace(/^[\s.~-]+|[\s.]+$/g, "");

/** The first whole characters, as readers count them. */
function cut(text: string): string {
  const encoder = new TextEncoder();
  let kept = "";
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, BYTES_MAX))) {
    bytes += encoder.encode(segment).length;
    if (bytes > BYTES_MAX) break;
    kept += segment;
  }
  return kept;
}
