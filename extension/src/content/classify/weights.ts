/** What each feature adds to a block's score; a block is read where the sum is above 0. Features are in features.ts. */
export const WEIGHTS = {
  /** Every block begins with this. */
  base: -0.7,

  // The block itself.
  words: 2.3,
  sentence: 0.4,
  commas: 1.6,
  linked: -2,
  onlyLink: 0.7,
  heading: 0.2,
  listItem: 2,
  definition: 0.4,
  tableRow: 1.2,
  code: 2.1,
  quote: 1.1,
  caption: 1.5,
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

  underLeads: -1.6,
  underNotes: -5,
  underComments: -3.6,
  teaser: -2,
  opened: 1,
  elsewhere: -7,
  outsideBody: -1.2,
  amidText: 0.7,
  beforeTitle: -0.7,
  afterText: -1.2,
  smallType: -1.2,

  // How it is set, compared with most of the text.
  unlike: -0.8,
  boxed: -1.6,
  card: -0.6,
  centered: -0.8,
  action: -1.8,

  /** Readability took it, or left it out. */
  voteFor: 0.3,
  voteAgainst: -0.3,

  // Second round: what the first makes of the blocks around.
  group: 0.3,
  around: 0.3,
} as const;

export type Feature = keyof typeof WEIGHTS;
export type Features = Partial<Record<Feature, number>>;
