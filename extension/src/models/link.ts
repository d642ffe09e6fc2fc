// What a page about models knows, and its line to the host.
import type { BackendChoice } from "@pith/web";
import type { Availability } from "../browser-model.js";
import { HostLink } from "../ui/host-link.js";
import { MODELS_PORT, type ModelsState, NO_MODELS, type RemoteModel, type ToModels } from "../models-wire.js";
import { readRoles, type Roles, watchRoles } from "../roles.js";
import { readSettings } from "../settings.js";
import { readHub } from "./hub.js";
import { watchSpeed } from "./machine-speed.js";
import { giveBackHosts } from "./permission.js";
import { type Origins, readOrigins, remember } from "./origins.js";
import { hub as publicHub } from "@pith/web/models";

/** Everything that such a page draws. */
export interface PageModel {
  /** What the host knows. */
  host: ModelsState;
  roles: Roles;
  origins: Origins;
  hub: string;
  backend: BackendChoice;
  /** How fast this machine is, as `speed` of the host; null until that is known. */
  speed: number | null;
  /** Whether the browser has a language model of its own; null until it has told. */
  browser: Availability | null;
  /** The host ended, and with it what was running. */
  lost: boolean;
}

export class ModelsLink {
  model: PageModel = {
    host: NO_MODELS,
    roles: { writer: null, encoder: null },
    origins: {},
    hub: publicHub,
    backend: "auto",
    speed: null,
    browser: null,
    lost: false,
  };
  readonly #listeners: ((model: PageModel) => void)[] = [];
  readonly #host = new HostLink<ToModels, ModelsState>(
    MODELS_PORT,
    (host) => this.#take(host),
    () => this.#lose(),
  );

  /** Resolves when the host has answered. */
  async open(): Promise<void> {
    const [roles, origins, hub, { backend }] = await Promise.all([
      readRoles(),
      readOrigins(),
      readHub(),
      readSettings(),
    ]);
    this.update({ roles, origins, hub, backend });
    watchRoles((next) => this.update({ roles: next }), new AbortController().signal);
    await this.#host.open();
    await watchSpeed(this);
    this.look();
  }

  look(): void {
    this.send({ type: "look", backend: this.model.backend });
  }

  send(message: ToModels): void {
    void this.#host.send(message);
  }

  /** Downloads a model whose host the reader has allowed. `encoder`: whether it is one, where that is known. */
  async download(model: RemoteModel, title: string, force = false, encoder?: boolean): Promise<void> {
    await remember(model, title, encoder);
    this.update({ origins: await readOrigins(), lost: false });
    this.send({ type: "download", model, backend: this.model.backend, force });
  }

  update(change: Partial<PageModel>): void {
    this.model = { ...this.model, ...change };
    for (const listener of this.#listeners) listener(this.model);
  }

  /** Calls now and with every change. */
  watch(listener: (model: PageModel) => void): void {
    this.#listeners.push(listener);
    listener(this.model);
  }

  #take(host: ModelsState): void {
    const before = this.model.host.work;
    const isOpen = ({ kind, phase }: ModelsState["work"][string]): boolean =>
      kind === "download" && phase === "working";
    const open = Object.entries(host.work).flatMap(([url, work]) => (isOpen(work) ? [new URL(url).hostname] : []));
    for (const [url, { kind, phase }] of Object.entries(host.work)) {
      const hasEnded = kind === "download" && phase === "done" && before[url]?.phase !== "done";
      if (hasEnded && !open.includes(new URL(url).hostname)) void giveBackHosts(url);
    }
    this.update({ host });
  }

  #lose(): void {
    const wasWorking = Object.values(this.model.host.work).some(({ phase }) => phase === "working");
    this.update({ host: { ...this.model.host, work: {} }, lost: wasWorking });
    setTimeout(() => this.look());
  }
}
