import type { JSX } from 'preact';
import { HEALTH_NAMES } from '../engine/picture.js';

/** Each has its own shape: colour alone is not enough for all readers. */
const SHAPES = ['·', '●', '◐', '✕'] as const;

export function Health({ code, words = true }: { readonly code: number; readonly words?: boolean }): JSX.Element {
  const name = HEALTH_NAMES[code] ?? 'absent';
  return (
    <span class="health" data-health={name}>
      <span aria-hidden="true">{SHAPES[code] ?? '·'}</span> <span class={words ? '' : 'hidden'}>{name}</span>
    </span>
  );
}
