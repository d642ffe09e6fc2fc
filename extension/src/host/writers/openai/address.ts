// The address of a server, as people type it.
import { serverError } from "./errors.js";

/** Where a server is. */
export interface Address {
  /** What requests begin with; it ends in `/v1` or in another version, without a slash. */
  base: string;
  origin: string;
  /** Name and port, as answers and the consent name them. */
  host: string;
  /** Whether the connection stays on this machine. */
  isLoopback: boolean;
  isEncrypted: boolean;
}

const ADDRESS_MAX = 2_048;
const LOOPBACK = /^(?:localhost|(?:[\w-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
/** Names of machines nearby, which rarely have a certificate. */
const NEARBY = /^(?:[\w-]+|[\w.-]+\.(?:local|lan|home|internal)|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i;
/** What people copy together with the address. */
const ENDPOINT = /\/(?:chat\/completions|completions|models|responses|embeddings)$/;

/**
 * Reads an address with or without scheme, port, `/v1`, and a slash at the end. Without a scheme, machines nearby are
 * reached by http and all others by https.
 *
 * # Errors
 * `server_address` where it is none.
 */
export function readAddress(typed: string): Address {
  const text = typed.trim();
  if (text === "" || text.length > ADDRESS_MAX || /\s/.test(text)) throw serverError("server_address", text);
  const url = parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${schemeOf(text)}://${text}`, text);
  if (!/^https?:$/.test(url.protocol) || url.hostname === "") throw serverError("server_address", text);
  if (url.username !== "" || url.password !== "") throw serverError("server_address_key", url.host);
  const path = url.pathname.replace(/\/+$/, "").replace(ENDPOINT, "").replace(/\/+$/, "");
  const base = `${url.origin}${path}${/\/v\d+[a-z\d]*$/.test(path) ? "" : "/v1"}`;
  return {
    base,
    origin: url.origin,
    host: url.host,
    isLoopback: LOOPBACK.test(url.hostname),
    isEncrypted: url.protocol === "https:",
  };
}

function parse(address: string, typed: string): URL {
  try {
    return new URL(address);
  } catch {
    throw serverError("server_address", typed);
  }
}

function schemeOf(text: string): "http" | "https" {
  const [host = ""] = /^(?:\[[^\]]*\]|[^/:?#]*)/.exec(text) ?? [];
  return NEARBY.test(host) ? "http" : "https";
}
