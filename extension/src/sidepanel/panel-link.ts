import type { PageDocument } from "../export/document.js";
import type { Refusal } from "../pages-wire.js";
import { HostLink } from "../ui/host-link.js";
import { portName, type ReadPage, type TabState, type ToHost, type ToPanel } from "../wire.js";

/** A panel's line to the host. */
export class PanelLink extends HostLink<ToHost, TabState> {
  /** Who waits for an answer; null where the host ends. */
  readonly #asked = new Map<number, (answer: ToPanel | null) => void>();
  #nextRequest = 1;
  /** Gives what the next host has to know before it is told anything else. */
  restore: ((message: ToHost) => Promise<ToHost | null>) | null = null;
  #restoring: Promise<unknown> = Promise.resolve();

  constructor(tab: number, onState: (state: TabState) => void, onLost: () => void) {
    super(portName(tab), onState, onLost);
  }

  override async send(message: ToHost): Promise<void> {
    const { restore } = this;
    if (restore) {
      this.restore = null;
      this.#restoring = restore(message).then((known) => known && super.send(known));
    }
    await this.#restoring;
    return super.send(message);
  }

  /** What there is to copy, save or print; null where nothing was read, or the host ends. */
  async document(): Promise<PageDocument | null> {
    const answer = await this.#ask((request) => ({ type: "document", request }));
    return answer?.type === "document" ? answer.document : null;
  }

  /** Adds this tab's page to the conversation of another tab. Gives the reason where it is not added. */
  async join(to: number, read: ReadPage): Promise<Refusal | null> {
    const answer = await this.#ask((request) => ({ type: "join", request, to, read }));
    return answer?.type === "join" ? answer.refused : "pages_gone";
  }

  async #ask(message: (request: number) => ToHost): Promise<ToPanel | null> {
    const request = this.#nextRequest++;
    const answer = new Promise<ToPanel | null>((resolve) => this.#asked.set(request, resolve));
    // A host that ends just now does not take it.
    await this.send(message(request)).catch(() => this.#answer(request, null));
    return answer;
  }

  protected override answered(message: ToPanel): void {
    if (message.type !== "state") this.#answer(message.request, message);
  }

  protected override lost(): void {
    for (const request of this.#asked.keys()) this.#answer(request, null);
  }

  #answer(request: number, answer: ToPanel | null): void {
    this.#asked.get(request)?.(answer);
    this.#asked.delete(request);
  }
}
