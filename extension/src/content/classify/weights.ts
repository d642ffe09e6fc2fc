/** What each feature adds to a block's score; a block is read where the sum is above 0. Features are in features.ts. */
export const WEIGHTS = {
  /** Every block begins with this. */
  base: -0.2,

  // The block itself.
  words: 1.5,
  prose: 1.2,
  sentence: 0.1,
  commas: 0.8,
  linked: -1.2,
  onlyLink: 0,
  heading: 0.2,
  listItem: 0.9,
  definition: 0.4,
  tableRow: 1,
  code: 1.2,
  quote: 0.8,
  caption: 0.3,
  line: -4,
  dated: -2.4,
  siteTalk: -2.2,
  control: -6,
  repeated: -1,

  // What is around it.
  navigation: -2.5,
  sidebar: -0.9,
  footer: -2.8,
  header: -0.8,
  notice: -2.2,
  advertisement: -2.2,
  share: -2.5,
  related: -2.2,
  form: -1.6,
  byline: -2,
  notes: -2,
  comments: -1.5,
  content: 0.1,
  main: 0.1,
  outsideMain: -0.5,
  besideText: -0.6,
  groupLinked: -0.8,
  groupProse: 0.1,

  underLeads: -1.2,
  underNotes: -3,
  underComments: -1.5,
  outsideBody: -0.5,
  beforeTitle: -0.5,
  afterText: -0.4,
  smallType: -0.5,

  /** Readability took it, or left it out. */
  voteFor: 0.5,
  voteAgainst: -0.3,

  // Second round: what the first makes of the blocks around.
  group: 0.35,
  around: 0.45,
} as const;

export type Feature = keyof typeof WEIGHTS;
export type Features = Partial<Record<Feature, number>>;
