import { afterAll, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const host = (zone: string, address: string, rest: string): string => `
    - locality: {zone: ${zone}}${rest}
      lb_endpoints: [{endpoint: {address: {socket_address: {address: ${address}, port_value: 80}}}}]`;
const text = (first: string, second: string): string => `clusters:
- name: c
  lb_policy: RING_HASH
  common_lb_config: {locality_weighted_lb_config: {}}
  load_assignment:
    cluster_name: c
    endpoints:${host('a', '10.0.0.1', first)}${host('b', '10.1.0.1', second)}
`;
const WEIGHT = '\n      load_balancing_weight: 1';

/** Of a report, on one line. */
async function said(...argv: readonly string[]): Promise<string> {
  const { stdout } = await lbsim(argv);
  return stdout.replace(/\s+/g, ' ');
}

it('names the missing locality weights where the table of the next priority is empty', async () => {
  const file = folder.file('next.yaml', text(WEIGHT, '\n      priority: 1'));
  const why = 'locality of priority 1 has a load_balancing_weight, so its RING_HASH table is empty';
  const down = ['--unhealthy', 'zone=a'];
  expect(await said('run', file, ...down)).toContain(`: no ${why}.`);
  expect(await said('explain', file, ...down)).toContain(`No ${why}: no host is chosen.`);
  const whyNot = await said('explain', file, ...down, '--why-not', '10.1.0.1');
  expect(whyNot).toContain(`→ No ${why}.`);
  expect(whyNot).not.toContain('see lbsim ring');
  expect(await said('ring', file, ...down)).toContain(`priority 1: no entries: no ${why}.`);
  expect(await said('validate', file)).toContain(
    `next.yaml:11:7 warning clusters[0].load_assignment.endpoints[1] (no-locality-has-weight) no ${why}`,
  );
});

it('says that those with a weight have no host left', async () => {
  const file = folder.file('beside.yaml', text(WEIGHT, ''));
  expect(await said('run', file, '--unhealthy', 'zone=a')).toContain(
    'no locality with a load_balancing_weight has a host available, so the RING_HASH table is empty',
  );
});

it('says that a ring is to have no entry', async () => {
  const file = folder.file(
    'zero.yaml',
    `${text('', '')}  ring_hash_lb_config: {minimum_ring_size: 0}\n`.replace(/ +common.*\n/, ''),
  );
  const why = 'minimum_ring_size is 0, so the RING_HASH table is empty';
  expect(await said('run', file)).toContain(`: ${why}.`);
  expect(await said('explain', file)).toContain(`${why}: no host is chosen.`);
  expect(await said('ring', file)).toContain(`no entries: ${why}.`);
});

it('says nothing where a table has hosts', async () => {
  const file = folder.file('weighted.yaml', text(WEIGHT, `\n      priority: 1${WEIGHT}`));
  expect(await said('run', file, '--unhealthy', 'zone=a')).not.toContain('is empty');
  expect(await said('validate', file)).not.toContain('no-locality-has-weight');
});
