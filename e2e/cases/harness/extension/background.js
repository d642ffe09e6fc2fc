// Reads the title of the tab whose toolbar button was pressed, which only an activeTab grant allows.
chrome.action.onClicked.addListener(async (tab) => {
  globalThis.title = await readTitle(tab.id);
  await chrome.offscreen.createDocument({ url: "offscreen.html", reasons: ["WORKERS"], justification: "probe" });
});

// The press is heard a little before the page's process, which decides, knows of the grant: refused at once, ask again.
async function readTitle(tabId, left = 40) {
  try {
    const [answer] = await chrome.scripting.executeScript({ target: { tabId }, func: () => document.title });
    return answer.result;
  } catch (error) {
    if (left === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 25));
    return readTitle(tabId, left - 1);
  }
}
