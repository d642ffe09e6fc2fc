/** The language of a BCP 47 tag, or of a browser's locale, in lower case: "pt" of "pt-BR" and "pt_BR". */
export const primaryLanguage = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? "";

/** Whether a model was made for a language; also where nobody says for which, or which language it is. */
export const isMadeFor = (languages: readonly string[] | null | undefined, language: string | null): boolean =>
  !languages || !language || languages.includes(primaryLanguage(language));

/** Whether the built-in encoder was made for a language. A page without a language is tried. */
export const builtInReads = (language: string | null): boolean => isMadeFor(["en"], language);
