import type { StoredModel } from "@pith/web";
import { button, make, save } from "./dom.js";
import type { Work } from "./job.js";
import type { Session } from "./session.js";
import { size } from "./words.js";

/** Compares a stored model with its hashes; `run` runs the repair, where there is something to repair. */
export const verifying =
  (session: Session, model: StoredModel, run: (work: Work) => void, repair = false): Work =>
  async (options) => {
    const { damaged, repairedBytes } = await session.use((pith) => pith.verify(model.name, { ...options, repair }));
    if (damaged.length === 0)
      return {
        said: repair ? `Repaired: ${size(repairedBytes)} fetched again.` : "Not damaged: every byte is as it arrived.",
      };
    const bytes = damaged.reduce((sum, { lenBytes }) => sum + lenBytes, 0);
    if (model.url === null) return { said: `Damaged: ${size(bytes)}. Delete it, then keep a new copy of the file.` };
    const mend = button("Repair", "", () => run(verifying(session, model, run, true)));
    return {
      said: `Damaged: ${size(bytes)}. Repairing fetches only that again.`,
      shown: [make("div", { className: "actions" }, mend)],
    };
  };

/** Keeps a stored model from being proposed for deletion, or no longer. */
export const pinning =
  (session: Session, name: string, pinned: boolean): Work =>
  async ({ signal }) => {
    await session.use((pith) => pith.pin(name, pinned, { signal }));
    return { said: pinned ? "Pinned." : "No longer pinned." };
  };

/** Gives a stored model's files to the browser's downloads. */
export const saving =
  (session: Session, name: string): Work =>
  async ({ signal }) => {
    const { names, files } = await session.use((pith) => pith.export(name, { signal }));
    files.forEach((file, at) => save(file, names[at] ?? name));
    return { said: `Saved to your downloads: ${names.join(", ")}.` };
  };

/** Deletes a stored model. */
export const deleting =
  (session: Session, name: string, title: string): Work =>
  async ({ signal }) => {
    await session.use((pith) => pith.delete(name, { signal }));
    return { said: `${title} is deleted.` };
  };
