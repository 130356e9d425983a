import { seconds } from '../core/words.js';
import { type CauseResult, type NoticeFact, someProxies } from '../result/happenings.js';
import { ASSIGNMENT_TOO_OLD } from '../scenario/assemble/describe.js';
import type { Happening, SomeHosts } from '../upstream/cause.js';

type Of<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>;

/** What happened, as a clause. */
export function happeningText(fact: Happening): string {
  switch (fact.kind) {
    case 'start':
      return 'start';
    case 'timeline':
      return fact.entry;
    case 'stale_assignment':
      return ASSIGNMENT_TOO_OLD;
    case 'merged_update':
      return 'merged update';
    case 'delivered':
      return `out of the merge window: ${fact.causes.map(happeningText).join('; ')}`;
    case 'ready':
      return `${happeningText(fact.after)}: ready`;
    case 'joined':
    case 'left':
      return `${hostsText(fact)} ${fact.kind}`;
    case 'kept':
      return `${fact.addresses.join(', ')} no longer discovered, stays while its health checks pass`;
    case 'asked_for':
      return `${fact.address} asked for`;
    case 'unused':
      return `${hostsText(fact)} not used since the last cleanup`;
    case 'addresses':
      return addressesText(fact);
    case 'same_first':
      return `${fact.name}: other addresses, with ${fact.address} first as before`;
    case 'other_first': {
      const when = fact.new_connections === true ? ' for new connections' : '';
      return `${fact.name}: ${fact.address} instead of ${fact.before}${when}`;
    }
    case 'resolved':
      return fact.again ? `${fact.name} is resolved again` : `${fact.name} is not resolved`;
    case 'checked':
      return `${fact.address} ${checkedText(fact)}`;
    case 'ejected':
      return `${fact.address} ejected, ${fact.cause}`;
    case 'unejected':
      return `${fact.address} back: ${UNEJECTIONS[fact.cause]}${lastedText(fact)}`;
    case 'panic': {
      const where = fact.priority === undefined ? '' : ` in priority ${fact.priority}`;
      const what = fact.panic ? 'panic' : 'no panic any more';
      return `${what}${where}: ${fact.available} of ${fact.hosts} hosts available`;
    }
    case 'limit':
      return `${fact.limit}${fact.high_priority ? ' of high priority' : ''} reached`;
  }
}

/** How a proxy noticed a host. */
export function noticeText(fact: NoticeFact): string {
  switch (fact.kind) {
    case 'checked':
      return fact.passed ? 'passed checks' : 'failed checks';
    case 'ejected':
      return `ejected, ${fact.cause}`;
    case 'unejected':
      return UNEJECTIONS[fact.cause];
  }
}

const LATE = ', delivered after the merge window';

/** The causes of one phase in a line. */
export function causesText(causes: readonly CauseResult[]): string {
  return causes.map((cause) => causeText(cause, causes)).join('; ') + (areLate(causes) ? LATE : '');
}

/** The first of the causes that began a phase. */
export function firstCauseText(causes: readonly CauseResult[]): string {
  const [first, ...more] = causes;
  return first === undefined || more.length === 0 ? causesText(causes) : causeText(first, causes);
}

function causeText(cause: CauseResult, all: readonly CauseResult[]): string {
  const { late, times, proxies } = cause;
  const often = times === undefined ? '' : ` (${times} times)`;
  return `${happeningText(cause)}${late === true && !areLate(all) ? LATE : ''}${often}${proxiesText(proxies)}`;
}

function areLate(causes: readonly CauseResult[]): boolean {
  return causes.length > 0 && causes.every(({ late }) => late === true);
}

/** " (edge-1, edge-2)"; nothing where it is all of them or none in particular. */
export function inProxies(names: readonly string[], of: number): string {
  return proxiesText(someProxies(names, of));
}

function proxiesText(proxies: CauseResult['proxies']): string {
  if (proxies === undefined) return '';
  return proxies.names === undefined
    ? ` (${proxies.count} of ${proxies.of} proxies)`
    : ` (${proxies.names.join(', ')})`;
}

/** "10.0.0.1:80, 10.0.0.2:80", or "12 hosts". */
function hostsText({ hosts, addresses }: SomeHosts, noun = 'hosts'): string {
  return addresses === undefined ? `${hosts} ${noun}` : addresses.join(', ');
}

function addressesText({ name, added, gone, left }: Of<'addresses'>): string {
  const part = (some: SomeHosts, what: string): string[] =>
    some.hosts === 0 ? [] : [`${hostsText(some, 'addresses')} ${what}`];
  return `${name}: ${[...part(added, 'added'), ...part(gone, 'gone')].join(', ')}${left === 0 ? ', no address left' : ''}`;
}

function checkedText({ health, passed, leaves }: Of<'checked'>): string {
  if (passed) return `${health}: passed checks`;
  if (leaves === 'now') return 'leaves: failed checks, and discovery dropped it before';
  return `${health}: failed checks${leaves === undefined ? '' : ', and leaves with the next answer'}`;
}

const UNEJECTIONS: Readonly<Record<Of<'unejected'>['cause'], string>> = {
  ejection_time_over: 'its ejection is over',
  active_health_check: 'a health check passed',
};

/** ": 30 s × 2", the minimum duration of the ejection. */
function lastedText({ base_s: base, factor, max_s: max }: Of<'unejected'>): string {
  if (max !== undefined) return `: ${seconds(max)}, the longest`;
  return base === undefined || factor === undefined ? '' : `: ${seconds(base)} × ${factor}`;
}
