// A button that names the bytes and the host, and what becomes of the download.
import type { RemoteModel } from "../models-wire.js";
import { bytes } from "../ui/amounts.js";
import { h, say, set, show } from "../ui/dom.js";
import { drawFailure } from "../ui/job.js";
import { called, t } from "../ui/words.js";
import type { ModelsLink, PageModel } from "./link.js";
import { askForHost, hostOf } from "./permission.js";
import { createWorkView } from "./work-view.js";

/** What a click would download. */
export interface Offer {
  remote: RemoteModel;
  title: string;
  bytes: number;
  /** Whether it is an encoder, where its file was looked at. */
  encoder?: boolean;
}

export interface DownloadView {
  element: HTMLElement;
  button: HTMLButtonElement;
  /** With null there is nothing to download any more. */
  update(offer: Offer | null, model: PageModel): void;
}

/** `onDownload` is called when the reader has agreed, before the download begins. */
export function createDownload(link: ModelsLink, look = "primary", onDownload?: () => void): DownloadView {
  let offer: Offer | null = null;
  let last: Offer | null = null;
  const button = h("button", { type: "button", class: look });
  const refusal = h("div", {});
  const waiting = h("p", { class: "note", role: "status" });
  const work = createWorkView({
    pause: () => last && link.send({ type: "pause", key: last.remote.url }),
    resume: () => last && link.send({ type: "resume", key: last.remote.url }),
    cancel: () => last && link.send({ type: "cancel", key: last.remote.url }),
    retry: (_, force) => start(force),
    repair: () => {},
  });
  const element = h(
    "div",
    { class: "download" },
    work.element,
    refusal,
    waiting,
    h("div", { class: "actions" }, button),
  );
  button.addEventListener("click", () => start(false));

  /** Nothing is awaited before the question: the browser takes it in the task of a click only. */
  function start(force: boolean): void {
    if (!offer) return;
    const { remote, title, encoder } = offer;
    const host = hostOf(remote.url);
    drawFailure(refusal, null, []);
    say(waiting, t("modelsAsking", host));
    askForHost(remote.url)
      .then(async (granted) => {
        say(waiting, "");
        if (!granted) return refuse(host);
        onDownload?.();
        await link.download(remote, title, force, encoder);
      })
      .catch((error: unknown) => {
        say(waiting, "");
        refuse(host, String(error));
      });
  }

  function refuse(host: string, detail = ""): void {
    const failure = { code: "host_refused", message: t("modelsRefused", host), help: t("modelsRefusedHelp"), detail };
    drawFailure(refusal, failure, []);
  }

  return {
    element,
    button,
    update(next, model) {
      offer = next;
      last = next ?? last;
      const found = last ? model.host.work[last.remote.url] : undefined;
      const state = found?.kind === "download" ? found : undefined;
      const isWorking = state?.phase === "working";
      work.draw(offer || isWorking ? (state ?? null) : null, last?.title ?? "");
      const stored = model.host.stock?.stored.find(({ url }) => url === offer?.remote.url);
      const isBegun = stored !== undefined && !stored.whole && stored.bytes > 0 && stored.totalBytes !== null;
      // A failure has a button of its own.
      show(button, offer !== null && !isWorking && state?.phase !== "failed");
      if (!offer) return;
      const left = isBegun ? Math.max(0, offer.bytes - stored.bytes) : offer.bytes;
      const host = hostOf(offer.remote.url);
      const label = isBegun ? t("modelsResumeBytes", bytes(left), host) : t("modelsDownload", bytes(left), host);
      say(button, label);
      set(button, "aria-label", t("modelsDownloadOf", label, called(offer.title)));
    },
  };
}
