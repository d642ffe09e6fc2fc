/** How long a piece of work may hold up the page before it lets the page go on. */
const SLICE_MS = 8;
/** Elements between two looks at the clock. */
const LOOK_EVERY = 32;

/** What is done on the way. */
export interface Visitor {
  /** Called for every node, parents first. False: its children are left out and `leave` is not called. */
  enter(node: Node): boolean;
  /** Called after the children. */
  leave(node: Node): void;
}

/** Visits a tree as it is rendered (shadow roots and slots in place), in slices short enough not to be felt. */
export async function walk(root: Node, visitor: Visitor): Promise<void> {
  // An explicit stack: a page may be nested deeper than the call stack allows.
  const stack: { node: Node; children: readonly Node[]; next: number }[] = [];
  const push = (node: Node): void => {
    if (visitor.enter(node)) stack.push({ node, children: childrenOf(node), next: 0 });
  };
  let pause = performance.now() + SLICE_MS;
  let count = 0;
  push(root);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const child = top.children[top.next++];
    if (child) {
      push(child);
    } else {
      visitor.leave(top.node);
      stack.pop();
    }
    if (++count % LOOK_EVERY === 0 && performance.now() > pause) {
      await breathe();
      pause = performance.now() + SLICE_MS;
    }
  }
}

function childrenOf(node: Node): readonly Node[] {
  if (node instanceof Element) {
    const shadow = shadowOf(node);
    if (shadow) return [...shadow.childNodes];
    if (node instanceof HTMLSlotElement) {
      const assigned = node.assignedNodes({ flatten: true });
      if (assigned.length > 0) return assigned;
    }
  }
  return [...node.childNodes];
}

function shadowOf(element: Element): ShadowRoot | null {
  if (!(element instanceof HTMLElement)) return null;
  // Extensions may look into closed roots: what is on the screen is part of the page.
  return globalThis.chrome?.dom?.openOrClosedShadowRoot?.(element) ?? element.shadowRoot;
}

/** Lets the page handle input and paint. A timer would be slowed down in a tab in the background. */
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
