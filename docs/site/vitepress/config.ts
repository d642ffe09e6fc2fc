import { defineConfig } from "vitepress";

const link = (text: string, path: string) => ({ text, link: path });

export default defineConfig({
  title: "Pith",
  description: "A private AI runtime for the browser",
  lang: "en-US",
  head: [["link", { rel: "icon", href: "data:," }]],
  // Every link must lead somewhere.
  ignoreDeadLinks: false,
  markdown: { theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } },
  themeConfig: {
    outline: { level: [2, 3] },
    search: { provider: "local", options: { detailedView: true } },
    nav: [
      link("Start", "/start"),
      link("Guides", "/guides/chat"),
      link("Reference", "/reference/methods"),
      link("Migrate", "/migrate/openai"),
    ],
    sidebar: [
      {
        text: "Start",
        items: [link("Getting started", "/start"), link("Bundlers", "/bundlers"), link("Examples", "/examples")],
      },
      {
        text: "Guides",
        items: [
          link("Chat with history", "/guides/chat"),
          link("Tools", "/guides/tools"),
          link("JSON", "/guides/json"),
          link("Search over notes", "/guides/search"),
          link("Summary of a page", "/guides/summary"),
          link("Models and downloads", "/guides/downloads"),
          link("LoRA adapters", "/guides/lora"),
          link("One worker for all tabs", "/guides/sharing"),
          link("Privacy", "/guides/privacy"),
          link("Content security policy", "/guides/csp"),
          link("Performance", "/guides/performance"),
        ],
      },
      {
        text: "Other APIs",
        items: [
          link("OpenAI's API", "/guides/openai"),
          link("Built-in AI", "/guides/built-in"),
          link("AI SDK", "/guides/ai-sdk"),
        ],
      },
      {
        text: "Migrate",
        items: [
          link("From OpenAI", "/migrate/openai"),
          link("From WebLLM", "/migrate/webllm"),
          link("From wllama", "/migrate/wllama"),
          link("From Transformers.js", "/migrate/transformers"),
        ],
      },
      {
        text: "Reference",
        items: [
          link("Methods and options", "/reference/methods"),
          link("Errors", "/reference/errors"),
          link("Known models", "/reference/models"),
          link("Formats and architectures", "/reference/formats"),
          link("Browsers", "/reference/browsers"),
          link("Measurements", "/reference/measurements"),
          link("Threat model", "/reference/security"),
        ],
      },
      {
        text: "Types",
        items: [
          link("@pith/web", "/reference/api/@pith/web"),
          link("@pith/web/openai", "/reference/api/@pith/web/openai"),
          link("@pith/web/built-in", "/reference/api/@pith/web/built-in"),
          link("@pith/web/hub", "/reference/api/@pith/web/hub"),
          link("@pith/web/models", "/reference/api/@pith/web/models"),
          link("@pith/ai-sdk", "/reference/api/@pith/ai-sdk"),
        ],
      },
      {
        text: "Extension",
        items: [link("Own server", "/extension/own-server"), link("Exported JSON", "/extension/exported-json")],
      },
      {
        text: "Engine",
        items: [
          link("Add a weight format", "/engine/add-a-format"),
          link("Add an architecture", "/engine/add-an-architecture"),
          link("Add a kernel", "/engine/add-a-kernel"),
        ],
      },
    ],
  },
});
