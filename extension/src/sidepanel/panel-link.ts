import type { PageDocument } from "../export/document.js";
import type { Refusal } from "../pages-wire.js";
import { HostLink } from "../ui/host-link.js";
import { portName, type ReadPage, type TabState, type ToHost, type ToPanel } from "../wire.js";

/** What a panel has kept of a host that has ended. */
interface Kept {
  isKept(): boolean;
  drop(): void;
  /** What the next host has to know of it; null where it cannot be told. `message`: what is to be sent then. */
  restore(message: ToHost): Promise<ToHost | null>;
}

/** A panel's line to the host. */
export class PanelLink extends HostLink<ToHost, TabState> {
  /** Who waits for an answer; null where the host ends. */
  readonly #asked = new Map<number, (answer: ToPanel | null) => void>();
  #nextRequest = 1;
  readonly #kept: Kept;
  /** Whether this host was told what was kept. */
  #restored: Promise<boolean> | null = null;

  constructor(tab: number, onState: (state: TabState) => void, onLost: () => void, kept: Kept) {
    super(portName(tab), onState, onLost);
    this.#kept = kept;
  }

  /** Where the panel shows what it kept of another host, this one is told that first; where it cannot be, it is told nothing. */
  override async send(message: ToHost): Promise<void> {
    if (message.type === "forget") this.#kept.drop();
    if (this.#kept.isKept() && !(await (this.#restored ??= this.#restore(message))) && message.type !== "summarize") {
      // Who waits for an answer gets none.
      if ("request" in message && typeof message.request === "number") this.#answer(message.request, null);
      return;
    }
    return super.send(message);
  }

  async #restore(message: ToHost): Promise<boolean> {
    const known = await this.#kept.restore(message);
    if (known) await super.send(known);
    else this.#restored = null;
    return known !== null;
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
    this.#restored = null;
    for (const request of this.#asked.keys()) this.#answer(request, null);
  }

  #answer(request: number, answer: ToPanel | null): void {
    this.#asked.get(request)?.(answer);
    this.#asked.delete(request);
  }
}
