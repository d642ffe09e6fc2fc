import type { Settings } from "../../wire.js";
import type { Engine } from "../engine.js";
import { BrowserWriter } from "./browser.js";
import { LocalWriter } from "./local.js";
import { ServerWriter } from "./server.js";
import { WorkerDevice } from "./worker-device.js";
import type { Writer } from "./writer.js";

/** Who writes with these settings; null where nobody does. */
export function openWriter(engine: Engine, { writer, backend, encoder }: Settings): Writer | null {
  const reading = { backend, encoder };
  if (writer?.type === "local") return new LocalWriter(engine.forWriting(), writer, reading);
  if (writer?.type === "browser") return new BrowserWriter(new WorkerDevice(engine, reading), writer.title);
  if (writer?.type === "server") return new ServerWriter(new WorkerDevice(engine, reading));
  return null;
}

/** The model or the server, as the reader knows it. */
export function writerName({ writer }: Settings): string | null {
  if (!writer) return null;
  return writer.type === "server" ? writer.host : writer.title;
}
