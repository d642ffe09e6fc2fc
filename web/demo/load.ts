import type { ModelInput } from "@pith/web";
import { button, make } from "./dom.js";
import type { Job, Work } from "./job.js";
import type { Session } from "./session.js";
import { runSettings } from "./settings.js";

/** The names of the two models that this page uses: one that writes, one that gives the vectors for summaries and questions. */
export type Name = "language" | "embedding";

/** Makes a model resident, under the name that its header asks for where none is given. */
export const loading =
  (session: Session, input: ModelInput, known?: Name): Work =>
  async (run, force) => {
    const options = { ...runSettings(), ...run };
    const model = await session.use(async (pith) => {
      const name: Name = known ?? ((await pith.fit(input, options)).encoder ? "embedding" : "language");
      return pith.load(name, input, { ...options, force });
    });
    session.tell(model);
    return { said: `${model.title} is loaded: ${model.encoder ? "for summaries and questions" : "it can write"}.` };
  };

/** Stores a model, and offers to load it. */
export const downloading =
  (session: Session, input: ModelInput, job: Job): Work =>
  async (run) => {
    const stored = await session.use((pith) => pith.download(input, run));
    const load = button("Load it", "", () => void job.run(loading(session, { stored: stored.name }), stored.url));
    return {
      said: `${stored.title ?? stored.name} is stored in this browser.`,
      shown: [make("div", { className: "actions" }, load)],
    };
  };
