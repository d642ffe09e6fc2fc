// Reads src/messages.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MESSAGES = fileURLToPath(new URL("../src/messages", import.meta.url));

const read = (language, file) => JSON.parse(readFileSync(`${MESSAGES}/${language}/${file}`, "utf8"));

/** Those that the browser itself looks up, for the manifest, menus and the background script. */
export const readBrowserMessages = (language) => read(language, "browser.json");

/** All messages of a language, such as "en": its files joined. A key stands in one file only. */
export function readMessages(language) {
  const messages = {};
  for (const file of readdirSync(`${MESSAGES}/${language}`).sort()) {
    for (const [key, message] of Object.entries(read(language, file))) {
      if (key in messages) throw new Error(`${language}: the message ${key} stands in two files`);
      messages[key] = message;
    }
  }
  return messages;
}
