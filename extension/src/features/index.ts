import type { Feature } from "../sidepanel/panel.js";
import { announce } from "./announce.js";
import { askPage } from "./ask-page.js";
import { chooseSettings } from "./choose-settings.js";
import { keepHistory } from "./keep-history.js";
import { keepPage } from "./keep-page.js";
import { printPage } from "./print-page.js";
import { showSourceFeature } from "./show-source.js";
import { summarizePage } from "./summarize-page.js";
import { watchPage } from "./watch-page.js";

/** Everything that the panel can do, one file each. */
export const features: readonly Feature[] = [
  announce,
  watchPage,
  chooseSettings,
  showSourceFeature,
  askPage,
  summarizePage,
  keepPage,
  printPage,
  keepHistory,
];
