import type { FuzzCrash } from '../analysis/fuzz/fuzz-result.js';
import { bootstrapMessage, hostListener } from '../analysis/verify/bootstrap-message.js';
import { assignedByFile, assignmentFile, assignmentMessage, clusterNameOf } from '../analysis/verify/stages.js';
import { addressesIn } from '../analysis/verify/cluster-message.js';
import { assert } from '../core/assert.js';
import type { Mix, MixProxy } from '../testing/mix/mix.js';
import { reportHeaders } from './answering-hosts.js';
import { headersOf } from './both-sides.js';
import { fileOf, mixStages, placeByAddress } from './mix-question.js';

const BOOTSTRAP = 'bootstrap.json';
const ADMIN = 9901;
const PORT = 10000;

/** What makes a proxy fall at this mix without lbsim: hosts are listeners of the same proxy. */
export async function crashOf(proxy: MixProxy, one: Mix, requests: number): Promise<FuzzCrash> {
  const stages = await mixStages(proxy, [one], placeByAddress, async () => {});
  const [start] = stages;
  assert(start !== undefined, 'a mix has no stage');
  const addresses = new Set(addressesIn(fileOf(proxy, [one])));
  const listeners = [...addresses].map((address) => {
    const { status, report } = proxy.answers[address] ?? { status: 200 };
    return hostListener(address, Number(placeByAddress(address).split(':')[1]), status, reportHeaders(report));
  });
  const { clusters, first } = assignedByFile(start.clusters, stages);
  const bootstrap = bootstrapMessage(clusters, start.spec, start.traffic, undefined, {
    admin: ADMIN,
    port: PORT,
    listeners,
  });
  const files = new Map([[BOOTSTRAP, `${JSON.stringify(bootstrap, undefined, 2)}\n`]]);
  const write = (file: string, version: number, assignment: (typeof first)[number]): void => {
    files.set(file, `${JSON.stringify(assignmentMessage(assignment, version), undefined, 2)}\n`);
  };
  for (const assignment of first) write(fileNameOf(assignment), 1, assignment);
  const commands = [
    `\${ENVOY:-envoy} -c ${BOOTSTRAP} --concurrency ${start.spec.workers} --disable-hot-restart -l error &`,
    `until curl -sf -o /dev/null http://127.0.0.1:${ADMIN}/ready; do sleep 0.1; done`,
  ];
  for (const [index, { updates, traffic }] of stages.entries()) {
    for (const assignment of updates) {
      const name = fileNameOf(assignment);
      const next = name.replace(/json$/, `${index + 1}.json`);
      write(next, index + 1, assignment);
      commands.push(`mv ${next} ${name}`);
    }
    for (const [number, stream] of traffic.entries()) {
      const headers = Object.entries(headersOf(stream, number, 0)).map(([name, value]) => `-H '${name}: ${value}'`);
      commands.push(
        `for i in $(seq ${requests}); do curl -s -o /dev/null ${headers.join(' ')} http://127.0.0.1:${PORT}/; done`,
      );
    }
  }
  return { files: Object.fromEntries(files), commands };
}

function fileNameOf(assignment: Parameters<typeof clusterNameOf>[0]): string {
  return assignmentFile(clusterNameOf(assignment)).replace('./', '');
}
