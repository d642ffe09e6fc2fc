// Servers without a parser for reasoning send a model's thinking inside its text, between two tags at its beginning.

const OPEN = "<think>";
const CLOSE = "</think>";

/** Splits a stream of text; tags may be cut anywhere. */
export class Thinking {
  #state: "before" | "inside" | "after" = "before";
  #held = "";

  /** What of this piece is shown, and what is thinking. */
  take(piece: string): { content: string; thinking: string } {
    if (this.#state === "after") return { content: piece, thinking: "" };
    this.#held += piece;
    if (this.#state === "before") {
      // Blanks at the beginning of a text are not kept: there may be any number of them.
      this.#held = this.#held.trimStart();
      if (this.#held.length < OPEN.length && OPEN.startsWith(this.#held)) return { content: "", thinking: "" };
      if (!this.#held.startsWith(OPEN)) return this.#show(this.#held);
      this.#state = "inside";
      this.#held = this.#held.slice(OPEN.length);
    }
    const at = this.#held.indexOf(CLOSE);
    if (at < 0) {
      // The end may be the beginning of the closing tag.
      const keep = Math.min(CLOSE.length - 1, this.#held.length);
      const thinking = this.#held.slice(0, this.#held.length - keep);
      this.#held = this.#held.slice(this.#held.length - keep);
      return { content: "", thinking };
    }
    const thinking = this.#held.slice(0, at);
    return { content: this.#show(this.#held.slice(at + CLOSE.length).trimStart()).content, thinking };
  }

  /** What was held back, at the end of the stream. */
  end(): { content: string; thinking: string } {
    const held = this.#held;
    this.#held = "";
    return this.#state === "before" ? { content: held, thinking: "" } : { content: "", thinking: held };
  }

  #show(content: string): { content: string; thinking: string } {
    this.#state = "after";
    this.#held = "";
    return { content, thinking: "" };
  }
}
