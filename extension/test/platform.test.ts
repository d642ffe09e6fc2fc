// What the browsers' refusals mean, by what they say and tell.
import { afterEach, describe, expect, it, vi } from "vitest";
import { platform as chromePlatform } from "../src/platform/chrome.js";
import { platform as firefoxPlatform } from "../src/platform/firefox.js";

afterEach(() => vi.unstubAllGlobals());

describe("a page that Chrome does not open although it was asked to", () => {
  const refusal = (url: string | undefined, allowsFiles: boolean) => {
    vi.stubGlobal("chrome", { extension: { isAllowedFileSchemeAccess: async () => allowsFiles } });
    return chromePlatform.refusal({ url });
  };
  it("is a file where the address is hidden and files are not allowed", async () => {
    expect(await refusal(undefined, false)).toBe("page_file");
    expect(await refusal("", false)).toBe("page_file");
  });
  it("is one of the browser's own otherwise", async () => {
    expect(await refusal("about:blank", false)).toBe("page_restricted");
    expect(await refusal(undefined, true)).toBe("page_restricted");
  });
});

describe("a page that Firefox does not open", () => {
  it("is told by its address and title", async () => {
    expect(await firefoxPlatform.refusal({ url: "about:config" })).toBe("page_restricted");
    expect(await firefoxPlatform.refusal({ url: "https://e.org/paper.pdf" })).toBe("page_pdf");
    expect(await firefoxPlatform.refusal({ url: "https://addons.mozilla.org/" })).toBe("page_unreadable");
  });
});
