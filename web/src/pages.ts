import { PithError } from "./errors.js";
import type { Page, PageInput } from "./protocol.gen.js";

/** Sends each page once; later requests name it by its handle. */
export class Pages {
  readonly #handles = new WeakMap<Page, string>();

  /** Makes a request about a page. A worker that does not have the page any more gets it again. */
  async send<T extends { handle: string }>(page: Page, request: (sent: PageInput) => Promise<T>): Promise<T> {
    const known = this.#handles.get(page);
    const outcome = await request(known === undefined ? page : { handle: known }).catch((error: unknown) => {
      if (known === undefined || !(error instanceof PithError) || error.code !== "page_unknown") throw error;
      return request(page);
    });
    this.#handles.set(page, outcome.handle);
    return outcome;
  }
}
