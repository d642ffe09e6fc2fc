// Figures of the worker's memory.

import type { RawWorker } from "../harness/raw-worker.ts";
import type { MemoryUse } from "../../web/src/protocol.gen.ts";

export const total_bytes = ({ weightsBytes, kvBytes, scratchBytes }: MemoryUse): number =>
  weightsBytes + kvBytes + scratchBytes;

/** What the one model that is resident takes. */
export async function residentUse(worker: RawWorker): Promise<MemoryUse> {
  const { report } = await worker.get("memory", { type: "memory" });
  if (report.models.length !== 1) throw new Error(`${report.models.length} models are resident, not one`);
  return report.models[0]!.memory;
}
