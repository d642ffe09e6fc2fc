// Lines that say who made a picture, and not what it shows: "Photo", "Credit: Jane Doe", "Jane Doe/Reuters".

const WORDS_MAX = 10;
const NAME =
  "(?:\\p{Lu}[\\p{L}\\p{M}.'’-]*|\\p{Lo}+|for|de|del|la|le|on|von|van|via|the|of|para|per|pour|für|and|und|y|et|e|by|@\\w+|\\+)";
const NAMES = `${NAME}(?:[\\s,/|&]+${NAME})*`;
const PICTURE =
  "(?:[Pp]hoto(?:graph|graphie)?|[Ii]mage|[Pp]icture|[Ii]llustration|[Ff]oto|[Bb]ild|[Ii]magen|[Ii]magem|[Ii]mmagine|[Zz]djęcie|[Фф]ото|照片|圖片|图片|写真)s?";
const CREDITED = "(?:[Cc]redits?|[Cc]rédits?|[Cc]réditos?|[Nn]achweis|提供)";
const CREDIT = new RegExp(
  `^[([]?(?:${PICTURE}\\s*${CREDITED}?\\s*(?:[:：©]|\\bby\\b)\\s*${NAMES}|(?:${PICTURE}\\s*)?${CREDITED}\\s*[:：©]?\\s*(?:${NAMES})?|©\\s*${NAMES}|[Pp]hoto)[)\\]]?$`,
  "u",
);
/** Names of agencies, with a name before them at most. */
const AGENCY =
  /^[([]?(?:\p{Lu}[\p{L}\p{M}.'’-]*[\s&]+){0,4}(?:\p{Lu}[\p{L}\p{M}.'’-]*\s?[/|,–—(]\s?)?(?:Getty(?: Images)?|GETTY(?: IMAGES)?|Reuters|REUTERS|AFP|EPA|Shutterstock|Alamy|iStock(?:photo)?|Corbis|Rex Features|Unsplash|DPA|dpa|[Ii]mago|[Pp]icture [Aa]lliance|Associated Press|AP Photo)(?:\s*[/|,–—]\s*[\p{L}.'’& ]+)?[)\]]?$/u;

export const isCredit = (text: string, words: number): boolean =>
  words <= WORDS_MAX && (CREDIT.test(text) || AGENCY.test(text));
