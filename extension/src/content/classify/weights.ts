/** What each feature adds to a block's score; a block is read where the sum is above 0. Features are in features.ts. */
export const WEIGHTS = {
  /** Every block begins with this. */
  base: -0.3,

  // The block itself.
  words: 1.6,
  prose: 1.2,
  sentence: 0.1,
  commas: 0.9,
  linked: -1.2,
  onlyLink: 0,
  heading: 0.2,
  listItem: 1,
  definition: 0.4,
  tableRow: 1.1,
  code: 1.2,
  quote: 0.8,
  caption: 0.3,
  line: -4,
  dated: -2.8,
  siteTalk: -3.6,
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
  byline: -1.4,
  notes: -2,
  comments: -1.5,
  content: 0.1,
  main: 0.1,
  outsideMain: -0.5,
  besideText: -0.6,
  groupLinked: -0.8,
  groupProse: 0.1,

  underLeads: -1.6,
  underNotes: -3,
  underComments: -3,
  teaser: -2,
  outsideBody: -0.9,
  amidText: 0.2,
  beforeTitle: -1.5,
  afterText: -0.7,
  smallType: -1,

  /** Readability took it, or left it out. */
  voteFor: 0.3,
  voteAgainst: -0.4,

  // Second round: what the first makes of the blocks around.
  group: 0.35,
  around: 0.45,
} as const;

export type Feature = keyof typeof WEIGHTS;
export type Features = Partial<Record<Feature, number>>;
