// What a reading of a page gives.

import type { Coverage } from "../../extension/src/wire.ts";
import type { Page } from "../../web/src/protocol.gen.ts";

/** What the panel sent to its host; or the problem that it shows. */
export type Reading = { page: Page; coverage: Coverage } | { problem: string };
