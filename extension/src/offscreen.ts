import { startHost } from "./host/host.js";

// Nothing to hold: the document goes, and with it the worker's memory. Chrome updates an extension only without one.
startHost(() => {
  window.close();
  return true;
});
