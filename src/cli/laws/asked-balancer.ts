import { optionsIn } from '../../core/options.js';
import { toDecimal } from '../../core/u64.js';
import { entryOf } from '../../core/values.js';
import type { SourceId, TablePolicy } from '../../policy/policy-kinds.js';
import type { Random64 } from '../../random/random64.js';
import * as testing from '../../testing/index.js';
import { UsageError } from '../session.js';
import { Described } from './generated/described.js';

const DESCRIBED = optionsIn(Described, 'name', 'kind');

type Ask = (question: object) => unknown;
type Check = (options?: testing.LawOptions) => void;
type Laws = Readonly<Record<string, Check>>;

/** @throws UsageError where it says something else of itself. */
export function askedBalancer(ask: Ask): { readonly name: string; readonly laws: Laws } {
  const answer = ask({ do: 'begin' });
  const wrong = DESCRIBED(answer, 'begin');
  if (wrong.length > 0) throw new UsageError(`--command: ${wrong.join('; ')}`);
  const described = answer as Described;
  return { name: described.name, laws: described.kind === 'table' ? ofTable(described, ask) : ofList(described, ask) };
}

function ofList({ name, follows, takes_turns, choices, distinct = false }: Described, ask: Ask): Laws {
  let lists = 0;
  const subject = testing.listPolicyUnderTest({
    name,
    start: (_, random) => ({ numbers: new Map<SourceId, number>(), random: drawn(random) }),
    refresh: ({ numbers, random }, source, hosts) => {
      const list = entryOf(numbers, source, () => lists++);
      const told = hosts.map(({ address, weight, locality: { zone }, metadata }) => ({
        address,
        weight,
        zone,
        metadata,
      }));
      ask({ do: 'hosts', list, hosts: told, random });
    },
    choose: ({ numbers }, source, hosts, { random, request }) => {
      if (hosts.length === 0) return -1;
      const active = hosts.map(({ activeRequests }) => activeRequests);
      const { hasHash = false, hashHi = 0, hashLo = 0, attempt = 0 } = request ?? {};
      const hash = hasHash ? toDecimal(hashHi, hashLo) : null;
      return chosen(ask, { list: numbers.get(source), active, random: drawn(random), request: { hash, attempt } });
    },
  });
  const bound: typeof testing.drawBound = (share, hosts, picks) =>
    Math.max(testing.scheduleBound(share, hosts), testing.drawBound(share, hosts, picks));
  const shares = follows === 'weights' ? testing.byWeight : testing.evenly;
  return {
    ...ofAll(subject),
    ...(follows && { 'follows its shares': (options) => testing.followsShares(subject, { shares, bound }, options) }),
    ...(takes_turns && { 'takes turns': (options) => testing.takesTurns(subject, options) }),
    ...(choices && {
      'takes the fewest of its choices': (options) =>
        testing.takesFewestOfChoices(subject, choices, { ...options, distinct }),
      'goes by loads': (options) => testing.goesByLoads(subject, choices, { ...options, distinct }),
    }),
  };
}

function ofTable({ name, ignores_order }: Described, ask: Ask): Laws {
  let lists = 0;
  const policy: TablePolicy<object, Readonly<{ list: number; size: number }>> = {
    name,
    build: ({ keys, weights }) => {
      const list = lists++;
      ask({ do: 'hosts', list, hosts: keys.map((address, index) => ({ address, weight: weights[index] })) });
      return { list, size: keys.length };
    },
    choose: ({ list, size }, hi, lo, attempt) =>
      size === 0 ? -1 : chosen(ask, { list, request: { hash: toDecimal(hi, lo), attempt } }),
  };
  const tables = { policy, config: {}, entriesPerHost: () => [] };
  return {
    ...ofAll(testing.tablePolicyUnderTest(policy, {})),
    'looks up its hosts': (options) => testing.looksUpItsHosts(tables, options),
    ...(ignores_order && { 'ignores the order of its list': (options) => testing.ignoresListOrder(tables, options) }),
  };
}

const ofAll = (subject: testing.BalancerUnderTest): Laws =>
  Object.fromEntries(
    testing.BALANCER_LAWS.map(({ name, check }): [string, Check] => [name, (options) => check(subject, options)]),
  );

/** NaN where it names none, which every law refuses. */
function chosen(ask: Ask, question: object): number {
  const answer = ask({ do: 'choose', ...question });
  return typeof answer === 'object' && answer !== null && 'host' in answer ? Number(answer.host) : NaN;
}

/** Two draws, as four numbers that every language reads. */
const drawn = (random: Random64): readonly number[] =>
  [0, 1].flatMap(() => {
    random.next();
    return [random.hi, random.lo];
  });
