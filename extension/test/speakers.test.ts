import { describe, expect, it } from "vitest";
import { Letter } from "../src/content/blocks/letter.js";
import { readsAsLetter } from "../src/content/blocks/text.js";
import { nameIn, quotedIn, senderIn, strengthOf } from "../src/content/speakers/names.js";

const NONE = { names: "", rel: "", itemprop: "", href: "", isPerson: false };

describe("what the markup says of a name", () => {
  it.each([
    [{ itemprop: "author" }, 2],
    [{ rel: "nofollow author" }, 2],
    [{ names: "p-author h-card" }, 2],
    [{ names: "hnuser" }, 1],
    [{ names: "post__user-name" }, 1],
    [{ names: "messageName" }, 1],
    [{ href: "/u/plot_27b" }, 1],
    [{ href: "memberlist.php?mode=viewprofile&u=2" }, 1],
    [{ href: "mailto:jan@list.example" }, 1],
    [{ names: "userTitle" }, 0],
    [{ names: "user-joined" }, 0],
    [{ names: "title" }, 0],
    [{ href: "/topics/3" }, 0],
  ])("%j: %d", (attributes, strength) => expect(strengthOf({ ...NONE, ...attributes })).toBe(strength));
});

describe("names", () => {
  it.each([
    ["by Mrs Treble", "Mrs Treble"],
    ["Posted by hexbox »", "hexbox"],
    ["<finn>", "finn"],
    ["田中さん", "田中さん"],
    ["Reply", null],
    ["Joined:", null],
    ["#3", null],
    ["12 points", null],
    ["marit at toolchain.example", null],
    ["It was the cold that did it, as always in March.", null],
  ])("%j: %j", (text, name) => expect(nameIn(text)).toBe(name));

  it.each([
    ["From: Jan Sund (jan@lock.example)", "Jan Sund"],
    ['From: "Jan Sund" <jan at lock.example> Date: Mon, 3 May 2020', "Jan Sund"],
    ["Von: Jan Sund Gesendet: Montag", "Jan Sund"],
    ["From the hills we saw the lock", null],
  ])("the sender of %j: %j", (text, name) => expect(senderIn(text)).toBe(name));

  it.each([
    ["On Wed, Feb 5, 2014 at 6:51 PM, Jorge Almeida wrote:", "Jorge Almeida"],
    ["On 2020-05-03 14:02, Anne Roux wrote:", "Anne Roux"],
    ["Am 3. Mai 2020 um 14:02 schrieb Karl Maier <k@lock.example>:", "Karl Maier"],
    ["Karl Maier schrieb:", "Karl Maier"],
    ["Le 3 mai 2020 à 14:02, Anne Roux a écrit :", "Anne Roux"],
    ["Wilma:", "Wilma"],
    ["Steps:", null],
    ["The manual says:", null],
  ])("who is quoted after %j: %j", (text, name) => expect(quotedIn(text, new Set(["Wilma"]))).toBe(name));
});

describe("letters", () => {
  const read = (text: string): [isQuoted: boolean, text: string][] => {
    const letter = new Letter();
    const lines: [boolean, string][] = [];
    for (const { start, end, isOther } of letter.linesOf(text, text.length)) {
      letter.turn(isOther);
      lines.push([letter.isQuoted, text.slice(start, end).trim()]);
    }
    return lines;
  };

  it("tells what is quoted, and leaves the signature out", () => {
    expect(read("> Is it open?\n> > Who knows.\nIt is.\n-- \nJan Sund\nKeeper")).toEqual([
      [true, "Is it open?"],
      [true, "Who knows."],
      [false, "It is."],
    ]);
  });

  it("takes no other line of dashes for a signature", () => {
    expect(read("One.\n---\n-- two\n").map(([, text]) => text)).toEqual(["One.", "---", "-- two"]);
    expect(read(`One.\n-- \n${"A long text. ".repeat(100)}`)).toHaveLength(3);
  });

  it.each([
    ["> Is the lock open on Sundays?\n\nIt is, from ten to four. In winter it is not, because of the ice.\n", true],
    ["-- \nJan Sund\nKeeper", true],
    ["> npm install\n> npm run build\nadded 12 packages in 3s\n", false],
    ["if (a > b) {\n  return a;\n}\n-- end of the file\n", false],
  ])("%j is one: %s", (text, is) => expect(readsAsLetter(text)).toBe(is));
});
