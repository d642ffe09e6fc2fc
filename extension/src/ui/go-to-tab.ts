/** Brings a tab and its window to the front. */
export async function goToTab(tab: number): Promise<void> {
  const shown = await chrome.tabs.update(tab, { active: true }).catch(() => undefined);
  if (shown) await chrome.windows.update(shown.windowId, { focused: true });
}
