import { make } from "./dom.js";
import { Job } from "./job.js";
import type { Session } from "./session.js";

/** A model in a list: what it is, what can be done with it, and below that what came of it. */
export interface Card {
  element: HTMLLIElement;
  title: HTMLElement;
  /** A line of facts about it. */
  line: HTMLElement;
  actions: HTMLElement;
  job: Job;
}

export function card(session: Session, name: string): Card {
  const title = make("h4", {}, name);
  const line = make("p", { className: "line" });
  const actions = make("div", { className: "actions" });
  const place = make("div", { className: "outcome" });
  const job = new Job(session, () => title.textContent, actions, place);
  return { element: make("li", {}, title, line, actions, place), title, line, actions, job };
}
