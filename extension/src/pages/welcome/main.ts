// The first page after installation: what works, and what a download would add.
import { platform } from "#platform";
import { ModelsLink } from "../../models/link.js";
import { fillWith, h, part, put, say } from "../../ui/dom.js";
import { createFailure } from "../../ui/job.js";
import { readShortcut, setLanguage, shortcutKeys, t } from "../../ui/words.js";
import { offerModel } from "./offer.js";

async function start(): Promise<void> {
  setLanguage(t("welcomeTitle"));
  await readShortcut();
  const keys = shortcutKeys();
  say(part("title"), t("welcomeTitle"));
  say(part("lead"), t("welcomeLead"));
  say(part("now-title"), t("welcomeNow"));
  say(part("how-title"), t("welcomeHow"));
  say(part("more-title"), t("welcomeMore"));
  say(part("more"), t("welcomeMoreText"));
  say(part("all"), t("welcomeAll"));
  const items = (texts: string[]): HTMLElement[] => texts.map((text) => h("li", {}, text));
  put(part("now"), ...items([t("welcomeNow1"), t("welcomeNow2"), t("welcomeNow3")]));
  const second = keys ? t("welcomeStep2", keys) : t("welcomeStep2None", platform.shortcutsAddress);
  put(part("how"), ...items([t("welcomeStep1"), second, t("welcomeStep3", t("summarizePage"))]));

  const link = new ModelsLink();
  offerModel(link);
  try {
    await link.open();
  } catch (error) {
    const failure = { code: "host_unreachable", message: "", help: "", detail: String(error) };
    fillWith(part("pick"), createFailure(failure, [{ label: t("retry"), run: () => location.reload() }]));
  }
}

void start();
