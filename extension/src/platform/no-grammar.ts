/** The extension asks for no output format, so it ships without that module. */
export const openGrammar = (): Promise<never> => Promise.reject(new Error("not part of the extension"));
