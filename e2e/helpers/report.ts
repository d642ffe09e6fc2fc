// Made-up sentences of a report, none of which comes twice.

const SUBJECTS = "council harbor engineer survey museum river bakery lighthouse orchard station library glacier".split(
  " ",
);
const VERBS = "reported measured postponed repaired counted explained rebuilt questioned".split(" ");
const THINGS = "corrosion visitors tides repairs records bridges timetables letters".split(" ");

/** The sentence with this number. */
export function reportSentence(n: number): string {
  const [subject, other] = [SUBJECTS[n % 12]!, SUBJECTS[(n * 5 + 3) % 12]!];
  return `In the year ${1700 + ((n * 31) % 320)} the ${subject} ${VERBS[(n * 7) % 8]!} ${n} ${THINGS[(n * 3) % 8]!} near the ${other}, although nobody had asked for it.`;
}
