// Where the passages that are shown stand in the window of their page.
import type { Box } from "./content/sight/geometry.js";

export interface Drawn {
  places: {
    /** The passage is on the page. */
    isFound: boolean;
    /** Its lines that are in the window, in CSS pixels of the window. */
    boxes: Box[];
  }[];
  /** The window, and where it is scrolled to. */
  width: number;
  height: number;
  scrollX: number;
  scrollY: number;
  /** Pixels of the screen for one of the window. */
  ratio: number;
  /** By two fingers: boxes are not where the picture has them. */
  isZoomed: boolean;
}
