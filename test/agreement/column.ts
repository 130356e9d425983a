import type { FuzzFeature } from '../../src/analysis/fuzz/fuzz-result.js';
import { MODERN_PROXY_VERSION } from '../../src/core/version.js';
import type { ProxyBinary } from '../../src/real-proxy/guarded-process.js';
import { fuzz } from '../../src/real-proxy/fuzz.js';
import { ProxyFails } from '../../src/real-proxy/proxy-process.js';
import { verify } from '../../src/real-proxy/verify.js';
import { loadScenario } from '../../src/scenario/load.js';

/** How much of one feature a proxy and lbsim decide alike. */
export interface Agreement {
  readonly feature: string;
  /** Mixes or scenarios that both sides decided. */
  readonly tried: number;
  /** Of these: decided alike. */
  readonly decided: number;
  /** Of these: with the same statistics. */
  readonly counted: number;
  /** The proxy does not take them, or ends at them. */
  readonly refused: number;
}

/** One version of the proxy. */
export interface AgreementColumn {
  readonly version: string;
  readonly rows: readonly Agreement[];
}

export interface AgreementOptions {
  /** Shipped scenarios, as files with their texts. */
  readonly scenarios: readonly { readonly file: string; readonly text: string }[];
  /** Random mixes, with and without a timeline, and with routes. */
  readonly mixes: number;
  readonly timelines: number;
  readonly routes: number;
  readonly seed: number;
  readonly requests: number;
}

const NAMES = { timelines: 'updates by EDS', routes: 'routes' };

const pause = async (): Promise<void> => {};

/** Puts scenarios and mixes to one binary. */
export async function agreementWith(binary: ProxyBinary, options: AgreementOptions): Promise<AgreementColumn> {
  const rows = [await scenariosOf(binary, options)];
  for (const kind of ['mixes', 'timelines', 'routes'] as const) {
    const runs = options[kind];
    if (runs === 0) continue;
    const { features } = await fuzz({
      ...{ binary, runs, pause, requests: options.requests, seed: options.seed, shrinkMs: 0 },
      ...{ timelines: kind === 'timelines', routes: kind === 'routes' },
      ...{ found: () => Promise.resolve(undefined), isOver: () => false },
    });
    const found = features.map(rowOf);
    rows.push(...(kind === 'mixes' ? found : [allOf(NAMES[kind], found)]));
  }
  return { version: binary.version, rows };
}

async function scenariosOf(binary: ProxyBinary, { scenarios, requests }: AgreementOptions): Promise<Agreement> {
  let [tried, decided, counted, refused] = [0, 0, 0, 0];
  for (const source of scenarios) {
    const { scenario } = loadScenario(source, { proxyVersion: MODERN_PROXY_VERSION });
    if (scenario === undefined) throw new Error(`${source.file} is refused`);
    try {
      const { situations, agrees } = await verify(scenario, { binary, requests, pause });
      if (situations.length === 0) continue;
      tried++;
      if (situations.every(({ splits }) => splits.every((split) => split.agrees))) decided++;
      if (agrees) counted++;
    } catch (error) {
      if (!(error instanceof ProxyFails)) throw error;
      refused++;
    }
  }
  return { feature: 'shipped scenarios', tried, decided, counted, refused };
}

function rowOf(found: FuzzFeature): Agreement {
  const tried = found.tried - found.refused_there;
  const decided = tried - found.decided_otherwise;
  return {
    feature: found.feature,
    tried,
    decided,
    counted: decided - found.counted_otherwise,
    refused: found.refused_there,
  };
}

/** Each mix has one policy. */
function allOf(feature: string, rows: readonly Agreement[]): Agreement {
  const policies = rows.filter((row) => /^[A-Z_]+$/.test(row.feature));
  const sum = (value: (row: Agreement) => number): number => policies.reduce((all, row) => all + value(row), 0);
  return {
    feature,
    tried: sum(({ tried }) => tried),
    decided: sum(({ decided }) => decided),
    counted: sum(({ counted }) => counted),
    refused: sum(({ refused }) => refused),
  };
}
