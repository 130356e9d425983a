import { createHash } from 'node:crypto';

import type { TableDescription } from '../../../src/hostset/generated/descriptions.js';
import type { LoadBalancer } from '../../../src/hostset/load-balancer.js';

import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';

/** Compares whatever `fields` says of the table of the last priority that has one. */
export function compareTable(check: Check, balancer: LoadBalancer, fields: Fields, where: string): void {
  for (const key of ['expected_table', 'expect_table']) {
    if (!fields.has(key)) continue;
    check.equal('table', tableEntries(tableOf(balancer)), fields.list(key), `${where}: table`);
  }
  if (fields.has('expected_table_sha256')) {
    const lines = tableEntries(tableOf(balancer)).join('\n');
    const digest = createHash('sha256').update(lines).digest('hex');
    check.equal('table', digest, fields.string('expected_table_sha256'), `${where}: digest of the table`);
  }
  if (fields.has('expected_ring_keys')) {
    check.equal('table', ringKeys(tableOf(balancer)), fields.list('expected_ring_keys'), `${where}: ring`);
  }
  if (fields.has('expect_table_size')) {
    check.equal('table', tableEntries(tableOf(balancer)).length, fields.number('expect_table_size'), `${where}: size`);
  }
}

function tableOf(balancer: LoadBalancer): TableDescription {
  const tables = balancer.describe().priorities.map(({ table }) => table);
  const table = tables.findLast((one) => one !== undefined && one.hosts.length > 0) ?? tables[0];
  if (table === undefined) throw new FormatError('this policy keeps no table');
  return table;
}

/** A ring as {hash, address}, a Maglev table as addresses. */
function tableEntries(description: TableDescription): readonly unknown[] {
  const { hosts } = description;
  if (description.policy.name === 'MAGLEV') {
    return Array.from(description.policy.entries(description.table), ({ host }) => hosts[host]?.address);
  }
  return ringEntries(description).map(({ hash, host }) => ({ hash, address: hosts[host]?.address }));
}

function ringKeys(description: TableDescription): readonly unknown[] {
  return ringEntries(description).map(({ hash, host }) => ({ hash, key: description.weighted.keys[host] }));
}

function ringEntries(description: TableDescription): readonly { readonly hash: string; readonly host: number }[] {
  const { policy, table } = description;
  if (policy.name !== 'RING_HASH') throw new FormatError('this policy keeps no ring');
  return Array.from(policy.entries(table), ({ position, host }) => ({ hash: position, host }));
}
