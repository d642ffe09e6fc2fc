// Reads the title of the tab whose toolbar button was pressed, which only an activeTab grant allows.
chrome.action.onClicked.addListener(async (tab) => {
  const [answer] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: () => document.title });
  globalThis.title = answer.result;
  chrome.offscreen.createDocument({ url: "offscreen.html", reasons: ["WORKERS"], justification: "probe" });
});
