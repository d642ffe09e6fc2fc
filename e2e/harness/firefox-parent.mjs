// Functions that run in Firefox's own process, with its rights: harness/firefox-extension.ts sends this file's text there.
/* global ChromeUtils, Components, Services, WebExtensionPolicy, Cc, Ci, Cu, IOUtils */

const BIDI = "chrome://remote/content";

/**
 * Gives the processes that start from now on a module of Firefox, which lies at one of some addresses, with another
 * piece of text in it.
 */
async function change(folder, addresses, from, to) {
  const texts = addresses.map((address) =>
    fetch(address)
      .then((answer) => answer.text())
      .catch(() => ""),
  );
  const at = (await Promise.all(texts)).findIndex((text) => text.includes(from));
  if (at < 0) throw new Error(`this Firefox has another ${addresses[0]}`);
  const address = addresses[at];
  const text = await texts[at];
  const name = address.split("/").at(-1);
  await IOUtils.writeUTF8(`${folder}/${name}`, text.replace(from, to));
  await IOUtils.writeUTF8(`${folder}/${name}.manifest`, `override ${address} file://${folder}/${name}`);
  const manifest = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
  manifest.initWithPath(`${folder}/${name}.manifest`);
  Components.manager.QueryInterface(Ci.nsIComponentRegistrar).autoRegister(manifest);
}

/**
 * Lets Playwright use the session that is there, and gives the protocol what this Playwright asks of every Firefox and
 * an ESR does not know yet. The protocol leaves out the pages of extensions: that condition goes. What Playwright
 * evaluates in them runs beside the page and not as its own script, which the extension's policy forbids.
 */
export async function prepareBidi(folder) {
  const contexts = ["shared", "shared/messagehandler/transports"].map(
    (path) => `${BIDI}/${path}/BrowsingContextUtils.sys.mjs`,
  );
  await change(folder, contexts, "!isExtensionContext(browsingContext) &&", "");
  const isExtension = "window.document.nodePrincipal.isAddonOrExpandedAddonPrincipal";
  await change(
    folder,
    [`${BIDI}/shared/Realm.sys.mjs`],
    "= this.#isSandbox ? this.#createSandbox()",
    `= this.#isSandbox || ${isExtension} ? this.#createSandbox()`,
  );

  const { RemoteAgent } = ChromeUtils.importESModule(`${BIDI}/components/RemoteAgent.sys.mjs`);
  const bidi = RemoteAgent.webDriverBiDi;
  bidi.createSession = async () => ({ sessionId: bidi.session.id, capabilities: bidi.session.capabilities });
  const commands = (module) =>
    ChromeUtils.importESModule(`${BIDI}/webdriver-bidi/modules/root/${module}.sys.mjs`)[module].prototype;
  const add = (module, name, run = async () => ({})) => (commands(module)[name] ??= run);
  add("network", "addDataCollector", async () => ({ collector: "none" }));
  // Where downloads go is a preference, in every version.
  commands("browser").setDownloadBehavior = async () => ({});
  add("emulation", "setLocaleOverride");
  add("emulation", "setScreenOrientationOverride");
  add("emulation", "setScreenSettingsOverride");
  add("emulation", "setMediaFeaturesOverride", async ({ features }) => {
    for (const window of Services.wm.getEnumerator("navigator:browser"))
      for (const { linkedBrowser } of window.gBrowser.tabs)
        linkedBrowser.browsingContext.prefersColorSchemeOverride = features["prefers-color-scheme"] ?? "none";
  });
}

/** Collects what the extension's pages and scripts throw. */
export function watchErrors(id) {
  const errors = (globalThis.pithErrors = []);
  Services.console.registerListener({
    observe(message) {
      if (!(message instanceof Ci.nsIScriptError) || message.flags & Ci.nsIScriptError.warningFlag) return;
      const base = WebExtensionPolicy.getByID(id)?.getURL("");
      if (base && message.sourceName.startsWith(base)) errors.push(`${message.errorMessage} (${message.sourceName})`);
    },
  });
}

export const takeErrors = () => globalThis.pithErrors.splice(0);

const extensionOf = (id) => WebExtensionPolicy.getByID(id).extension;

export const baseUrl = (id) => WebExtensionPolicy.getByID(id).getURL("");

/** The window and the tab that show an address. */
function find(url) {
  for (const window of Services.wm.getEnumerator("navigator:browser")) {
    const tab = window.gBrowser.tabs.find((one) => one.linkedBrowser.currentURI.spec === url);
    if (tab) return { window, tab };
  }
  throw new Error(`no tab shows ${url}`);
}

/** The id by which the extension knows the tab that shows an address. */
export const tabId = (id, url) => extensionOf(id).tabManager.getWrapper(find(url).tab).id;

/** What the browser does when the toolbar button, or its shortcut, is pressed: this grants activeTab. */
export async function pressAction(id, url) {
  const { window, tab } = find(url);
  window.focus();
  window.gBrowser.selectedTab = tab;
  const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
  await ExtensionParent.apiManager.global.browserActionFor(extensionOf(id)).triggerAction(window);
}

