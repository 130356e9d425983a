import { TEXT } from './generated/index.js';
import { own, type JsonValue } from '../../core/values.js';
import { PAGES } from './generated/pages.js';
import { escaped, printable } from '../../core/printable.js';
import { microsToSeconds } from '../../core/units.js';
import { someOf } from '../../core/words.js';
import { proxyCalled } from '../../report/format.js';
import { encode } from '../../config/write.js';
import { Node } from '../../config/core.js';
import { messageWithoutSecrets } from '../../scenario/secrets.js';
import type { Proxy } from '../../simulation/proxy.js';
import type { Scenario } from '../../scenario/model.js';
import type { Simulation } from '../../words/library.js';

export interface RunView {
  readonly scenario: Scenario;
  readonly simulation: Simulation;
  /** The run is over, and its final state is served. */
  readonly state: 'running' | 'over';
  /** 1, and more where the scenario is repeated. */
  readonly run: number;
  /** Wall-clock time of virtual time 0, RFC 3339. */
  readonly startedAt: string;
  readonly lbsimVersion: string;
}

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

/** A page, and what its query parameters mean, by name. */
export interface PageHelp extends Readonly<Record<string, string>> {
  readonly path: string;
  readonly help: string;
}

/** `/help`, and the answer to an unknown path. */
export function helpText(proxies: readonly string[]): string {
  let text = 'pages are:\n  /: this list with links\n  /help: this list\n';
  for (const { path, help, ...parameters } of Object.values<PageHelp>(PAGES)) {
    text += `  ${path}: ${help}\n`;
    for (const [name, meaning] of Object.entries(parameters)) text += `      ${name}: ${meaning}\n`;
  }
  const [first = '', ...others] = proxies;
  if (others.length === 0) return text;
  const about = `they are about ${proxyCalled(first)}; /proxies/<name>/… is about one of: ${proxyNames(proxies)}`;
  return `${text}${about}\n`;
}

/** This many are named; the index page has them all. */
const NAMED_PROXIES = 20;

export const proxyNames = (proxies: readonly string[]): string => someOf(proxies.map(printable), NAMED_PROXIES);

export function indexPage({ scenario, simulation, state, run }: RunView, hasPlayground: boolean): string {
  const sections = simulation.proxies.map(({ name }, index) => {
    const prefix = index === 0 ? '' : `/proxies/${encodeURIComponent(name)}`;
    const rows = Object.values<PageHelp>(PAGES).map(
      ({ path, help }) => `<tr><td><a href="${prefix}${path}">${prefix}${path}</a></td><td>${help}</td></tr>`,
    );
    return `<h2>${escaped(printable(proxyCalled(name)))}</h2>\n<table>\n${rows.join('\n')}\n</table>`;
  });
  const time = `${microsToSeconds(simulation.nowUs).toFixed(3)} s of virtual time`;
  const course = state === 'running' ? `running, at ${time}` : `over after ${time}`;
  const playground = '<p><a href="/playground/">/playground/</a> shows this scenario in pictures.</p>';
  const parts = {
    SCENARIO: escaped(printable(scenario.name)),
    COURSE: `Run ${run}, seed ${escaped(printable(scenario.seed))}: ${course}`,
    SECTIONS: [...(hasPlayground ? [playground] : []), ...sections].join('\n'),
  };
  return TEXT.replace(/SCENARIO|COURSE|SECTIONS/g, (name) => own(parts, name) ?? '');
}
