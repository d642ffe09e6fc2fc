// Sites without a bundler: the page of page/, and the package's files as they are.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";
import { serve, type Site } from "../harness/server.ts";

const PAGE = resolve(ROOT, "e2e/bundlers/page");
const DIST = resolve(ROOT, "web/dist");

/** A server of the package's files under /pith/. */
export const servePackage = (): Promise<Site> => serve({ "/pith/": DIST });

/** A site whose page imports the client from `client` and passes `options`, the text of an object, to `Pith.open`. */
export async function servePlain(client = "/pith/index.js", options = ""): Promise<Site> {
  const site = await serve({ "/": PAGE, "/pith/": DIST });
  const script = (name: string, from: string, to: string): void => {
    const text = readFileSync(resolve(PAGE, name), "utf8").replace(from, to);
    site.handle(`/${name}`, (_, response) => void response.setHeader("content-type", "text/javascript").end(text));
  };
  script("main.js", '"@pith/web"', JSON.stringify(client));
  script("index.js", "main()", `main(${options})`);
  return site;
}
