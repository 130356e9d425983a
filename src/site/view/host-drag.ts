import type { SVGAttributes } from 'preact';

/** Pixels before a press becomes a drag. */
const SLACK = 4;
/** Pixels upwards that multiply a weight by e: 1 becomes 2 after some 40. */
const PER_E = 60;
const MOST = 10_000;

export const draggedWeight = (weight: number, up: number): number =>
  Math.min(MOST, Math.max(1, Math.round(weight * Math.exp(up / PER_E))));

/** One step of a key: the next round weight up or down. */
export function steppedWeight(weight: number, direction: 1 | -1): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, weight - (direction === -1 ? 1 : 0)))));
  return Math.min(MOST, Math.max(1, weight + direction * step));
}

type Pressed = PointerEvent & { readonly currentTarget: SVGGElement };

/**
 * Dragging a host up or down changes its weight; a press without a drag stays a click.
 * @param heldBy the weight of the host under the pointer, and what a drag does to it; undefined: there is none.
 */
export const dragOf = (
  heldBy: (event: Pressed) => { readonly weight: number; readonly onWeight: (weight: number) => void } | undefined,
): SVGAttributes<SVGGElement> => ({
  onPointerDown: (event) => {
    const held = event.button === 0 ? heldBy(event) : undefined;
    if (held === undefined) return;
    const { weight, onWeight } = held;
    const { currentTarget: element, clientY: from } = event;
    let latest = weight;
    let isDrag = false;
    const move = (moved: PointerEvent): void => {
      const up = from - moved.clientY;
      if (!isDrag && Math.abs(up) < SLACK) return;
      isDrag = true;
      const next = draggedWeight(weight, up);
      if (next === latest) return;
      latest = next;
      onWeight(next);
    };
    const listening = new AbortController();
    const end = (): void => {
      listening.abort();
      if (!isDrag) return;
      // The click that follows a drag chooses nothing; after a drag out of the element there is none.
      const swallow = (click: Event): void => click.stopImmediatePropagation();
      element.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => element.removeEventListener('click', swallow, { capture: true }));
    };
    const { signal } = listening;
    addEventListener('pointermove', move, { signal });
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { signal });
  },
});
