// The script in the page. The panel calls these through the extension's own world; the page cannot.
import { drawn } from "./drawn.js";
import { collect, explain, pageKey, picture, unfoldAll } from "./extract.js";
import { clear, show } from "./mark.js";
import { pick, pickKey } from "./pick/pick.js";
import { readWhole } from "./pick/part.js";
import { offer } from "./selection/offer.js";
import { hasSelection, selection } from "./selection/read.js";
import { giveUpReadings } from "./walk.js";

/** What the panel can ask of the page. */
export const pageApi = {
  pageKey,
  picture,
  collect,
  explain,
  stop: giveUpReadings,
  show,
  drawn,
  clear,
  selection,
  hasSelection,
  offer,
  pick,
  pickKey,
  readWhole,
  unfold: unfoldAll,
};
export type PageApi = typeof pageApi;

declare global {
  var pithPage: PageApi | undefined;
}
globalThis.pithPage ??= pageApi;
