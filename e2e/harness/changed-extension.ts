// Chromium with a copy of the extension whose manifest is changed.

import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, type Launched } from "./launch.ts";
import { EXTENSION_DIR } from "./paths.ts";

type Manifest = Record<string, unknown>;

/** Starts it; the copy goes when the browser is closed. */
export async function launchChanged(change: (manifest: Manifest) => Manifest, welcome = false): Promise<Launched> {
  const folder = await mkdtemp(join(tmpdir(), "pith-changed-"));
  await cp(EXTENSION_DIR, folder, { recursive: true });
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, "utf8")) as Manifest)));
  const launched = await launch({ extension: folder, welcome });
  const { close } = launched;
  launched.close = async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  };
  return launched;
}
