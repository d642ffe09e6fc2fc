import { describe, expect, it } from "vitest";
import { type Shift, written } from "../src/text/raised.js";

/** A line with one raised or lowered text; `rest`: what stands behind it. */
function line(
  before: string,
  text: string,
  rest = "",
  more: { shift?: Shift; links?: boolean; decimal?: string } = {},
) {
  const { shift = "raised", links = false, decimal = "." } = more;
  const found = written(before, text, { shift, leadsToNote: links, decimal, after: rest });
  if (!found) return before + text + rest;
  return before.slice(0, before.length - found.from) + found.units.map(({ unit }) => unit).join("") + rest;
}

const lowered = { shift: "lowered" } as const;

describe("powers, variables and units", () => {
  it.each([
    [line("3 × 10", "6"), "3 × 10⁶"],
    [line("10", "−12"), "10⁻¹²"],
    [line("2", "16"), "2¹⁶"],
    [line("mc", "2"), "mc²"],
    [line("πr", "2"), "πr²"],
    [line("x", "n"), "xⁿ"],
    [line("x", "n+1"), "xⁿ⁺¹"],
    [line("e", "−kt"), "e⁻ᵏᵗ"],
    [line("(a + b)", "2"), "(a + b)²"],
    [line("420 m", "2"), "420 m²"],
    [line("5 km", "2"), "5 km²"],
    [line("9.81 m/s", "2"), "9.81 m/s²"],
    [line("12 s", "−1"), "12 s⁻¹"],
    [line("x", "i", "", lowered), "xᵢ"],
    [line("v", "max", "", lowered), "v_max"],
    [line("log", "10", "", lowered), "log₁₀"],
    [line("a", "n+1", "", lowered), "aₙ₊₁"],
    [line("a", "b/2", "", lowered), "a_(b/2)"],
    [line("20", "o", "C"), "20°C"],
  ])("%s", (text, wanted) => expect(text).toBe(wanted));
});

describe("chemistry and fractions", () => {
  it.each([
    [line("H", "2", "O", lowered), "H₂O"],
    [line("Ca", "2+"), "Ca²⁺"],
    [line("SO₄", "2−"), "SO₄²⁻"],
    [line("", "14", "C"), "¹⁴C"],
    [line("2", "1", "⁄"), "2¹⁄"],
    [line("2¹⁄", "2", "", lowered), "2½"],
    [line("³/", "4", "", lowered), "¾"],
    [line("1⁵⁄", "16", "", lowered), "1⁵⁄₁₆"],
  ])("%s", (text, wanted) => expect(text).toBe(wanted));
});

describe("what is raised in writing only", () => {
  it.each([
    [line("1", "st"), "1st"],
    [line("XIX", "e"), "XIXe"],
    [line("M", "me"), "Mme"],
    [line("n", "o"), "nº"],
    [line("1", "a"), "1ª"],
    [line("Averby", "TM"), "Averby™"],
    [line("$34", "50"), "$34.50"],
    [line("34", "50", " €", { decimal: "," }), "34,50 €"],
    [line("some text ", "in small letters", "", lowered), "some text in small letters"],
  ])("%s", (text, wanted) => expect(text).toBe(wanted));
});

describe("marks of notes", () => {
  it.each([
    [line("240 chairs", "2"), "240 chairs"],
    [line("believed it.", "5,6"), "believed it."],
    [line("“gate”", "7"), "“gate”"],
    [line("(as the older one)", "8"), "(as the older one)"],
    [line("in 1674", "1"), "in 1674"],
    [line("12", "4", "", { links: true }), "12"],
    [line("metres", "[note 1]", "", { links: true }), "metres"],
    [line("workers", "[citation needed]"), "workers"],
    [line("dredger.", ": 23–24"), "dredger."],
    [line("tonnes", "*"), "tonnes"],
    [line("12 %", "a", "", { links: true }), "12 %"],
  ])("%s", (text, wanted) => expect(text).toBe(wanted));
});
