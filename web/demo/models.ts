import { input, type KnownModel, knownModels } from "@pith/web/models";
import { card } from "./card.js";
import { button, make, part, relabel } from "./dom.js";
import { checking } from "./fit.js";
import { downloading, loading } from "./load.js";
import type { Session, View } from "./session.js";
import { languages, size } from "./words.js";

/** So many are shown at once; the others unfold. */
const SHOWN = 4;

/** The part of a file from which on there is something to continue: less is its beginning, which was read to check it. */
const BEGUN = 0.05;

/** The list of known models. */
export function initModels(session: Session): void {
  const cards = knownModels.map((model) => knownCard(session, model));
  const rest = cards.slice(SHOWN);
  part("known").append(...cards.slice(0, SHOWN).map(({ element }) => element));
  part("more").append(...rest.map(({ element }) => element));
  part("more-title").textContent = `${rest.length} larger models`;
  session.onView((view) => cards.forEach(({ update }) => update(view)));
}

function knownCard(session: Session, model: KnownModel): { element: HTMLElement; update: (view: View) => void } {
  const { element, title, line, actions, job } = card(session, model.name);
  const source = input(model);
  const check = (): void => void job.run(checking(session, source, check), model.source);
  let whole = false;
  const get = button(
    "Download",
    model.name,
    () => {
      void job.run(whole ? loading(session, source) : downloading(session, source, job), model.source);
    },
    "primary",
  );
  title.append(" ", make("span", { className: "by" }, model.maker));
  const known = [model.bytes && size(model.bytes), model.licence, model.languages && languages(model.languages)];
  line.append(
    known.filter(Boolean).join(" · "),
    " · ",
    make("a", {
      href: model.page,
      target: "_blank",
      rel: "noreferrer",
      textContent: "about it",
      ariaLabel: `about it: ${model.name}`,
    }),
  );
  line.after(make("p", { className: "good-at" }, model.goodAt));
  actions.append(get, button("Check", model.name, check));
  return {
    element,
    update: ({ stored }) => {
      const kept = stored.find(({ url }) => url === model.source);
      whole = kept?.whole ?? false;
      const begun = kept !== undefined && kept.bytes > BEGUN * (kept.totalBytes ?? Infinity);
      relabel(get, whole ? "Load" : begun ? "Continue" : "Download", model.name);
      get.disabled = session.isBusy(model.source) && !job.running;
    },
  };
}
