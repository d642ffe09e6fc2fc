// Why a hub could not be read.

import { type ErrorData, PithError } from "./errors.js";

/** Why a hub could not be reached, as far as a browser tells. */
export type Unreachable =
  /** The browser has no network. */
  | "offline"
  /** The server answers, but does not allow pages of this origin to read it. */
  | "cors"
  /** The content security policy of the page forbids it. */
  | "policy"
  /** No answer: the name is unknown (DNS), the connection is refused, or something blocks it. A browser does not say which. */
  | "unreachable";

/** A failure of a hub. */
export class HubError extends PithError {
  /** The cause of a `network_error`. */
  readonly reason: Unreachable | null;

  constructor(data: ErrorData, reason: Unreachable | null = null) {
    super(data);
    this.name = "HubError";
    this.reason = reason;
  }
}

/** Fetches, or fails with the cause as far as it can be found out. */
export async function fetchFrom(url: string, init: RequestInit): Promise<Response> {
  let forbidden = "";
  const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    forbidden = `content security policy: ${effectiveDirective} forbids ${blockedURI}`;
  };
  const events = globalThis as Partial<Pick<Window, "addEventListener" | "removeEventListener">>;
  events.addEventListener?.("securitypolicyviolation", note);
  try {
    return await fetch(url, init);
  } catch (error) {
    init.signal?.throwIfAborted();
    const reason = await whyUnreachable(url, init.signal ?? null, () => forbidden !== "");
    const detail = `${url}: ${forbidden || String(error)}`;
    throw new HubError({ code: "network_error", ...UNREACHABLE[reason], detail }, reason);
  } finally {
    events.removeEventListener?.("securitypolicyviolation", note);
  }
}

async function whyUnreachable(
  url: string,
  signal: AbortSignal | null,
  isForbidden: () => boolean,
): Promise<Unreachable> {
  if (globalThis.navigator?.onLine === false) return "offline";
  try {
    // A server's answer may not be read without its permission, but whether it answers can be known.
    const { body } = await fetch(url, { mode: "no-cors", credentials: "omit", signal });
    await body?.cancel();
    return "cors";
  } catch {
    signal?.throwIfAborted();
    // The event about a policy comes in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
    return isForbidden() ? "policy" : "unreachable";
  }
}

const UNREACHABLE: Record<Unreachable, Pick<ErrorData, "message" | "help">> = {
  offline: { message: "There is no network connection.", help: "Connect to the network, or load a stored model." },
  cors: {
    message: "The model hub does not allow this site to read it (CORS).",
    help: "Use a hub or a mirror that sends access-control-allow-origin.",
  },
  policy: {
    message: "The content security policy of this page forbids the model hub.",
    help: "Add the hub to the directive connect-src.",
  },
  unreachable: {
    message: "The model hub does not answer.",
    help: "Check its address: the name may be unknown (DNS), the server may be down, or something may block it.",
  },
};

/** The error of an answer that is not OK, with what to do. */
export function refusal(url: string, { status, headers }: Response): HubError {
  const wait = headers.get("retry-after");
  const texts: Record<number, Pick<ErrorData, "message" | "help">> = {
    401: {
      message: "The model hub asks for a token.",
      help: "Check the name: hubs also answer so if there is no such repository. A private or gated one needs a token.",
    },
    403: {
      message: "The model hub refuses access to this repository.",
      help: "Accept the terms on the repository's page, and pass a token of the account that has accepted them.",
    },
    404: { message: "The model hub has no such repository.", help: "Check the names of owner and repository." },
    429: {
      message: "The model hub gets too many requests from here.",
      help: `Try again ${wait && /^\d+$/.test(wait) ? `in ${wait} seconds` : "later"}. With a token more requests are allowed.`,
    },
  };
  const other = { message: "The model hub answered with an error.", help: "Try again later, or use another hub." };
  const detail = `${url} answered with status ${status}`;
  return new HubError({ code: "http_status", ...(texts[status] ?? other), detail, status });
}

/** The error of an answer that cannot be read. */
export const badAnswer = (detail: string): HubError =>
  new HubError({
    code: "hub_answer",
    message: "The model hub sent an answer that is no list of files.",
    help: "Check the name, and the address of the hub.",
    detail,
  });
