// Reads selected text through the script in the page: what browsers tell themselves is shortened and has no line ends.
import { type Selected, SELECTION_CHARS_MAX } from "./actions.js";

const SCRIPT = "/content/page.js";

/** The selection of the first of the frames that has one; null where their scripts give no answer. */
export async function readSelection(target: chrome.scripting.InjectionTarget): Promise<Selected | null> {
  await chrome.scripting.executeScript({ target, files: [SCRIPT] });
  const answers = await chrome.scripting.executeScript({
    target,
    func: (charsMax: number) => globalThis.pithPage?.selection(charsMax) ?? null,
    args: [SELECTION_CHARS_MAX],
  });
  const found = answers.flatMap(({ result }) => (result ? [result] : []));
  return found.find(({ problem }) => problem !== "selection_none") ?? found[0] ?? null;
}
