import { Node } from '../../config/core.js';
import { messageWithoutSecrets } from '../../scenario/secrets.js';
import { encode } from '../encode.js';
import type { JsonValue } from '../../core/json-value.js';
import { microsToSeconds } from '../../core/units.js';
import type { Proxy } from '../../simulation/proxy.js';
import type { RunView } from '../run-view.js';

/** `/server_info`: the proxy's admin.v3.ServerInfo, with the details of the simulation under `lbsim`. */
export function serverInfo(proxy: Proxy, { scenario, simulation, state, lbsimVersion, run }: RunView): JsonValue {
  const { spec } = proxy;
  const uptime = `${Math.floor(microsToSeconds(simulation.nowUs))}s`;
  return {
    version: `lbsim-${lbsimVersion}/${spec.version}.0/Clean/RELEASE/none`,
    state: 'LIVE',
    uptime_current_epoch: uptime,
    uptime_all_epochs: uptime,
    command_line_options: { concurrency: spec.workers, mode: 'Serve', restart_epoch: 0 },
    ...(spec.node === undefined ? {} : { node: messageWithoutSecrets(encode(Node, spec.node), Node, 'v2') }),
    lbsim: {
      scenario: scenario.name,
      seed: scenario.seed,
      proxy: proxy.name,
      behaves_as: spec.version,
      virtual_time_s: microsToSeconds(simulation.nowUs),
      run,
      state,
    },
  };
}
