// The page on which the reader sets up a server of their own.
import { PithError } from "@pith/web";
import { borrow } from "../../borrowed.js";
import { type Address, readAddress } from "../../host/writers/openai/address.js";
import { isKey } from "../../host/writers/openai/connection.js";
import { serverError } from "../../host/writers/openai/errors.js";
import { fillWith, part, say, set, show } from "../../ui/dom.js";
import { drawFailure } from "../../ui/job.js";
import { setLanguage, t } from "../../ui/words.js";
import { createForm } from "./form.js";
import { drawProgress, drawResult, drawState } from "./outcome.js";
import { askPermission, isPrivate, mayTurnOn, readState, turnOff, turnOn } from "./switch.js";
import { test, type Trial } from "./trial.js";

setLanguage(t("server"));
say(part("title"), t("server"));
say(part("intro"), t("serverIntro"));

const form = part<HTMLFormElement>("server");
const view = createForm(form);
let trial: Trial | null = null;
let stop: AbortController | null = null;
/** The model to test, where the server offers it. */
let wanted = "";

const announce = (words: string): void => say(part("live"), words);

function toFailure(error: unknown): PithError {
  return error instanceof PithError ? error : new PithError({ code: "unexpected", message: "", detail: String(error) });
}

/** What is shown of a test goes: another one follows. */
function clear(): void {
  stop?.abort();
  stop = trial = null;
  view.agree.checked = false;
  drawFailure(view.outcome, null, []);
  show(view.result, false);
  update();
}

/** What was tested is not what is typed any more. */
function reset(): void {
  clear();
  view.drawConsent("", false);
}

/** What is offered follows from what is typed and tested. */
function update(): void {
  const isReady = trial !== null && view.agree.checked;
  if (view.turnOn.disabled === isReady) view.turnOn.disabled = !isReady;
  set(view.test, "aria-disabled", stop !== null);
}

function typed(): Address {
  const address = readAddress(view.address.value);
  if (!isKey(view.key.value.trim())) throw serverError("server_key_characters", address.host);
  return address;
}

async function run(): Promise<void> {
  if (stop !== null) return;
  clear();
  const { signal } = (stop = new AbortController());
  try {
    const address = typed();
    // The browser's question must come from the click itself.
    const { isGranted, isNew } = await askPermission(address.base);
    if (!isGranted) throw serverError("server_permission", address.host);
    if (isNew) await borrow(address.base);
    const progress = drawProgress(view.outcome, () => stop?.abort());
    const found = await test(address.base, view.key.value.trim(), wanted, {
      signal,
      onWords: progress.words,
      onModels: (list, chosen) => {
        view.drawModels(list, chosen);
        view.drawConsent(address.host, !address.isEncrypted && !address.isLoopback);
      },
      onText: progress.text,
    });
    if (signal.aborted) return;
    trial = found;
    fillWith(view.outcome);
    announce(drawResult(view.result, found.result));
  } catch (error) {
    if (!signal.aborted) drawFailure(view.outcome, toFailure(error).toData(), []);
    else if (stop === null || stop.signal === signal) fillWith(view.outcome);
  } finally {
    if (stop?.signal === signal) stop = null;
    update();
  }
}

async function draw(): Promise<void> {
  drawFailure(part("stored"), null, []);
  const state = await readState().catch((error: unknown) => {
    drawFailure(part("stored"), toFailure(error).toData(), [{ label: t("serverTurnOff"), run: () => void off() }]);
    return null;
  });
  if (state === null) return;
  const { connection, isOn } = state;
  drawState(part("state"), isOn ? connection : null, () => void off());
  if (!connection) return;
  view.address.value = connection.base;
  view.key.value = connection.key;
  wanted = connection.model;
}

async function on(): Promise<void> {
  if (trial === null || !view.agree.checked) return;
  const { connection } = trial;
  await turnOn(connection);
  reset();
  await draw();
  announce(t("serverTurnedOn", new URL(connection.base).host));
  part("state").querySelector("button")?.focus();
}

async function off(): Promise<void> {
  reset();
  await turnOff();
  form.reset();
  wanted = "";
  await draw();
  announce(t("serverTurnedOff"));
  view.address.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run();
});
form.addEventListener("input", ({ target }) => {
  if (target === view.agree) update();
  else if (target === view.address || target === view.key) reset();
});
view.model.addEventListener("change", () => {
  wanted = view.model.value;
  clear();
  void run();
});
view.turnOn.addEventListener("click", () => void on());

if (isPrivate()) {
  const notice = part("private");
  show(notice, true);
  say(notice, t((await mayTurnOn()) ? "serverPrivate" : "serverPrivateFirst"));
  show(form, await mayTurnOn());
}
await draw();
