// OpenAI's HTTP API in front of the client, for libraries that take a `fetch`: nothing leaves the page.
import { PithError } from "../errors.js";
import { invalid } from "./errors.js";
import type { OpenAI } from "./index.js";
import { Stream } from "./stream.js";

/** A request's parameters are checked by the method that takes them. */
type Body = never;

/**
 * A `fetch` that answers requests of OpenAI's API from this client, for libraries built on the npm package `openai`, such as
 * LangChain's `ChatOpenAI`. Any base URL will do; the end of the path counts.
 */
export function fetchOf(client: OpenAI): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    try {
      const answer = await route(client, request, signal);
      if (answer instanceof Stream) return events(answer);
      return answer === undefined ? failure(404, { message: `No endpoint ${request.url}` }) : Response.json(answer);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PithError)) throw error;
      return failure(error.status ?? 500, errorOf(error));
    }
  };
}

async function route(client: OpenAI, request: Request, signal: AbortSignal): Promise<unknown> {
  const { pathname } = new URL(request.url);
  if (request.method === "GET") {
    const match = /\/models(?:\/(.+))?$/.exec(pathname);
    const model = match?.[1];
    if (model !== undefined) return client.models.retrieve(nameOf(model));
    return match ? client.models.list() : undefined;
  }
  const methods = {
    "/chat/completions": (body: Body) => client.chat.completions.create(body, { signal }),
    "/completions": (body: Body) => client.completions.create(body, { signal }),
    "/embeddings": (body: Body) => client.embeddings.create(body, { signal }),
    "/responses": (body: Body) => client.responses.create(body, { signal }),
  };
  const method = Object.entries(methods).find(([path]) => pathname.endsWith(path))?.[1];
  return method && method(await bodyOf(request));
}

/** A name from a path; one whose escapes are broken stands for itself, and no model has it. */
function nameOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function bodyOf(request: Request): Promise<Body> {
  try {
    return (await request.json()) as Body;
  } catch (error) {
    request.signal.throwIfAborted();
    throw invalid("body", `The body is not JSON: ${String(error)}`);
  }
}

const errorOf = ({ message, code, ...error }: PithError & { type?: string; param?: string | null }): object => ({
  message,
  code,
  type: error.type ?? "server_error",
  param: error.param ?? null,
});

// A failed request would fail again: the header keeps clients from a second try.
const failure = (status: number, error: object): Response =>
  Response.json({ error }, { status, headers: { "x-should-retry": "false" } });

/** Chunks as server-sent events. An error on the way is the last of them. */
function events(stream: Stream<unknown>): Response {
  const chunks = stream[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const say = (data: string): void => controller.enqueue(encoder.encode(`data: ${data}\n\n`));
      try {
        const { done, value } = await chunks.next();
        say(done ? "[DONE]" : JSON.stringify(value));
        if (done) controller.close();
      } catch (error) {
        if (!(error instanceof PithError)) throw error;
        say(JSON.stringify({ error: errorOf(error) }));
        controller.close();
      }
    },
    cancel: () => stream.controller.abort(),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
