import { type CauseResult, type NoticeFact, someProxies } from '../result/happenings.js';
import type { Happening } from '../upstream/cause.js';
import { FAILURE_CAUSES } from '../core/failure-cause.js';
import type { Failures } from '../result/failures.js';
import { fill, SENTENCES } from './fill.js';

export function happeningText(fact: Happening): string {
  const parts = PARTS[fact.kind] as ((fact: Happening) => object) | undefined;
  return fill(SENTENCES.happenings[fact.kind], { ...fact, ...parts?.(fact) });
}

/** What sentences need besides the fields of their facts. */
const PARTS: { readonly [Kind in Happening['kind']]?: (fact: Extract<Happening, { kind: Kind }>) => object } = {
  delivered: ({ causes }) => ({ what: causes.map(happeningText).join('; ') }),
  ready: ({ after }) => ({ what: happeningText(after) }),
};

export const noticeText = (fact: NoticeFact): string => fill(SENTENCES.notices[fact.kind], fact);

const LATE = ', delivered after the merge window';

export const causesText = (causes: readonly CauseResult[]): string =>
  causes.map((cause) => causeText(cause, causes)).join('; ') + (areLate(causes) ? LATE : '');

export function firstCauseText(causes: readonly CauseResult[]): string {
  const [first, ...more] = causes;
  return first === undefined || more.length === 0 ? causesText(causes) : causeText(first, causes);
}

function causeText(cause: CauseResult, all: readonly CauseResult[]): string {
  const { late, times, proxies } = cause;
  const often = times === undefined ? '' : ` (${times} times)`;
  return `${happeningText(cause)}${late === true && !areLate(all) ? LATE : ''}${often}${proxiesText(proxies)}`;
}

const areLate = (causes: readonly CauseResult[]): boolean =>
  causes.length > 0 && causes.every(({ late }) => late === true);

/** " (edge-1, edge-2)"; nothing where it is all of them or none in particular. */
export const inProxies = (names: readonly string[], of: number): string => proxiesText(someProxies(names, of));

const proxiesText = (proxies: CauseResult['proxies']): string =>
  proxies === undefined ? '' : fill(SENTENCES.proxies, proxies);

/** "25 found no host, 3 timed out": every cause that occurred, so that the numbers add up. */
export const failureList = (failures: Readonly<Partial<Failures>>): string =>
  FAILURE_CAUSES.flatMap((cause) => {
    const { [cause]: failed = 0 } = failures;
    return failed === 0 ? [] : fill(SENTENCES.failures[cause], { failed });
  }).join(', ');
