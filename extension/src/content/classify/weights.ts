/** What each feature adds to a block's score; a block is read where the sum is above 0. Features are in features.ts. */
export const WEIGHTS = {
  /** Every block begins with this. */
  base: -0.2,

  // The block itself.
  words: 0.9,
  prose: 1.2,
  sentence: 0.6,
  commas: 0.3,
  linked: -1.3,
  onlyLink: -0.6,
  heading: 0.2,
  listItem: 0,
  tableRow: 0.4,
  code: 1.2,
  quote: 0.8,
  caption: 0.3,
  line: -4,
  dated: -2,
  siteTalk: -1.5,
  control: -6,
  repeated: -1,

  // What is around it.
  navigation: -3.5,
  sidebar: -1.6,
  footer: -2.8,
  header: -1,
  notice: -2.2,
  advertisement: -2.2,
  share: -2.5,
  related: -2.2,
  form: -1.6,
  byline: -2,
  notes: -2,
  comments: 0,
  content: 0.3,
  main: 0.6,
  outsideMain: -1.6,
  besideText: -1.2,
  groupLinked: -1.6,
  groupProse: 0.9,

  underLead: -1.5,
  underNotes: -3,
  outsideBody: -1,
  beforeTitle: -1,
  afterText: -0.5,
  smallType: -0.5,

  /** Readability took it, or left it out. */
  voteFor: 1.2,
  voteAgainst: -0.8,

  // Second round: what the first makes of the blocks around.
  group: 0.35,
  around: 0.45,
} as const;

export type Feature = keyof typeof WEIGHTS;
export type Features = Partial<Record<Feature, number>>;
