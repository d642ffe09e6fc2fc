// The page that manages models: what is stored, what can be, which one writes, and which one reads.
import { watchKinds } from "../../models/kinds.js";
import { ModelsLink } from "../../models/link.js";
import { part, say, show } from "../../ui/dom.js";
import { drawFailure } from "../../ui/job.js";
import { setLanguage, t } from "../../ui/words.js";
import { announce } from "./announce.js";
import { initEncoder } from "./encoder.js";
import { drawInstalled } from "./installed.js";
import { drawMachine } from "./machine.js";
import { initOwn } from "./own.js";
import { drawRecommended } from "./recommended.js";
import { initWriter } from "./writer.js";

async function start(): Promise<void> {
  setLanguage(t("modelsTitle"));
  say(part("title"), t("modelsTitle"));
  say(part("intro"), t("modelsIntro"));
  say(part("welcome"), t("modelsWelcome"));
  const link = new ModelsLink();
  const problem = part("problem");
  watchKinds(link);
  initWriter(link);
  initEncoder(link);
  drawInstalled(link);
  drawRecommended(link);
  initOwn(link);
  drawMachine(link);
  announce(link);
  say(part("lost"), t("modelsLost"));
  link.watch(({ host, lost }) => {
    show(part("lost"), lost);
    drawFailure(problem, host.problem, [{ label: t("retry"), run: () => link.look() }]);
  });
  try {
    await link.open();
  } catch (error) {
    const failure = { code: "host_unreachable", message: "", help: "", detail: String(error) };
    drawFailure(problem, failure, [{ label: t("retry"), run: () => location.reload() }]);
  }
}

void start();
