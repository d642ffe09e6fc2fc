/** Opens a page of the extension in a tab of its own. */
export const openPage = (name: "actions" | "models" | "server"): void =>
  void chrome.tabs.create({ url: chrome.runtime.getURL(`pages/${name}/index.html`) });
