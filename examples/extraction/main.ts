// Structured output through OpenAI's API: the answer is JSON of this schema, on every backend and with every model.
import { OpenAI } from "@pith/web/openai";
import { chosenModel, part, run } from "../shared.js";

const schema = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 3, maxLength: 60 },
    date: { type: "string", format: "date" },
    time: { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" },
    place: { type: "string", maxLength: 40 },
    people: { type: "array", items: { type: "string", minLength: 2, maxLength: 20 }, maxItems: 5 },
  },
  required: ["title", "date", "time", "place", "people"],
  additionalProperties: false,
};

/** What the schema makes of an answer. */
interface Appointment {
  title: string;
  date: string;
  time: string;
  place: string;
  people: string[];
}

// A model does not see the schema: the prompt names the fields.
const TASK = `Extract the appointment from the text. Answer in JSON with the fields title, date (YYYY-MM-DD), time (HH:MM), place and people (a list of names).`;
let client: OpenAI | undefined;

part("extract").addEventListener("click", () => {
  const text = part<HTMLTextAreaElement>("text").value;
  void run(async (how) => {
    if (!client?.pith.alive) client = await OpenAI.open();
    const { models } = await client.pith.status();
    if (models.length === 0) {
      const model = await chosenModel("smollm2-135m-instruct", how.signal);
      await client.pith.load("language", model, { ...how, contextTokens: 2048 });
    }
    const answer = await client.chat.completions.create(
      {
        model: "language",
        messages: [{ role: "user", content: `${TASK}\n\nText: ${text}` }],
        temperature: 0,
        max_completion_tokens: 300,
        response_format: { type: "json_schema", json_schema: { schema } },
      },
      { signal: how.signal },
    );
    const [choice] = answer.choices;
    // An answer that the limit cut off is not complete JSON.
    if (choice?.finish_reason !== "stop") return "The answer is too long. Shorten the text.";
    show(JSON.parse(choice.message.content ?? "") as Appointment);
    return `${answer.usage.completion_tokens} tokens. A model this small makes mistakes: compare the fields with the text.`;
  });
});

function show(found: Appointment): void {
  const rows = Object.entries(found).flatMap(([name, value]: [string, string | string[]]) => {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.append(name);
    description.append(Array.isArray(value) ? value.join(", ") : value);
    return [term, description];
  });
  part("fields").replaceChildren(...rows);
  part("output").hidden = false;
  part("output").textContent = JSON.stringify(found, null, 2);
}
