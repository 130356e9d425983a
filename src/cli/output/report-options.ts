import { jsonDocument } from '../../report/json-document.js';
import { linesOfText, type ReportLayout } from '../../report/layout.js';
import { paintFor, type Session, widthOf } from '../session.js';

/** Output formats of `test` and `validate`. */
export type OutputFormat = 'text' | 'json' | 'github';

export interface LayoutOptions {
  /** One JSON document instead of a report. */
  readonly json?: boolean;
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

/** What was found, as one JSON document or as the lines of a report. */
export function writeAnswer<Found>(
  found: Found,
  report: (found: Found, layout: ReportLayout) => Iterable<string>,
  options: LayoutOptions,
  session: Session,
): Promise<void> {
  if (options.json === true) return session.out.write(jsonDocument(found));
  return session.out.writeAll(linesOfText(report(found, layoutFor(options, session))));
}
