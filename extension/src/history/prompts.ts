// What the worker keeps of prompts on the disk, see `keepPrompt` in web/README.md: the text of pages could be read from it.
import { toHistoryError } from "./database.js";

/** Where the worker keeps them. */
const FOLDER = "pith-prompts";
/** While one is being written its file is locked. */
const ATTEMPTS_MAX = 5;
const AGAIN_MS = 400;

/** Deletes them all, because they do not say of which page they are. What goes wrong is tried again, and rejects at last. */
export async function forgetPrompts(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const root = await navigator.storage.getDirectory();
      return await root.removeEntry(FOLDER, { recursive: true });
    } catch (error) {
      const { name } = error as DOMException;
      // Without a file system of its own, as in a private window, nothing was kept.
      if (name === "NotFoundError" || name === "SecurityError") return;
      if (attempt === ATTEMPTS_MAX) throw toHistoryError(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
