import { childNodesOf, frameIn, isElement, isHtml, shadowRootOf, tagOf } from "./own.js";

/** How long a piece of work may hold up the page before it lets the page go on. */
const SLICE_MS = 8;
/** Nodes between two looks at the clock. */
const LOOK_EVERY = 8;

/** Readings so far: one that is not the last has been given up. */
let readings = 0;

/** Gives up the readings so far: they end at their next pause. */
export function giveUpReadings(): void {
  readings++;
}

let now = 0;

/** The same as long as the page has not had its turn: what was measured then still holds. */
export const moment = (): number => now;

/** When the slice at hand ends, whichever work began it: pieces of work that follow each other share one. */
let end_ms = 0;

/** Cuts work into slices short enough not to be felt. */
export class Pace {
  readonly #reading = readings;

  constructor() {
    now++;
  }

  get isDue(): boolean {
    return performance.now() > end_ms;
  }

  /** Lets the page handle input and paint. Throws where the reading was given up meanwhile. */
  async pause(): Promise<void> {
    await breathe();
    now++;
    if (this.#reading !== readings) throw new Error("the reading was given up");
    end_ms = performance.now() + SLICE_MS;
  }
}

/** What is done on the way. */
export interface Visitor {
  /**
   * Called for every node, parents first. False: its children are left out and `leave` is not called. Steps: the work on
   * the node takes long, and is done in so many pieces; its children are left out.
   */
  enter(node: Node): boolean | Iterator<void>;
  /** Called after the children. */
  leave(node: Node): void;
}

/** Puts the children of a node into another order. */
export type Order = (node: Node, children: readonly Node[]) => readonly Node[];

/** Visits a tree as it is rendered (shadow roots, slots and frames of the same site in place), in slices. */
export async function walk(root: Node, visitor: Visitor, order: Order = (_, children) => children): Promise<void> {
  // An explicit stack: a page may be nested deeper than the call stack allows.
  const stack: { node: Node; children: readonly Node[]; next: number }[] = [];
  const pace = new Pace();
  const push = async (node: Node): Promise<void> => {
    const goesOn = visitor.enter(node);
    if (goesOn === true) stack.push({ node, children: order(node, childrenOf(node)), next: 0 });
    if (typeof goesOn === "boolean") return;
    while (!goesOn.next().done) if (pace.isDue) await pace.pause();
  };
  let count = 0;
  await push(root);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const child = top.children[top.next++];
    if (child) {
      await push(child);
    } else {
      visitor.leave(top.node);
      stack.pop();
    }
    if (++count % LOOK_EVERY === 0 && pace.isDue) await pace.pause();
  }
}

function childrenOf(node: Node): readonly Node[] {
  if (isElement(node)) {
    const frame = frameIn(node);
    if (frame) return [frame.root];
    const shadow = shadowOf(node);
    if (shadow) return [...childNodesOf(shadow)];
    if (isHtml(node) && tagOf(node) === "SLOT") {
      const assigned = HTMLSlotElement.prototype.assignedNodes.call(node, { flatten: true });
      if (assigned.length > 0) return assigned;
    }
  }
  return [...childNodesOf(node)];
}

function shadowOf(element: Element): ShadowRoot | null {
  if (!isHtml(element)) return null;
  // Extensions may look into closed roots: what is on the screen is part of the page.
  return globalThis.chrome?.dom?.openOrClosedShadowRoot?.(element) ?? shadowRootOf(element);
}

/** A timer would be slowed down in a tab in the background. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
