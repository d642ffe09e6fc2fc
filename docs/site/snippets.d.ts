// What snippets use without declaring it: clients, models and elements that an application has.

import type { OpenAI as OpenAIType } from "@pith/web/openai";
import type * as pithTypes from "@pith/web";

declare global {
  const pith: pithTypes.Pith;
  const client: OpenAIType;
  const file: File;
  const page: pithTypes.Page;
  const button: HTMLButtonElement;
  const pauseButton: HTMLButtonElement;
  const output: HTMLElement;
  const show: (...values: unknown[]) => void;
  const weather: (city: string) => Promise<string>;
}
