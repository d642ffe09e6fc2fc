// Explain, simplify, summarize, translate and define what is selected on the page, and the reader's own actions.
import { type ActionWish, type OwnAction, readActions, type Selected, watchActions, wishKey } from "../actions.js";
import { actionsFor } from "../allowed.js";
import { readSelection } from "../read-selection.js";
import { createActView } from "../sidepanel/act-view.js";
import { createComposer } from "../sidepanel/composer.js";
import type { Feature, Panel } from "../sidepanel/panel.js";
import { problem } from "../failure.js";
import { part, say, set } from "../ui/dom.js";
import { drawFailure } from "../ui/job.js";
import { t } from "../ui/words.js";
import type { Act } from "../acts-wire.js";

export const actOnText: Feature = {
  id: "act-on-text",
  async init(panel, signal) {
    const section = part("acts");
    set(section, "aria-label", t("actTitle"));
    const failure = part("act-failure");
    let own: OwnAction[] = await readActions();
    if (signal.aborted) return;

    const composer = createComposer(part("composer"), {
      send: (request) =>
        void panel.host.send({
          type: "runAction",
          request: { ...request, act: null },
          settings: panel.model.settings,
        }),
      closed: () => part("reading").focus(),
    });
    const know = (): void => composer.know(own, panel.model.settings.writer);
    know();
    const draw = createActView(part("act-list"), {
      cancel: (id) => void panel.host.send({ type: "cancelAction", id }),
      close: (id) => void panel.host.send({ type: "closeAction", id }),
      askOn: (id, instruction) => void askOn(panel, id, instruction),
    });

    async function askOn({ host, model }: Panel, act: number, instruction: string): Promise<void> {
      const about = { name: "", isSummary: false, text: "", title: "", language: null };
      await host.send({ type: "runAction", request: { ...about, act, instruction }, settings: model.settings });
    }

    const take = (action: string, selected: Selected | null): void => {
      drawFailure(failure, selected?.problem ? problem(selected.problem).toData() : null, []);
      if (selected?.problem) return composer.close();
      if (selected) composer.open(action, selected);
    };

    /** A wish left by the menu or the button at a selection. It stays until its text has been read, then it is taken once. */
    async function takeWish(): Promise<void> {
      const key = wishKey(panel.tab);
      const wish = (await chrome.storage.session.get(key))[key] as ActionWish | undefined;
      if (!wish?.selected || signal.aborted) return;
      await chrome.storage.session.remove(key);
      take(wish.action, wish.selected);
    }

    async function startHere(action: string): Promise<void> {
      const target = { tabId: panel.tab };
      const selected =
        (await readSelection({ ...target, allFrames: true }).catch(() => null)) ??
        (await readSelection(target).catch(() => null));
      if (!signal.aborted) take(action, selected ?? { ...NONE, problem: "selection_closed" });
    }

    addEventListener(
      "keydown",
      (event) => {
        const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
        const action = event.altKey && event.shiftKey ? own.find((one) => one.digit === digit) : undefined;
        if (!action || digit === undefined) return;
        event.preventDefault();
        if (!composer.choose(action.id)) void startHere(action.id);
      },
      { signal },
    );

    const start = part<HTMLButtonElement>("act-start");
    set(start, "aria-label", t("actStart"));
    set(start, "title", t("actStart"));
    start.addEventListener("click", () => void startHere(actionsFor(panel.model.settings.writer)[0] ?? ""), { signal });

    const onWish = (changes: Record<string, chrome.storage.StorageChange>): void => {
      if (changes[wishKey(panel.tab)]?.newValue) void takeWish();
    };
    chrome.storage.session.onChanged.addListener(onWish);
    const unwatch = watchActions((next) => {
      own = next;
      know();
    });
    signal.addEventListener("abort", () => {
      chrome.storage.session.onChanged.removeListener(onWish);
      unwatch();
      composer.close();
    });

    panel.watch(({ state, settings }, before) => {
      if (settings.writer !== before.settings.writer) know();
      draw(state.acts);
      if (answers(state.acts) > answers(before.state.acts)) say(part("live"), t("actReady"));
    }, signal);
    draw(panel.model.state.acts);
    await takeWish();
  },
};

const answers = (acts: readonly Act[]): number =>
  acts.flatMap(({ turns }) => turns).filter(({ job }) => job.phase === "done").length;

const NONE: Selected = { text: "", chars: 0, title: "", language: null, problem: null };

// Try it on: a hard paragraph (Explain), a word (Define), a text field, a password field (refused), a page in a frame.
