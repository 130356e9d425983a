import { describe, it } from 'vitest';
import { BALANCER_LAWS, listPolicyUnderTest, type ListPolicy } from '../../src/testing/index.js';

const fewestActive: ListPolicy<unknown, null> = {
  name: 'FEWEST_ACTIVE',
  start: () => null,
  refresh: () => undefined,
  choose: (_state, _source, hosts) => {
    const fewest = Math.min(...hosts.map((host) => host.activeRequests));
    return hosts.findIndex((host) => host.activeRequests === fewest);
  },
};

describe('fewest active', () => {
  it.each(BALANCER_LAWS)('$name', ({ check }) => check(listPolicyUnderTest(fewestActive)));
});
