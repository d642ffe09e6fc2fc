import type { PageDocument } from "../export/document.js";
import { HostLink } from "../ui/host-link.js";
import { portName, type TabState, type ToHost, type ToPanel } from "../wire.js";

/** A panel's line to the host. */
export class PanelLink extends HostLink<ToHost, TabState> {
  readonly #asked = new Map<number, (document: PageDocument | null) => void>();
  #nextRequest = 1;

  constructor(tab: number, onState: (state: TabState) => void, onLost: () => void) {
    super(portName(tab), onState, onLost);
  }

  /** What there is to copy, save or print; null where nothing was read, or the host ends. */
  async document(): Promise<PageDocument | null> {
    const request = this.#nextRequest++;
    const answer = new Promise<PageDocument | null>((resolve) => this.#asked.set(request, resolve));
    // A host that ends just now does not take it.
    await this.send({ type: "document", request }).catch(() => this.#answer(request, null));
    return answer;
  }

  protected override answered(message: ToPanel): void {
    if (message.type === "document") this.#answer(message.request, message.document);
  }

  protected override lost(): void {
    for (const request of this.#asked.keys()) this.#answer(request, null);
  }

  #answer(request: number, document: PageDocument | null): void {
    this.#asked.get(request)?.(document);
    this.#asked.delete(request);
  }
}
