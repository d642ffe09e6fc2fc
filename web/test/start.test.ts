import { afterEach, expect, it, vi } from "vitest";
import { clientErrors } from "../src/errors.js";
import { explain, startWorker } from "../src/start.js";

afterEach(() => vi.unstubAllGlobals());

it("a worker that is replaced leaves nothing behind on the page", async () => {
  const page = new EventTarget();
  const listeners = new Set<unknown>();
  vi.stubGlobal("Worker", class extends EventTarget {});
  vi.stubGlobal("location", new URL("https://example.com/"));
  vi.stubGlobal("addEventListener", (type: string, listener: EventListener) => {
    listeners.add(listener);
    page.addEventListener(type, listener);
  });
  const forbid = (): boolean =>
    page.dispatchEvent(
      Object.assign(new Event("securitypolicyviolation"), { effectiveDirective: "worker-src", blockedURI: "blob" }),
    );
  startWorker("https://example.com/a.js");
  forbid();
  const last = startWorker("https://example.com/b.js");
  expect(listeners.size).toBe(1);
  vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
  await expect(explain(clientErrors.start("no"), last)).rejects.toMatchObject({
    detail: expect.stringContaining("b.js: 404"),
  });
  forbid();
  await expect(explain(clientErrors.start("no"), last)).rejects.toMatchObject({
    detail: expect.stringContaining("worker-src forbids"),
  });
});
