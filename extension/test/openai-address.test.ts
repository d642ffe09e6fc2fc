import { describe, expect, it } from "vitest";
import { readAddress } from "../src/host/writers/openai/address.js";
import { isKey, toConnection } from "../src/host/writers/openai/connection.js";

describe("the address of a server", () => {
  it.each([
    ["localhost:8080", "http://localhost:8080/v1"],
    ["localhost:8080/", "http://localhost:8080/v1"],
    ["  http://localhost:8080/v1/ ", "http://localhost:8080/v1"],
    ["http://localhost:8080/v1/chat/completions", "http://localhost:8080/v1"],
    ["http://localhost:8080/v1/models/", "http://localhost:8080/v1"],
    ["127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
    ["[::1]:1234", "http://[::1]:1234/v1"],
    ["[fd00::12]:8000/v1", "http://[fd00::12]:8000/v1"],
    ["http://[::1]:8080", "http://[::1]:8080/v1"],
    ["gpu-box:8000", "http://gpu-box:8000/v1"],
    ["gpu.local", "http://gpu.local/v1"],
    ["llm.example.org", "https://llm.example.org/v1"],
    ["llm.example.org:8443/team/v1", "https://llm.example.org:8443/team/v1"],
    ["https://llm.example.org/api/v1/?a=b#c", "https://llm.example.org/api/v1"],
    ["https://llm.example.org/proxy//", "https://llm.example.org/proxy/v1"],
    ["https://llm.example.org/v1beta", "https://llm.example.org/v1beta"],
    ["https://müller.example/v1", "https://xn--mller-kva.example/v1"],
    ["HTTP://LocalHost:80/V1", "http://localhost/V1/v1"],
  ])("%s is %s", (typed, base) => expect(readAddress(typed).base).toBe(base));

  it.each([
    "",
    " ",
    "local host:8080",
    "ftp://a",
    "javascript:alert(1)",
    "http://",
    "http://a:99999",
    "file:///etc",
    "a".repeat(2_049),
  ])("%s is none", (typed) =>
    expect(() => readAddress(typed)).toThrow(expect.objectContaining({ code: "server_address" })),
  );

  it("carries no user and no password", () => {
    for (const typed of ["http://me@gpu:80", "https://me:secret@gpu/v1"]) {
      expect(() => readAddress(typed)).toThrow(
        expect.objectContaining({ code: "server_address_key", detail: expect.not.stringContaining("secret") }),
      );
    }
  });

  it("says what leaves this machine without encryption", () => {
    expect(readAddress("localhost:1")).toMatchObject({ isLoopback: true, isEncrypted: false, host: "localhost:1" });
    expect(readAddress("127.9.8.7:1")).toMatchObject({ isLoopback: true });
    expect(readAddress("[::1]:1")).toMatchObject({ isLoopback: true });
    expect(readAddress("192.168.1.5:1")).toMatchObject({ isLoopback: false, isEncrypted: false });
    expect(readAddress("http://localhost.example.org")).toMatchObject({ isLoopback: false });
    expect(readAddress("https://example.org")).toMatchObject({ isEncrypted: true, origin: "https://example.org" });
  });
});

describe("what is stored of a server", () => {
  const good = { base: "http://gpu:8000/v1", key: "k", model: "m", dialect: "vllm", contextTokens: 4096 };

  it("is read as it was written", () => expect(toConnection(good)).toEqual(good));

  it.each([
    ["nothing", null],
    ["a text", "http://gpu:8000/v1"],
    ["another base", { ...good, base: "http://gpu:8000" }],
    ["no address", { ...good, base: "javascript:alert(1)" }],
    ["a key with a line break", { ...good, key: "a\r\nx-other: 1" }],
    ["a key of a megabyte", { ...good, key: "k".repeat(1 << 20) }],
    ["no model", { ...good, model: "" }],
    ["a model of another kind", { ...good, model: 7 }],
  ])("is refused where it is %s", (_, value) => expect(toConnection(value)).toBeNull());

  it("does without what it does not know", () => {
    // The worker counts tokens in 32 bits.
    expect(toConnection({ ...good, contextTokens: 2 ** 50 })?.contextTokens).toBe(2 ** 24);
    expect(toConnection({ ...good, dialect: "new", contextTokens: -1 })).toMatchObject({
      dialect: "other",
      contextTokens: null,
    });
  });

  it.each([
    ["", true],
    ["sk-a_b.c/d+e=", true],
    ["with space", false],
    ["Schlüssel", false],
    ["a\nb", false],
  ])("the key %j can be sent: %s", (key, expected) => expect(isKey(key)).toBe(expected));
});
