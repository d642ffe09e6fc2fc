import type { ModelInput } from "@pith/web";
import { button, make } from "./dom.js";
import type { Job, Work } from "./job.js";
import type { Session } from "./session.js";
import { runSettings } from "./settings.js";

/** The names of the two models that this page uses: one that writes, one that gives the vectors for summaries and questions. */
export type Name = "language" | "embedding";

/** Makes a model resident. What it is is known once it is: then it gets the name that it should have. */
export const loading = (session: Session, input: ModelInput, name: Name = "language"): Work =>
  async (run) => {
    const options = { ...runSettings(), ...run };
    const model = await session.use(async (pith) => {
      const info = await pith.load(name, input, options);
      if (!info.encoder || name === "embedding") return info;
      await pith.unload(name);
      session.tell(null);
      return pith.load("embedding", input, options);
    });
    session.tell(model);
    return { said: `${model.title} is loaded: ${model.encoder ? "for summaries and questions" : "it can write"}.` };
  };

/** Stores a model, and offers to load it. */
export const downloading = (session: Session, input: ModelInput, job: Job): Work =>
  async (run) => {
    const stored = await session.use((pith) => pith.download(input, run));
    const load = button("Load it", "", () => void job.run(loading(session, { stored: stored.name }), stored.url));
    return {
      said: `${stored.title ?? stored.name} is stored in this browser.`,
      shown: [make("div", { className: "actions" }, load)],
    };
  };