/** Presses Alt, Shift and a letter in a tab: the page hears it first, then the browser's menus and shortcuts. */
export async function pressShortcut(url, letter) {
  const { window, tab } = find(url);
  window.focus();
  window.gBrowser.selectedTab = tab;
  tab.linkedBrowser.focus();
  const input = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
  if (!input.beginInputTransactionForTests(window, () => true)) throw new Error("no key can be pressed");
  const keys = [
    { key: "Alt", code: "AltLeft", keyCode: 18 },
    { key: "Shift", code: "ShiftLeft", keyCode: 16 },
    { key: letter, code: `Key${letter}`, keyCode: letter.charCodeAt(0) },
  ].map((key) => new window.KeyboardEvent("", key));
  for (const key of keys) input.keydown(key);
  for (const key of keys.reverse()) input.keyup(key);
}

/** What the menu of the right mouse button tells the extension of a click. */
export function clickMenu(id, url, info) {
  extensionOf(id).emit("webext-menu-menuitem-click", info, find(url).tab);
}

/** The extension's documents. The sidebar shows whichever tab is selected in its window: its address says which. */
function views(id) {
  return [...extensionOf(id).views].map((view) => {
    const window = view.viewType === "sidebar" && view.xulBrowser.browsingContext.topChromeWindow;
    const tab = window && extensionOf(id).tabManager.getWrapper(window.gBrowser.selectedTab).id;
    return { url: view.uri.spec + (window ? `?tab=${tab}` : ""), window, view };
  });
}

export const targets = (id) => views(id).map(({ url }) => url);

/** Closes the sidebar that shows a tab. */
export function closePanel(id, tab) {
  for (const { url, window } of views(id)) if (window && url.endsWith(`?tab=${tab}`)) window.SidebarController.hide();
}

/** Ends the background page, whatever it does. */
export const endBackground = (id) => extensionOf(id).terminateBackground({ disableResetIdleForTest: true });

/** Tells the extension of an update, which does nothing but note that it was taken. */
export function offerUpdate(id) {
  const { AddonManagerPrivate } = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
  const listener = AddonManagerPrivate.getUpgradeListener(id);
  if (!listener) throw new Error("the extension would be replaced at once");
  globalThis.pithUpdated = false;
  listener({ version: "99", install: () => (globalThis.pithUpdated = true) });
}

export const isUpdated = () => globalThis.pithUpdated;

/** Wakes the background page where it sleeps. */
export const wakeBackground = async (id) => void (await extensionOf(id).wakeupBackground?.());

/** Evaluates an expression in the extension's document whose address contains `part`; null where there is none yet. */
export async function evaluate(id, part, expression) {
  const view = views(id).find(({ url }) => url.includes(part))?.view;
  if (!view) return null;
  const name = `pith-${Math.random()}`;
  const manager = view.xulBrowser.messageManager;
  const answer = new Promise((resolve) => {
    manager.addMessageListener(name, function listen({ data }) {
      manager.removeMessageListener(name, listen);
      resolve(data);
    });
  });
  const script = `
    const sandbox = Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false });
    const answer = (data) => sendAsyncMessage(${JSON.stringify(name)}, data);
    sandbox.answer = Cu.exportFunction(answer, sandbox);
    Cu.evalInSandbox(${JSON.stringify(`
      (async () => JSON.stringify((await (${expression})) ?? null))().then(
        (value) => answer(JSON.stringify({ value: JSON.parse(value) })),
        (error) => answer(JSON.stringify({ error: String(error) })),
      )`)}, sandbox);`;
  manager.loadFrameScript(`data:application/javascript;charset=utf-8,${encodeURIComponent(script)}`, false);
  return JSON.parse(await answer);
}

/** Opens a tab in front; for addresses at which Playwright may not look. */
export async function openTab(url) {
  const window = Services.wm.getMostRecentWindow("navigator:browser");
  const principal = Services.scriptSecurityManager.getSystemPrincipal();
  const tab = window.gBrowser.addTab(url, { triggeringPrincipal: principal });
  window.gBrowser.selectedTab = tab;
  await shows(window, tab, url);
}

async function shows(window, { linkedBrowser }, url) {
  const isThere = () => linkedBrowser.currentURI.spec === url && !linkedBrowser.webProgress.isLoadingDocument;
  while (!isThere()) await new Promise((resolve) => window.setTimeout(resolve, 20));
}

export async function goTo(from, to) {
  const { window, tab } = find(from);
  const triggeringPrincipal = Services.scriptSecurityManager.getSystemPrincipal();
  tab.linkedBrowser.fixupAndLoadURIString(to, { triggeringPrincipal });
  await shows(window, tab, to);
}

/** Closes the tab that shows an address. */
export function closeTab(url) {
  const { window, tab } = find(url);
  window.gBrowser.removeTab(tab);
}
