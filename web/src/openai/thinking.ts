const OPEN = "<think>";
const CLOSE = "</think>";

/** A piece of an answer, or of what was thought before it. */
export interface Part {
  thought: string;
  answer: string;
}

/** Separates what a reasoning model thinks from its answer: `<think>` at the beginning of a text, up to `</think>`. */
export class Thinking {
  #state: "start" | "thinking" | "gap" | "answer";
  #held = "";

  /** `begun`: the prompt ends with `<think>`. */
  constructor(begun: boolean) {
    this.#state = begun ? "thinking" : "start";
  }

  /** Takes the next piece of text. What may become a mark is held back. */
  push(text: string): Part {
    const part = { thought: "", answer: "" };
    this.#held += text;
    if (this.#state === "start") this.#start();
    if (this.#state === "thinking") this.#think(part);
    if (this.#state === "gap") {
      this.#held = this.#held.trimStart();
      if (this.#held) this.#state = "answer";
    }
    if (this.#state === "answer") {
      part.answer = this.#held;
      this.#held = "";
    }
    return part;
  }

  /** What was held back, at the end of the text. */
  finish(): Part {
    const held = this.#held;
    this.#held = "";
    return this.#state === "thinking" ? { thought: held, answer: "" } : { thought: "", answer: held };
  }

  #start(): void {
    const text = this.#held.trimStart();
    if (OPEN.startsWith(text)) {
      if (text !== OPEN) return;
    } else if (!text.startsWith(OPEN)) {
      this.#state = "answer";
      return;
    }
    this.#state = "thinking";
    this.#held = text.slice(OPEN.length);
  }

  #think(part: Part): void {
    const end = this.#held.indexOf(CLOSE);
    if (end >= 0) {
      part.thought = this.#held.slice(0, end);
      this.#held = this.#held.slice(end + CLOSE.length);
      this.#state = "gap";
      return;
    }
    let kept = Math.min(CLOSE.length - 1, this.#held.length);
    while (!CLOSE.startsWith(this.#held.slice(this.#held.length - kept))) kept -= 1;
    part.thought = this.#held.slice(0, this.#held.length - kept);
    this.#held = this.#held.slice(this.#held.length - kept);
  }
}
