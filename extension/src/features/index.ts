import type { Feature } from "../sidepanel/panel.js";
import { actOnText } from "./act-on-text.js";
import { announce } from "./announce.js";
import { askPage } from "./ask-page.js";
import { chooseSettings } from "./choose-settings.js";
import { gatherPages } from "./gather-pages.js";
import { keepHistory } from "./keep-history.js";
import { keepPage } from "./keep-page.js";
import { lookAgain } from "./look-again.js";
import { offerAtSelection } from "./offer-at-selection.js";
import { pickPart } from "./pick-part.js";
import { printPage } from "./print-page.js";
import { showSourceFeature } from "./show-source.js";
import { summarizePage } from "./summarize-page.js";
import { watchOtherPages } from "./watch-other-pages.js";
import { watchPage } from "./watch-page.js";
import { writeText } from "./write-text.js";

/** Everything that the panel can do, one file each. */
export const features: readonly Feature[] = [
  announce,
  watchPage,
  watchOtherPages,
  gatherPages,
  chooseSettings,
  showSourceFeature,
  askPage,
  actOnText,
  pickPart,
  offerAtSelection,
  summarizePage,
  writeText,
  lookAgain,
  keepPage,
  printPage,
  keepHistory,
];
