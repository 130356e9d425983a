/** Foreign policy modules: exceptions and invalid results become errors that name the policy and what it did. */
import type { Struct } from '../../core/json-value.js';
import type { Micros } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { Random64 } from '../../random/random64.js';
import type { AnswerOutcome, ProbeAnswer } from '../answers.js';
import type { DecisionTrace } from '../decision-trace.js';
import type { HostIndex, HostList, ListPickInput, SourceId } from '../list-policy.js';
import type { LoadReport } from '../load-report.js';
import { described, isPromise } from '../../core/printable.js';
import { type ListPolicyModule, type ModuleConfig, PolicyFailure, type TablePolicyModule } from './policy-module.js';
import type { WeightedHosts } from '../table-policy.js';

export function watchedList(module: ListPolicyModule<unknown>): ListPolicyModule<unknown> {
  const { name } = module;
  return {
    name,
    kind: 'list',
    ...(module.firstPriorityOnly !== undefined && { firstPriorityOnly: module.firstPriorityOnly }),
    start: (config: ModuleConfig, random: Random64) => {
      const known = new Set(module.statistics ?? []);
      const count = (statistic: string, by = 1): void => {
        if (!known.has(statistic)) {
          throw new PolicyFailure({ kind: 'unknown_statistic', policy: name, statistic: described(statistic) });
        }
        if (!Number.isFinite(by)) {
          throw new PolicyFailure({ kind: 'no_number', policy: name, statistic, value: described(by) });
        }
        config.count(statistic, by);
      };
      const state = guarded(name, 'start', () => module.start({ ...config, count }, random));
      return noPromise(name, 'start', state);
    },
    refresh: (state: unknown, source: SourceId, hosts: HostList) =>
      guarded(name, 'refresh', () => module.refresh(state, source, hosts)),
    ...(module.hostsAdded !== undefined && {
      hostsAdded: (state: unknown, hosts: HostList) =>
        guarded(name, 'hostsAdded', () => module.hostsAdded?.(state, hosts)),
    }),
    choose: (state: unknown, source: SourceId, hosts: HostList, input: ListPickInput) => {
      let index: HostIndex;
      try {
        index = module.choose(state, source, hosts, input);
      } catch (error) {
        throw failure(name, 'choose', error);
      }
      // Fast path for whole numbers: one comparison.
      if (index >>> 0 === index && index < hosts.length) return index;
      return checkedIndex(name, index, hosts.length);
    },
    ...(module.answered !== undefined && {
      answered: (state: unknown, host: Host, latencyUs: Micros, outcome: AnswerOutcome) => {
        try {
          module.answered?.(state, host, latencyUs, outcome);
        } catch (error) {
          throw failure(name, 'answered', error);
        }
      },
    }),
    ...(module.reported !== undefined && {
      reported: (state: unknown, host: Host, report: LoadReport) =>
        guarded(name, 'reported', () => module.reported?.(state, host, report)),
    }),
    ...(module.probes !== undefined && {
      probes: (state: unknown, source: SourceId, hosts: HostList, input: ListPickInput) =>
        checkedProbes(
          name,
          guarded(name, 'probes', () => module.probes?.(state, source, hosts, input)),
          hosts.length,
        ),
    }),
    ...(module.probed !== undefined && {
      probed: (state: unknown, host: Host, answer: ProbeAnswer) =>
        guarded(name, 'probed', () => module.probed?.(state, host, answer)),
    }),
  };
}

interface WatchedTable {
  readonly own: object;
  readonly hosts: number;
}

export function watchedTable(module: TablePolicyModule<unknown>): TablePolicyModule<WatchedTable> {
  const { name } = module;
  return {
    name,
    kind: 'table',
    build: (hosts: WeightedHosts, settings: Struct) => {
      const own = noPromise(
        name,
        'build',
        guarded(name, 'build', () => module.build(hosts, settings)),
      );
      if (typeof own !== 'object' || own === null) {
        throw new PolicyFailure({ kind: 'no_table', policy: name, value: described(own) });
      }
      return { own, hosts: hosts.keys.length };
    },
    choose: ({ own, hosts }, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace) => {
      let index: HostIndex;
      try {
        index = module.choose(own, hashHi, hashLo, attempt, trace);
      } catch (error) {
        throw failure(name, 'choose', error);
      }
      return checkedIndex(name, index, hosts);
    },
  };
}

function checkedIndex(policy: string, index: unknown, hosts: number): HostIndex {
  if (typeof index === 'number' && Number.isInteger(index) && index >= -1 && index < hosts) return index;
  const value = described(index);
  throw new PolicyFailure({ kind: 'no_index', policy, value, hosts, is_promise: isPromise(index) });
}

function checkedProbes(policy: string, found: unknown, hosts: number): readonly HostIndex[] {
  if (!Array.isArray(found)) {
    throw new PolicyFailure({ kind: 'no_list_of_probes', policy, value: described(found) });
  }
  const stranger: unknown = found.find((index) => !Number.isInteger(index) || index < 0 || index >= hosts);
  if (stranger === undefined) return found as readonly HostIndex[];
  throw new PolicyFailure({ kind: 'no_probe_index', policy, value: described(stranger), hosts });
}

function noPromise<Value>(policy: string, member: string, value: Value): Value {
  if (isPromise(value)) {
    throw new PolicyFailure({ kind: 'promise', policy, member });
  }
  return value;
}

function guarded<Value>(policy: string, member: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw failure(policy, member, error);
  }
}

function failure(policy: string, member: string, error: unknown): PolicyFailure {
  if (error instanceof PolicyFailure) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : described(error);
  return new PolicyFailure({ kind: 'threw', policy, member, error: text }, '', { cause: error });
}
