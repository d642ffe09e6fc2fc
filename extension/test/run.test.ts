import { expect, it } from "vitest";
import { run } from "../src/host/run.js";
import type { Job } from "../src/wire.js";

interface Text {
  text: string;
  timeMs: number;
}

it("shows nothing of work that has failed already", async () => {
  const shown: Job<Text>[] = [];
  let late = (): void => {};
  const result = await run<Text>(
    new AbortController().signal,
    (job) => shown.push(job),
    async (onProgress, onDraft) => {
      late = () => {
        onDraft({ text: "judged late", timeMs: 0 });
        onProgress({ stage: "decode", done: 0, total: 0 });
      };
      throw new Error("the server broke off");
    },
  );
  late();
  expect(result).toBeNull();
  expect(shown.map(({ phase }) => phase)).toEqual(["working", "failed"]);
});
