/** Levels of a message: a request, its options, what a template is given. */
const DEPTH_MAX = 100;
/** Values in a message. A page of 4 MiB has a million at most. */
const VALUES_MAX = 4_000_000;

/**
 * False for what is nested without end, or shares its parts so often that it is without end when written out: both can be
 * posted, and would overflow the stack of whoever reads them or never be read to the end.
 */
export function isBounded(value: unknown): boolean {
  let left = VALUES_MAX;
  const walk = (value: unknown, depth: number): boolean => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
    if (depth > DEPTH_MAX) return false;
    return Object.values(value).every((part) => --left >= 0 && walk(part, depth + 1));
  };
  return walk(value, 0);
}
