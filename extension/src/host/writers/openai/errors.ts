// Errors of an own server. Their sentences are in messages/, as `error_CODE` and `error_CODE_help`.
import { PithError } from "@pith/web";

export type ServerCode =
  | "server_address"
  | "server_address_key"
  | "server_key_characters"
  | "server_off"
  | "server_newer"
  | "server_permission"
  | "server_offline"
  | "server_unreachable"
  | "server_unreachable_tls"
  | "server_redirect"
  | "server_key_missing"
  | "server_key_refused"
  | "server_forbidden"
  | "server_path"
  | "server_model"
  | "server_no_models"
  | "server_too_long"
  | "server_busy"
  | "server_busy_wait"
  | "server_loading"
  | "server_failed"
  | "server_refused"
  | "server_not_openai"
  | "server_garbage"
  | "server_too_much"
  | "server_slow"
  | "server_silent"
  | "server_endless"
  | "server_broken_off"
  | "server_empty"
  | "server_only_thought";

/** Longest technical detail. What a server says is not cut into sentences, it is shown as it is. */
const DETAIL_MAX = 600;

/** What a server tells of a text that is too long for its model. */
export interface Room {
  promptTokens: number | null;
  contextTokens: number | null;
}

export class ServerError extends PithError {
  /** Set for `server_too_long`. */
  readonly room: Room | null;

  constructor(code: ServerCode, detail: string, room: Room | null) {
    super({ code, message: "", detail });
    this.room = room;
  }
}

/**
 * Makes an error. The lines of its detail are what the sentences name as $1 (the host, or what was typed) and $2 (what was
 * tried, or seconds), then what the server said.
 */
export function serverError(
  code: ServerCode,
  host: string,
  second = "",
  said = "",
  room: Room | null = null,
): ServerError {
  const lines = [host, second, said].map((line) => line.replace(/\s+/g, " ").trim().slice(0, DETAIL_MAX));
  return new ServerError(code, lines.join("\n").trimEnd(), room);
}
