// Without a bundler: a script tag, a content security policy, and files on another origin.

import { expectText } from "../../bundlers/cases.ts";
import { servePackage, servePlain } from "../../bundlers/plain.ts";
import { test } from "../../fixtures.ts";
import { STORY } from "../../helpers/story.ts";
import type { Site } from "../../harness/server.ts";

test.use({ withExtension: false });

const address = (plain: Site, site: Site): string =>
  `${plain.origin}/index.html?model=${encodeURIComponent(site.url(`/reference/${STORY}`))}`;

test("a script tag, under the documented content security policy", async ({ page, site }) => {
  const plain = await servePlain();
  plain.send(
    "content-security-policy",
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' ${site.origin}; img-src data:`,
  );
  await page.goto(address(plain, site));
  await expectText(page);
  await plain.close();
});

for (const what of ["the worker", "the client and its worker"]) {
  test(`${what} from another origin, under the documented content security policy`, async ({ page, site }) => {
    const cdn = await servePackage();
    const plain =
      what === "the worker"
        ? await servePlain("/pith/index.js", `{ workerUrl: "${cdn.url("/pith/worker.js")}" }`)
        : await servePlain(cdn.url("/pith/index.js"));
    plain.send(
      "content-security-policy",
      `default-src 'none'; script-src 'self' ${cdn.origin} 'wasm-unsafe-eval'; worker-src blob: ${cdn.origin}; connect-src ${cdn.origin} ${site.origin}; img-src data:`,
    );
    await page.goto(address(plain, site));
    await expectText(page);
    await plain.close();
    await cdn.close();
  });
}
