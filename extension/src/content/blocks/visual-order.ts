// The order in which a page shows parts that stand one below the other, where that is not the one in which they are written.
import { isElement, isText } from "../own.js";
import type { Sight } from "../sight/sight.js";
import type { Order } from "../walk.js";

/** Of columns of flexible boxes and of grids. What stands side by side stays as it is: one line may hold several of them. */
export const visualOrder =
  (sight: Sight): Order =>
  (node, children) => {
    if (!isElement(node) || children.length < 2 || sight.of(node) === "nothing") return children;
    // A line with words of its own is one block, whose words stay in their order.
    if (children.some((one) => isText(one) && /\S/.test(one.data))) return children;
    const { display, flexDirection } = sight.styleOf(node);
    const isColumn = display.endsWith("flex") && flexDirection.startsWith("column");
    if (!isColumn && !display.endsWith("grid")) return children;
    const ordered = isColumn && flexDirection.endsWith("reverse") ? children.toReversed() : children;
    const places = new Map(ordered.map((one) => [one, isElement(one) ? Number(sight.styleOf(one).order) || 0 : 0]));
    if (new Set(places.values()).size < 2) return ordered;
    return ordered.toSorted((a, b) => places.get(a)! - places.get(b)!);
  };
