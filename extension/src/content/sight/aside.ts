/** A text, and from where to where it stands beside the window, on either side. */
export interface Aside {
  readonly node: Text;
  readonly from_px: number;
  readonly to_px: number;
}

/** Nobody scrolls to the side over a whole window of nothing. */
export function beyondGap(aside: readonly Aside[]): Text[] {
  // What is in the window needs no order.
  const beside = aside.filter(({ from_px }) => from_px > 0);
  let reach_px = aside.reduce((reach, { from_px, to_px }) => (from_px > 0 ? reach : Math.max(reach, to_px)), 0);
  const far: Text[] = [];
  for (const { node, from_px, to_px } of beside.toSorted((a, b) => a.from_px - b.from_px)) {
    if (far.length > 0 || from_px > reach_px + innerWidth) far.push(node);
    else reach_px = Math.max(reach_px, to_px);
  }
  return far;
}
