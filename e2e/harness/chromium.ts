// How Chromium is found and started. The flags give WebGPU, WebGL2 and OPFS on machines without a GPU.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/** The browser to test with: PITH_CHROME, else the first Chromium or Chrome that is installed. */
export function findChromium(): string {
  const named = process.env.PITH_CHROME;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`PITH_CHROME names ${named}, which does not exist`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
    .concat(PLACES)
    .find((path) => existsSync(path));
  if (!found) throw new Error("No Chromium or Chrome found: run `cargo xtask setup`, or set PITH_CHROME to its path");
  return found;
}

/** Which adapter the tests run on. PITH_GPU=real uses the machine's own GPU; the default is the software adapter. */
export const usesRealGpu = process.env.PITH_GPU === "real";

const SOFTWARE_GPU = [
  "--use-webgpu-adapter=swiftshader",
  "--enable-unsafe-swiftshader",
  "--use-angle=swiftshader",
  // An emulated GPU that draws pages too takes a quarter of all time.
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
];
const REAL_GPU = ["--enable-features=Vulkan", "--use-angle=vulkan", "--ignore-gpu-blocklist"];

/** Command line for a headless browser; `extension` is the folder of an unpacked extension. */
export function chromiumArgs(extension?: string): string[] {
  return [
    "--headless=new",
    "--no-sandbox",
    "--enable-unsafe-webgpu",
    ...(usesRealGpu ? REAL_GPU : SOFTWARE_GPU),
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    // Lets a test press the toolbar button, which is what grants activeTab.
    "--enable-unsafe-extension-debugging",
    ...(extension ? [`--load-extension=${extension}`, `--disable-extensions-except=${extension}`] : []),
  ];
}
