import { card } from "./card.js";
import { button, part } from "./dom.js";
import { loading } from "./load.js";
import type { Session } from "./session.js";

/** The model that is shipped with this site. */
export function initPackaged(session: Session): void {
  const { element, line, actions, job } = card(session, "all-MiniLM-L6-v2");
  line.textContent = "25 MB · Apache-2.0 · summaries and questions, in English";
  const load = (): void => void job.run(loading(session, { packaged: "models/minilm-q8_0.gguf" }, "embedding"));
  actions.append(button("Load", "all-MiniLM-L6-v2", load, "primary"));
  part("packaged").append(element);
}
