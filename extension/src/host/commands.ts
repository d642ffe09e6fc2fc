import type { PagesToHost } from "../pages-wire.js";
import type { ToHost } from "../wire.js";
import type { Session } from "./session.js";

/** What is about several tabs, or about what the host keeps. */
type OfPages = PagesToHost["type"] | "forget" | "document" | "restore";

/** What a panel asks of its own tab. */
export function handle(session: Session, message: Exclude<ToHost, { type: OfPages }>): void {
  if ("settings" in message) session.reading = message.settings;
  switch (message.type) {
    case "summarize":
      return void session.summarize(message.read, message.settings);
    case "summarizeAgain":
      return void session.summarizeAgain(message.settings);
    case "leaveOut":
      return void session.leaveOut(message.blocks, message.question, message.settings);
    case "write":
      return void session.write(message.settings, message.variant);
    case "expectQuestion":
      return session.expectQuestion(message.settings);
    case "ask":
      return void session.ask(message.text, message.settings);
    case "retryQuestion":
      return void session.retry(message.id, message.settings);
    case "cancelSummary":
      return session.cancelSummary();
    case "cancelWriting":
      return session.cancelWriting();
    case "cancelQuestion":
      return session.cancelQuestion(message.id);
    case "newConversation":
      return session.newConversation();
    case "runAction":
      return void session.acts.run(message.request, message.settings);
    case "cancelAction":
      return session.acts.cancel(message.id);
    case "closeAction":
      return session.acts.close(message.id);
  }
}
