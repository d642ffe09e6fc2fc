// The JavaScript heap of a page's dedicated worker, asked through the browser's debugger.

import type { CDPSession, Page } from "@playwright/test";

export interface HeapUsage {
  used_bytes: number;
  /** Of ArrayBuffers, which lie outside the heap. */
  buffers_bytes: number;
}

export class WorkerHeap {
  readonly #answers = new Map<number, (result: unknown) => void>();
  #nextId = 1;

  private constructor(
    private readonly session: CDPSession,
    private readonly sessionId: string,
  ) {
    session.on("Target.receivedMessageFromTarget", ({ message }) => {
      const { id, result } = JSON.parse(message) as { id?: number; result?: unknown };
      if (id === undefined) return;
      this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    });
  }

  /** Attaches to the page's worker; it must have one. */
  static async open(page: Page): Promise<WorkerHeap> {
    const session = await page.context().newCDPSession(page);
    const attached = new Promise<string>((resolve) =>
      session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
        if (targetInfo.type === "worker") resolve(sessionId);
      }),
    );
    await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    return new WorkerHeap(session, await attached);
  }

  /** Answered when the worker gets to it. */
  async usage(): Promise<HeapUsage> {
    const usage = (await this.#ask("Runtime.getHeapUsage")) as { usedSize: number; backingStorageSize: number };
    return { used_bytes: usage.usedSize, buffers_bytes: usage.backingStorageSize };
  }

  async collectGarbage(): Promise<void> {
    await this.#ask("HeapProfiler.collectGarbage");
  }

  async #ask(method: string): Promise<unknown> {
    const id = this.#nextId++;
    const answer = new Promise((resolve) => this.#answers.set(id, resolve));
    const message = JSON.stringify({ id, method });
    await this.session.send("Target.sendMessageToTarget", { sessionId: this.sessionId, message });
    return answer;
  }
}
