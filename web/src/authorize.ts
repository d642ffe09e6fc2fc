// Tokens for downloads from private and gated repositories. The engine knows nothing of them: they are added to its requests.

/** What a client asks: `null` takes the token back. */
export interface AuthorizeRequest {
  type: "authorize";
  /** The only origin that gets the token. */
  origin: string;
  token: string | null;
}

/** Whether a message is such a request. Its fields are checked. */
export function isAuthorize(request: unknown): request is AuthorizeRequest {
  const { type, origin, token } = (request ?? {}) as Partial<Record<keyof AuthorizeRequest, unknown>>;
  return type === "authorize" && typeof origin === "string" && (token === null || typeof token === "string");
}

const tokens = new Map<string, string>();
let realFetch: typeof fetch | null = null;

/** Adds a token to every request of this worker to the origin. A browser does not pass it on to another origin. */
export function authorize({ origin, token }: AuthorizeRequest): void {
  if (token === null) tokens.delete(origin);
  else tokens.set(origin, token);
  realFetch ??= replaceFetch();
}

function replaceFetch(): typeof fetch {
  const real = fetch.bind(globalThis);
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : input;
    const token = tokens.get(new URL(url, location.href).origin);
    if (token === undefined) return real(input, init);
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token}`);
    return real(input, { ...init, headers });
  };
  return real;
}
