// The items of a response, whole and as they are written.
import type {
  Numbered,
  Response,
  ResponseFunctionCall,
  ResponseOutputMessage,
  ResponseStreamEvent,
} from "./response-types.js";
import type { FunctionCall } from "./types.js";
import { newId } from "./write.js";

/** An event before it gets its number. */
export type Unnumbered = ResponseStreamEvent extends infer E
  ? E extends Numbered
    ? Omit<E, "sequence_number">
    : never
  : never;

export type Item = Response["output"][number];

export const message = (
  text: string,
  status: ResponseOutputMessage["status"] = "completed",
): ResponseOutputMessage => ({
  id: newId("msg_"),
  type: "message",
  role: "assistant",
  status,
  content: [{ type: "output_text", text, annotations: [] }],
});

export const toItem = ({ id, function: { name, arguments: text } }: FunctionCall): ResponseFunctionCall => ({
  id: newId("fc_"),
  type: "function_call",
  call_id: id,
  name,
  arguments: text,
  status: "completed",
});

/** The items of a streamed answer: text, then calls. One is open at a time. */
export class Output {
  readonly #say: (event: Unnumbered) => void;
  readonly #items: Item[] = [];
  #open: Item | null = null;

  constructor(say: (event: Unnumbered) => void) {
    this.#say = say;
  }

  write(delta: string): void {
    if (this.#open?.type !== "message") {
      this.#close("completed");
      const item = message("", "in_progress");
      const part = item.content[0]!;
      this.#begin({ ...item, content: [] });
      this.#open = item;
      this.#say({ type: "response.content_part.added", ...this.#place(), content_index: 0, part: { ...part } });
    }
    const part = (this.#open as ResponseOutputMessage).content[0]!;
    part.text += delta;
    if (delta)
      this.#say({ type: "response.output_text.delta", ...this.#place(), content_index: 0, delta, logprobs: [] });
  }

  call(id: string, name: string): void {
    this.#close("completed");
    const item = toItem({ id, type: "function", function: { name, arguments: "" } });
    this.#begin({ ...item, status: "in_progress" });
    this.#open = item;
  }

  argue(delta: string): void {
    if (this.#open?.type !== "function_call") return;
    this.#open.arguments += delta;
    this.#say({ type: "response.function_call_arguments.delta", ...this.#place(), delta });
  }

  /** All items. An answer without any is an empty message. */
  end(isCut: boolean): Item[] {
    if (!this.#open && this.#items.length === 0) this.write("");
    this.#close(isCut ? "incomplete" : "completed");
    return this.#items;
  }

  #place(): { item_id: string; output_index: number } {
    return { item_id: this.#open?.id ?? "", output_index: this.#items.length };
  }

  #begin(item: Item): void {
    this.#say({ type: "response.output_item.added", output_index: this.#items.length, item });
  }

  #close(status: "completed" | "incomplete"): void {
    const item = this.#open;
    if (!item) return;
    if (item.type === "message") {
      const part = item.content[0]!;
      item.status = status;
      const place = { ...this.#place(), content_index: 0 };
      this.#say({ type: "response.output_text.done", ...place, text: part.text, logprobs: [] });
      this.#say({ type: "response.content_part.done", ...place, part });
    } else {
      const { name, arguments: text } = item;
      this.#say({ type: "response.function_call_arguments.done", ...this.#place(), name, arguments: text });
    }
    this.#say({ type: "response.output_item.done", output_index: this.#items.length, item });
    this.#items.push(item);
    this.#open = null;
  }
}
