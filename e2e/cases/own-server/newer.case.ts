// A database that a newer version of the extension left behind: what can be read serves, and the page can be used.

import { expect, test } from "../../fixtures.ts";

test.beforeEach(({ errors }) => errors.expect(/blocked an inline style/));

test("a server that a newer version has stored is off or on, and can be turned off", async ({ context, extension }) => {
  const page = await context.newPage();
  const address = extension.url("pages/server/index.html");
  await page.goto(address);
  const state = page.locator("#state strong");
  await expect(state).toHaveText("Off");
  for (const place of ["connection", "elsewhere"]) {
    await page.evaluate(
      (place) =>
        new Promise<void>((resolve, reject) => {
          const gone = indexedDB.deleteDatabase("pith-server");
          gone.onerror = () => reject(gone.error);
          gone.onsuccess = () => {
            const opening = indexedDB.open("pith-server", 9);
            opening.onupgradeneeded = () => opening.result.createObjectStore(place);
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => (opening.result.close(), resolve());
          };
        }),
      place,
    );
    await page.goto(address);
    // Before, the page was left without a state.
    await expect(state, place).toHaveText("Off");
    await expect(page.getByRole("textbox", { name: "Address" })).toBeEnabled();
  }
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const gone = indexedDB.deleteDatabase("pith-server");
        gone.onerror = () => reject(gone.error);
        gone.onsuccess = () => resolve();
      }),
  );
  await page.close();
});
