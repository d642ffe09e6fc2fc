// The tables of known models, from web/models.json, with the extension's estimate of the memory that they need.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { estimate } from "../../../extension/src/models/estimate.ts";
import { ROOT } from "./places.mjs";

const MACHINE = { backend: { kind: "cpu" }, budgetBytes: 0 };

export async function writeModels() {
  const { models, encoders } = JSON.parse(await readFile(resolve(ROOT, "web/models.json"), "utf8"));
  return `## Language models\n\n${table(models)}\n\n## Embedding models\n\n${table(encoders)}`;
}

function table(models) {
  const rows = models.map(({ id, name, page, format, bytes, contextTokens, licence, languages, goodAt }) => {
    const facts = [`\`${id}\``, format, licence, ...(languages ? [languages.join(" ")] : [])];
    const needs = bytes ? size(estimate(bytes, MACHINE, null, null).needBytes) : "";
    return `| [${name}](${page})<br>${goodAt}<br>${facts.join(" · ")} | ${bytes ? size(bytes) : ""} | ${needs} | ${count(contextTokens)} |`;
  });
  return ["| model | download | memory | context |", "|---|---|---|---|", ...rows].join("\n");
}

const size = (bytes) => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);
const count = (tokens) => tokens?.toLocaleString("en-US") ?? "";
