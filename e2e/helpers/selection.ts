// Selecting text on a page, and what a click in the menu of the right mouse button does.

import type { Page } from "@playwright/test";
import type { Extension } from "../fixtures.ts";

/** Selects the contents of the first element that a selector finds. */
export async function select(page: Page, selector: string): Promise<void> {
  await page.bringToFront();
  await page
    .locator(selector)
    .first()
    .evaluate((element) => getSelection()?.selectAllChildren(element));
}

/** What the browser says of a click in the menu. */
export interface MenuClick {
  frameId?: number;
  editable?: boolean;
  selectionText?: string;
}

/**
 * Clicks an entry of the menu at a selection. No headless browser shows that menu: its event is sent as the browser sends
 * it, but not as a gesture of the user.
 */
export function clickMenu(extension: Extension, page: Page, action: string, click: MenuClick = {}): Promise<void> {
  return extension.clickMenu(page, { menuItemId: `action:${action}`, editable: false, frameId: 0, ...click });
}
