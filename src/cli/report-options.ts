import type { ReportLayout } from '../report/host-table.js';
import type { Session } from './session.js';
import { paintFor, widthOf } from './terminal.js';

export interface LayoutOptions {
  readonly all?: boolean;
  readonly width?: number;
  /** undefined: on a terminal. */
  readonly bars?: boolean;
  readonly predicted?: boolean;
  readonly events?: boolean;
  readonly every?: unknown;
}

/** The layout of a report on standard output. */
export function layoutFor(options: LayoutOptions, session: Session): ReportLayout {
  const { stdout, env } = session.io;
  return {
    width: widthOf(stdout, env, options.width),
    bars: options.bars ?? stdout.isTTY === true,
    paint: paintFor(stdout, env),
    all: options.all === true,
    every: options.every !== undefined,
    predicted: options.predicted === true,
    events: options.events === true,
  };
}
