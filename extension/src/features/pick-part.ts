// Reads a part of the page in place of the whole.
import { PICK_KEYS, type PickKey } from "../content/pick/keys.js";
import type { Feature } from "../sidepanel/panel.js";
import { toFailure } from "../failure.js";
import { fillWith, h, part, say, set, show } from "../ui/dom.js";
import { t } from "../ui/words.js";

/** The page takes keys a moment after the panel has asked for a choice. */
const TRIES_MAX = 60;
const BETWEEN_MS = 50;

export const pickPart: Feature = {
  id: "pick-part",
  init(panel, signal) {
    const button = part<HTMLButtonElement>("pick");
    const place = part("part");
    set(button, "aria-label", t("pickPart"));
    set(button, "title", t("pickPart"));
    const outlined = h("p", { class: "outlined", dir: "auto", role: "status" });
    const end = h("button", { type: "button", class: "secondary" }, t("cancel"));
    const help = h("div", { class: "picking" }, h("p", {}, t("pickHelp")), outlined, end);
    const words = h("p", { dir: "auto" });
    const whole = h("button", { type: "button", class: "secondary" }, t("readWhole"));
    const told = h("div", { class: "chosen" }, h("p", { class: "note" }, t("partRead")), words, whole);
    fillWith(place, help, told);

    let isPicking = false;
    /** Keys reach the page in their order. Those that are pressed before it takes keys wait for it. */
    let keys = Promise.resolve();
    const send = (key: PickKey): void => {
      keys = keys.then(async () => {
        for (let tries = 0; isPicking && tries < TRIES_MAX; tries++) {
          const label = await panel.page.pickKey(key);
          if (label !== null) return say(outlined, label);
          await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
        }
      });
    };
    const draw = (): void => {
      const { state, reading } = panel.model;
      const chosen = state.page?.part ?? null;
      show(help, isPicking);
      show(told, !isPicking && chosen !== null && !reading);
      show(place, !help.hidden || !told.hidden);
      say(words, chosen ?? "");
      set(words, "lang", state.page?.language ?? null);
      set(button, "aria-pressed", String(isPicking));
    };

    async function pick(): Promise<void> {
      isPicking = true;
      say(outlined, "");
      draw();
      end.focus();
      let chosen = false;
      try {
        chosen = await panel.page.pick();
      } catch (error) {
        if (!signal.aborted) panel.update({ problem: toFailure(error) });
      }
      isPicking = false;
      if (signal.aborted) return;
      draw();
      if (chosen) part("again").click();
      button.focus();
    }

    button.addEventListener("click", () => (isPicking ? send("end") : void pick()), { signal });
    end.addEventListener("click", () => send("end"), { signal });
    whole.addEventListener(
      "click",
      () => void panel.page.prepare("readWhole").then(() => (signal.aborted ? undefined : part("again").click())),
      { signal },
    );
    document.addEventListener(
      "keydown",
      (event) => {
        const key = PICK_KEYS[event.key];
        if (!isPicking || !key) return;
        // On a button Enter presses it.
        if (key === "take" && event.target === end) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        send(key);
      },
      { capture: true, signal },
    );
    signal.addEventListener("abort", () => void (isPicking && panel.page.pickKey("end")));
    panel.watch(draw, signal);
    draw();
  },
};

// Try it on: a page of many articles, a table, a page in a frame; with the pointer, and with the keys alone.
