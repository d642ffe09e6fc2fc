/** The packaged model. */
export const MODEL_FILE = "models/minilm-q8_0.gguf";
/** The name by which the summarizer knows its encoder. */
export const EMBEDDING = "embedding";
/** The name under which the language model is loaded. */
export const LANGUAGE = "language";
