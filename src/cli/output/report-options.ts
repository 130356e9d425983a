import { jsonDocument } from '../../report/json-document.js';
import { linesOfText, type ReportLayout } from '../../report/layout.js';
import type { RunOptions } from '../program/generated/commands.js';
import { paintFor, type Session, widthOf } from '../session.js';

/** Options that say how a report looks; not every command has all of them. */
type LayoutOptions = Pick<RunOptions, 'json' | 'all' | 'width' | 'bars' | 'predicted' | 'events' | 'every'>;

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
