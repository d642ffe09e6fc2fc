// A model on a server of the reader's own.
import type { Device } from "./device.js";
import { ElsewhereWriter } from "./elsewhere.js";
import { chat } from "./openai/client.js";
import { readConnection } from "./openai/connection.js";
import { serverError, ServerError } from "./openai/errors.js";
import { LIMITS } from "./openai/limits.js";
import { hostOf } from "./openai/request.js";

/** Lets the reader's server write. */
export class ServerWriter extends ElsewhereWriter {
  constructor(device: Device, connect = readConnection, limits = LIMITS) {
    super(device, async () => {
      const connection = await connect();
      if (!connection) throw serverError("server_off", "");
      return {
        by: hostOf(connection),
        where: "server",
        contextTokens: connection.contextTokens,
        chat: (request, hooks) => chat(connection, request, hooks, limits),
        roomOf: (error) => {
          if (!(error instanceof ServerError) || error.code !== "server_too_long") return null;
          return error.room ?? { promptTokens: null, contextTokens: null };
        },
      };
    });
  }
}
