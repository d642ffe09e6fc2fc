// The demo site tries kernels on a loaded model, measures it, and saves the result.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import type { TuningReport } from "../../../web/src/protocol.gen.ts";
import { expectAccessible, loadFile } from "./steps.ts";

test.use({ withExtension: false });

const FILE = resolve(referenceDir(), "real/stories260K-f32.gguf");
const SLOW = { timeout: 180_000 };

for (const backend of ["cpu", "webgpu"]) {
  test(
    `kernels are tried and the result is saved (${backend})`,
    { tag: backend === "webgpu" ? "@long" : [] },
    async ({ page, site }) => {
      test.setTimeout(300_000);
      await page.goto(site.url("/demo/index.html"));
      const start = page.getByRole("button", { name: "Tune and benchmark" });
      await expect(start).toBeDisabled();
      await loadFile(page, backend, FILE);
      await expect(page.getByText("then reads 128 tokens")).toBeVisible(SLOW);
      await start.press("Enter");
      const outcome = page.locator("#bench-outcome");
      await expect(outcome).toContainText("Measured.", SLOW);
      await expect(outcome).toContainText(/Reads a prompt\s*\d[\d.]* tokens\/s\s*Writes\s*\d[\d.]* tokens\/s/);
      await expect(page.getByRole("group", { name: "Kernels" })).toHaveCount(backend === "cpu" ? 0 : 1);
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save as JSON" }).click();
      const saved = JSON.parse(await readFile(await (await saving).path(), "utf8")) as { tuning: TuningReport };
      expect(saved.tuning.choices.length).toBe(backend === "cpu" ? 0 : 3);
      await expectAccessible(page, `demo-bench-${backend}`);
    },
  );
}
