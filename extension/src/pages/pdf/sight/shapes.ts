// Regions of a page: what a path, a picture or a clip covers, in points of the page.

export type Matrix = readonly [number, number, number, number, number, number];
export type Point = readonly [number, number];
/** Left, bottom, right, top. */
export type Box = readonly [number, number, number, number];

/** A region. `rings` is null where it is its box, or too complex to be looked at. */
export interface Shape {
  readonly box: Box;
  readonly rings: readonly (readonly Point[])[] | null;
  readonly isEvenOdd: boolean;
  /** Its box is larger than the region itself may be. */
  readonly isRough: boolean;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Numbers of a path that is looked at. */
const PATH_MAX = 4_000;
const CURVE_STEPS = 6;
/** pdf.js's codes in a path, and how many numbers follow each. */
const [MOVE, LINE, CURVE, QUADRATIC] = [0, 1, 2, 3];
const LENGTHS = [2, 2, 6, 4, 0];

/** The transform that applies `inner` first. */
export function multiply(outer: readonly number[], inner: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export const apply = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

export function boxOf(points: readonly Point[]): Box {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [bottom, top] = [Math.min(bottom, y), Math.max(top, y)];
  }
  return [left, bottom, right, top];
}

export const areaOf = ([left, bottom, right, top]: Box): number =>
  Math.max(0, right - left) * Math.max(0, top - bottom);

/** A region with these corners. */
export const polygon = (points: readonly Point[]): Shape => ({
  box: boxOf(points),
  rings: [points],
  isEvenOdd: false,
  isRough: false,
});

/** A rectangle, transformed. */
export const rectangle = (matrix: Matrix, [left, bottom, right, top]: Box): Shape =>
  polygon([
    apply(matrix, left, bottom),
    apply(matrix, right, bottom),
    apply(matrix, right, top),
    apply(matrix, left, top),
  ]);

export const UNIT: Box = [0, 0, 1, 1];

/** The region inside a path of pdf.js; null where the path is empty. `box` is the path's own. */
export function inside(
  path: ArrayLike<number> | null,
  own: ArrayLike<number>,
  matrix: Matrix,
  isEvenOdd: boolean,
): Shape | null {
  if (!path) return null;
  const rough = rectangle(matrix, [own[0] ?? 0, own[1] ?? 0, own[2] ?? 0, own[3] ?? 0]);
  if (path.length > PATH_MAX) return { ...rough, isRough: true };
  const rings = ringsOf(path, matrix);
  return rings.length === 0 ? null : { box: boxOf(rings.flat()), rings, isEvenOdd, isRough: false };
}

/** What a pen of this width covers along a path, straight stretches only. */
export function strokes(path: ArrayLike<number> | null, matrix: Matrix, width: number): Shape[] {
  if (!path || path.length > PATH_MAX) return [];
  return ringsOf(path, matrix).flatMap((ring) =>
    ring.slice(1).flatMap(([x, y], at) => {
      const [fromX, fromY] = ring[at]!;
      const length = Math.hypot(x - fromX, y - fromY);
      if (length === 0) return [];
      const [sideX, sideY] = [((fromY - y) / length) * (width / 2), ((x - fromX) / length) * (width / 2)];
      return [
        polygon([
          [fromX + sideX, fromY + sideY],
          [x + sideX, y + sideY],
          [x - sideX, y - sideY],
          [fromX - sideX, fromY - sideY],
        ]),
      ];
    }),
  );
}

function ringsOf(path: ArrayLike<number>, matrix: Matrix): Point[][] {
  const rings: Point[][] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at < path.length;) {
    const code = path[at++] ?? 0;
    const count = LENGTHS[code];
    if (count === undefined) break;
    const numbers = Array.from({ length: count }, (_, index) => path[at + index] ?? 0);
    at += count;
    if (code === MOVE) rings.push([]);
    const ring = rings.at(-1);
    if (!ring || count === 0) continue;
    if (code === CURVE || code === QUADRATIC)
      for (let step = 1; step < CURVE_STEPS; step++) {
        const [curveX, curveY] = onCurve([x, y, ...numbers], step / CURVE_STEPS);
        ring.push(apply(matrix, curveX, curveY));
      }
    [x, y] = [numbers[count - 2] ?? 0, numbers[count - 1] ?? 0];
    if (code <= LINE || code === CURVE || code === QUADRATIC) ring.push(apply(matrix, x, y));
  }
  return rings.filter((ring) => ring.length > 1);
}

/** De Casteljau. */
function onCurve(numbers: readonly number[], share: number): Point {
  let points = numbers;
  while (points.length > 2) points = points.slice(0, -2).map((one, at) => one + ((points[at + 2] ?? 0) - one) * share);
  return [points[0] ?? 0, points[1] ?? 0];
}

export function contains({ box: [left, bottom, right, top], rings, isEvenOdd }: Shape, x: number, y: number): boolean {
  if (x < left || x > right || y < bottom || y > top) return false;
  if (!rings) return true;
  let winding = 0;
  for (const ring of rings)
    for (let at = 0, before = ring.at(-1)!; at < ring.length; before = ring[at++]!) {
      const [toX, toY] = ring[at]!;
      const [fromX, fromY] = before;
      if (fromY <= y === toY <= y) continue;
      if (x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) winding += isEvenOdd || toY > fromY ? 1 : -1;
    }
  return isEvenOdd ? winding % 2 === 1 : winding !== 0;
}
