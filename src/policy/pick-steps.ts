import type { Host } from '../host/host.js';
import type { DecisionStep } from './decision-trace.js';
import type { HostIndex, HostList } from './list-policy.js';

/** The steps of list policies in words. */

export function turnStep(hosts: HostList, turn: string, index: HostIndex): DecisionStep {
  return {
    step: 'host',
    inputs: { turn, hosts: hosts.length, index },
    rule: 'Hosts of equal weight take turns; the count goes on from where the worker began it, at a random place.',
    outcome: `turn ${turn} mod ${hosts.length} is ${index}: ${nameOf(hosts, index)}`,
  };
}

/** @param the meaning of the deadlines. */
export function scheduleStep(hosts: HostList, index: HostIndex, by: string): DecisionStep {
  const weights = hosts.map(({ weight }) => weight);
  const isFew = hosts.length <= SHOWN_WEIGHTS;
  return {
    step: 'host',
    inputs: {
      hosts: hosts.length,
      index,
      weight: hosts[index]?.weight ?? 0,
      active: hosts[index]?.activeRequests ?? 0,
    },
    rule: `Hosts of different weights are scheduled: who has waited longest for its next turn, 1 / ${by} apart, is next.`,
    outcome: `the schedule${isFew ? ` of weights ${weights.join(', ')}` : ''} is at ${nameOf(hosts, index)}`,
  };
}

const SHOWN_WEIGHTS = 12;

/** @param fewest of earlier candidates; Infinity: this is the first. */
export function candidateStep(hosts: HostList, index: HostIndex, active: number, fewest: number): DecisionStep {
  const verdict =
    fewest === Infinity ? '' : active < fewest ? `, fewer than ${fewest}: it leads` : `, not fewer than ${fewest}`;
  return {
    step: 'candidate',
    inputs: { index, hosts: hosts.length, active_requests: active },
    rule: 'Hosts are drawn, and the one with the fewest active requests is taken, the first of those that tie.',
    outcome: `the draw mod ${hosts.length} is ${index}: ${nameOf(hosts, index)} has ${active} active requests${verdict}`,
  };
}

export function fewestStep(hosts: HostList, index: HostIndex, fewest: number, drawn: number): DecisionStep {
  return {
    step: 'host',
    inputs: { hosts: hosts.length, index, active_requests: fewest, drawn },
    rule: 'Of the hosts that were drawn, the one with the fewest active requests, the first of those that tie.',
    outcome: `of ${drawn} drawn, ${nameOf(hosts, index)} has the fewest active requests, ${fewest}`,
  };
}

export function scanStep(hosts: HostList, index: HostIndex, fewest: number, tied: number): DecisionStep {
  const among = tied > 1 ? `, one of ${tied} that tie, drawn among them` : '';
  return {
    step: 'host',
    inputs: { hosts: hosts.length, index, active_requests: fewest, tied },
    rule: 'All hosts are looked at; among those with the fewest active requests one is drawn.',
    outcome: `${nameOf(hosts, index)} has the fewest active requests, ${fewest}${among}`,
  };
}

export function drawnStep(hosts: HostList, value: string, index: HostIndex, reused: boolean): DecisionStep {
  return {
    step: 'host',
    inputs: { value, hosts: hosts.length, index },
    rule: `Any host, whatever its weight: ${reused ? 'the value that has chosen the priority, once more' : 'a draw of its own'}.`,
    outcome: `${value} mod ${hosts.length} is ${index}: ${nameOf(hosts, index)}`,
  };
}

/** Of a policy whose reasons are its own. */
export function chosenStep(hosts: HostList, index: HostIndex, policy: string): DecisionStep {
  return {
    step: 'host',
    inputs: { hosts: hosts.length, index, active_requests: hosts[index]?.activeRequests ?? 0 },
    rule: `${policy} chooses by what it knows of its hosts; it is not the proxy's.`,
    outcome: index < 0 ? `${policy} takes none of them` : `${policy} takes ${nameOf(hosts, index)}`,
  };
}

function nameOf(hosts: HostList, index: HostIndex): string {
  const host: Host | undefined = hosts[index];
  return host?.address ?? 'no host';
}
