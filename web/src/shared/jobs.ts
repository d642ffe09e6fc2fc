// Requests that the engine of a shared worker has, or that wait for a model.

import type { Stage } from "../protocol.gen.js";
import { isPreparation } from "../watchdog.js";
import type { Activity, Sent } from "./wire.js";

/** A request that has not ended. */
export interface Job {
  /** The client that asked; null for a model that is loaded again. */
  member: string | null;
  /** Its own id of the request. */
  id: number;
  message: Sent;
  stage: Stage | null;
  /** Models that have to be loaded again first. */
  waitsFor: Set<string>;
  isPaused: boolean;
}

export const createJob = (member: string | null, message: Sent, stage: Stage | null = null): Job => ({
  member,
  id: message.id,
  message,
  stage,
  waitsFor: new Set(),
  isPaused: false,
});

/** The model that a job of this worker's own loads. */
export function nameOf({ message: { request } }: Job): string {
  return request.type === "loadLora" ? request.model : request.type === "load" ? request.name : "";
}

/** What the worker is doing; `begun` is the job that it began last. */
export function activityOf(jobs: Iterable<Job>, begun: Job | undefined): Omit<Activity, "hasAnswered"> {
  const all = [...jobs];
  return {
    isOpen: all.length > 0,
    isPreparing: all.some(({ stage }) => isPreparation(stage)),
    begun: begun?.member ? [begun.member, begun.id] : null,
  };
}
