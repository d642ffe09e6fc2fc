/** Maximum nesting of a message: a request, its options, a template's variables. */
const DEPTH_MAX = 100;
/** Maximum number of values in a message. A page of 4 MiB has at most a million. */
const VALUES_MAX = 4_000_000;

/**
 * False for cyclic or too deeply nested messages, and for messages that share objects so often that they are too large when expanded.
 * Both can be posted; reading them would overflow the stack or never end.
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
