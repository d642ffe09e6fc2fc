import { PithError } from "@pith/web";

// Both have their sentences in messages/.

/** The stored model was deleted. */
export const gone = (model: string): PithError => new PithError({ code: "writer_gone", message: "", detail: model });

/** The stored model's download has not ended. */
export const incomplete = (model: string): PithError =>
  new PithError({ code: "writer_incomplete", message: "", detail: model });
