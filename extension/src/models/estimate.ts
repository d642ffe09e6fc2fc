// What can be told of a model before anything of it is downloaded.
import { type KnownModel, knownModels } from "@pith/web/models";
import type { Machine } from "../models-wire.js";

const GIB = 2 ** 30;
/** Beside its weights a model needs memory for the context, in proportion, and for activations. */
const CONTEXT_SHARE = 0.25;
const SCRATCH_BYTES = 100e6;

/** Whether a model will run here, as far as its size tells. */
export interface Estimate {
  verdict: "likely" | "tight" | "unlikely" | "noRoom";
  needBytes: number;
  /** What models may take; null where nothing is known of a GPU's memory. */
  haveBytes: number | null;
}

/** Chrome tells the memory of a device, 8 GiB at most; Firefox does not. */
const deviceMemory = (): number | null => {
  const gib = (navigator as { deviceMemory?: number }).deviceMemory;
  return gib === undefined ? null : gib * GIB;
};

/** What models may take here. On a GPU only loading a model tells more than the memory of the device does. */
function budget({ backend, budgetBytes }: Machine, memoryBytes: number | null): number | null {
  if (backend.kind === "cpu") return budgetBytes;
  return memoryBytes === null ? null : memoryBytes / 2;
}

export function estimate(
  sizeBytes: number,
  machine: Machine,
  freeBytes: number | null,
  memoryBytes = deviceMemory(),
): Estimate {
  const needBytes = sizeBytes * (1 + CONTEXT_SHARE) + SCRATCH_BYTES;
  const haveBytes = budget(machine, memoryBytes);
  if (freeBytes !== null && sizeBytes > freeBytes) return { verdict: "noRoom", needBytes, haveBytes };
  if (haveBytes === null) return { verdict: needBytes < 4 * GIB ? "tight" : "unlikely", needBytes, haveBytes };
  const verdict = needBytes < 0.7 * haveBytes ? "likely" : needBytes < haveBytes ? "tight" : "unlikely";
  return { verdict, needBytes, haveBytes };
}

/** Known models that should fit here, smallest first. */
export function fitting(
  machine: Machine,
  freeBytes: number | null,
  memoryBytes = deviceMemory(),
): readonly KnownModel[] {
  return knownModels.filter((model) => {
    if (!model.bytes) return false;
    const { verdict } = estimate(model.bytes, machine, freeBytes, memoryBytes);
    // Where a GPU's memory is not known, models up to this size rarely fail.
    return verdict === "likely" || (verdict === "tight" && memoryBytes === null && model.bytes < 1.2e9);
  });
}
