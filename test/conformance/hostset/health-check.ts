import type { ProxyVersion } from '../../../src/core/version.js';
import { edsHealthFlags, Host } from '../../../src/host/host.js';
import { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';
import type { CaseOutcome } from '../outcome.js';
import { compareHealth, readFlags, readStatus } from './health-check-flags.js';
import { MemberList } from './health-check-members.js';
import { CheckedHost } from './health-check-results.js';

/** Replays one vector of active health checking, of one of three kinds: results, health by flags, members. */
export function runHealthCheckVector(vector: Fields, version: ProxyVersion): CaseOutcome {
  const check = new Check();
  const name = vector.string('name');
  vector.ignore('profiles', 'source', 'derived', 'docs_say', 'note');
  const kind = vector.optionalString('kind');
  switch (kind) {
    case undefined: {
      const host = new CheckedHost(vector, version, check);
      vector.objects('steps').forEach((step, index) => host.replay(step, `steps[${index}]`));
      break;
    }
    case 'coarse_health':
      vector.objects('rows').forEach((row, index) => compareRow(row, `rows[${index}]`, version, check));
      break;
    case 'membership': {
      const list = new MemberList(vector.object('config'), version, check);
      vector.objects('steps').forEach((step, index) => list.replay(step, `steps[${index}]`));
      break;
    }
    default:
      throw new FormatError(`unknown kind ${JSON.stringify(kind)}`);
  }
  vector.end();
  return check.outcome(name, version);
}

function compareRow(row: Fields, where: string, version: ProxyVersion, check: Check): void {
  row.ignore('note');
  const status = readStatus(row.optionalString('eds_health_status'), row.path);
  const flags = readFlags(row.optionalStrings('flags') ?? [], row.path) | edsHealthFlags(status, version);
  compareHealth(new Host({ address: '127.0.0.1:80', flags }), row, where, check);
  row.end();
}
