// A model of the reader's own: a file, an address, or a repository of the hub.
import { PithError } from "@pith/web";
import { findOnHub, parseHubName, titleOf } from "@pith/web/hub";
import { toFailure } from "../../failure.js";
import { createDownload } from "../../models/download-view.js";
import { named } from "../../models/failures.js";
import type { ModelsLink } from "../../models/link.js";
import { askForHost, hostOf, isAllowed } from "../../models/permission.js";
import { createWorkView } from "../../models/work-view.js";
import type { RemoteModel } from "../../models-wire.js";
import { bytes } from "../../ui/amounts.js";
import { h, part, put, say, sayName, set, show } from "../../ui/dom.js";
import { drawFailure } from "../../ui/job.js";
import { called, t } from "../../ui/words.js";
import { initFile } from "./own-file.js";
import { createHubChoice } from "./own-hub.js";

interface Found {
  remote: RemoteModel;
  title: string;
  /** Null until the server has told. */
  bytes: number | null;
  /** Whether it is an encoder; absent until its file was looked at. */
  encoder?: boolean;
}

export function initOwn(link: ModelsLink): void {
  say(part("own-title"), t("modelsOwn"));
  const section = part("own");
  initFile(link, section);

  const input = h("input", { type: "text", id: "address", dir: "ltr", autocomplete: "off", spellcheck: "false" });
  set(input, "placeholder", t("modelsAddressExample"));
  input.maxLength = 2048;
  const submit = h("button", { type: "submit", class: "secondary" }, t("modelsLookUp"));
  const failure = h("div", {});
  const busy = h("p", { class: "note", role: "status" });
  const form = h(
    "form",
    { class: "own-form" },
    h("label", { for: "address" }, t("modelsAddress")),
    h("p", { class: "note" }, t("modelsAddressNote")),
    h("div", { class: "own-row" }, input, submit),
    createHubChoice(link),
    busy,
    failure,
  );
  const title = h("h3", {});
  const facts = h("p", { class: "facts" });
  const check = createWorkView({
    pause: () => {},
    resume: () => {},
    cancel: () => found && link.send({ type: "cancel", key: found.remote.url }),
    retry: () => found && ask(found.remote),
    repair: () => {},
  });
  const download = createDownload(link);
  const card = h("div", { class: "model" }, title, facts, check.element, download.element);
  put(section, form, card);
  show(card, false);

  let found: Found | null = null;
  let stop = new AbortController();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    const name = parseHubName(text);
    const hub = link.model.hub;
    if (!name && !isAllowed(text)) {
      return drawFailure(failure, { code: "bad_address", message: "", help: "", detail: text.slice(0, 200) }, []);
    }
    drawFailure(failure, null, []);
    stop.abort();
    const { signal } = (stop = new AbortController());
    // Asked for in the task of the click, before anything is fetched.
    const host = name ? hub : text;
    say(busy, t("modelsAsking", called(hostOf(host))));
    void lookUp(signal, askForHost(host), () => (name ? findOnHub(hub, name, { signal }) : plain(text)));
  });

  const ask = (model: RemoteModel): void =>
    link.send({ type: "check", key: model.url, model, backend: link.model.backend });

  async function lookUp(
    signal: AbortSignal,
    permission: Promise<boolean>,
    find: () => Promise<RemoteModel & { title: string; bytes: number | null }>,
  ): Promise<void> {
    try {
      if (!(await permission)) throw new PithError({ code: "host_refused", message: t("modelsRefusedPlain") });
      say(busy, t("modelsLooking"));
      const { url, sha256, title, bytes } = await find();
      if (signal.aborted) return;
      found = { remote: { url, ...(sha256 && { sha256 }) }, title, bytes };
      ask(found.remote);
      link.update({});
    } catch (error) {
      if (!signal.aborted) drawFailure(failure, named(toFailure(error)), []);
    } finally {
      if (!signal.aborted) say(busy, "");
    }
  }

  link.watch((model) => {
    const isStored = model.host.stock?.stored.some(({ url, whole }) => whole && url === found?.remote.url) ?? false;
    show(card, found !== null && !isStored);
    if (!found) return;
    const work = model.host.work[found.remote.url] ?? null;
    if (work?.phase === "done" && work.result.type === "fit") {
      found.bytes = work.result.fit.fileBytes;
      found.encoder = work.result.fit.encoder;
    }
    sayName(title, found.title);
    const size = found.bytes === null ? null : bytes(found.bytes);
    say(facts, [size, t("modelsFrom", called(hostOf(found.remote.url)))].filter((one) => one !== null).join(" · "));
    const isCheck = work?.kind === "check";
    check.draw(isCheck ? work : null, found.title);
    const hasFailed = isCheck && work.phase === "failed";
    const offer = found.bytes === null || isStored || hasFailed ? null : { ...found, bytes: found.bytes };
    download.update(offer, model);
    show(download.element, work !== null && (!isCheck || work.phase === "done"));
  });
}

const plain = async (url: string) => ({ url, title: titleOf(new URL(url).pathname), bytes: null });
