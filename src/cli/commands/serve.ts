import { fileURLToPath } from 'node:url';
import { printableLines, proxyCalled } from '../../report/format.js';
import { inputLines } from '../../report/layout.js';
import { inputOf } from '../../scenario/origin.js';
import { createSimulation, type Simulation } from '../../words/library.js';
import type { StatsObserver } from '../../simulation/stats/stats-feed.js';
import { AdminServer } from '../../web/admin-server.js';
import type { Site } from '../../web/routes.js';
import type { RunView } from '../../web/pages/index-page.js';
import { reasonOf, type Session, systemReason, UsageError, type Work } from '../session.js';
import { Interrupt } from '../long-work.js';
import { packageVersion, SCENARIOS } from '../package-root.js';
import { drive } from '../runs/run-slices.js';
import type { Pace } from '../program/option-values.js';
import { LiveView } from '../runs/live-view.js';
import { type Carried, playgroundWith, sharedOf } from '../output/page-files.js';
import { refuseDeadSinks, RunStats } from '../runs/run-stats.js';
import { readRunnable } from '../input/scenario-file.js';
import { codeOf, report } from './run.js';
import type { ServeOptions } from '../program/generated/commands.js';

/** With more event streams than this, only the index page is printed. */
const LISTED_STREAMS = 5;
const MIN_IDLE_FLUSH_MS = 100;

/** `lbsim serve [FILE]`; without one, the showcase. */
export const serveCommand: Work<'serve'> = async (given, options, session) => {
  const file = given ?? fileURLToPath(new URL('showcase.yaml', SCENARIOS));
  const asked = { ...options, statistics: true, advice: true };
  const { scenario, advice, sources, code, printProblems } = await readRunnable([file], asked, session);
  await printProblems();
  refuseDeadSinks(options, scenario, file);
  const stats = new RunStats(options, scenario, new Map(), session);
  const { io } = session;
  const server: { current?: AdminServer } = {};
  const observer: StatsObserver = {
    onFlush: (flush) => {
      server.current?.streams.onFlush(flush);
      stats.output?.onFlush(flush);
    },
    ...(stats.output === undefined ? {} : { onSample: stats.output.onSample }),
  };
  const start = (): Promise<Simulation> => createSimulation(scenario, { predict: true, stats: observer });
  const startedAt = new Date(io.unixMs()).toISOString();
  const about = { scenario, startedAt, lbsimVersion: packageVersion() };
  let view: RunView = { ...about, simulation: await start(), state: 'running', run: 1 };
  const site = await siteOf({ sources, options, code }, session);
  const admin = await listen(options, session, () => view, site);
  server.current = admin;
  const interrupt = new Interrupt(io);
  try {
    await stats.start(view.simulation);
    await session.err.write(
      `${[...inputLines(inputOf(scenario).input, Infinity), ''].join('\n')}${whereText(admin, view.simulation, site)}`,
    );
    for (;;) {
      const { simulation } = view;
      const look = { name: scenario.name, admin, session, pace: options.pace, interrupt };
      const finished = await runLive(simulation, look);
      if (!finished || options.atEnd !== 'repeat' || interrupt.happened) {
        view = { ...view, state: finished ? 'over' : 'running' };
        if (!finished) simulation.abandon();
        const result = simulation.result();
        const context = { scenario, simulation, advice, elapsedS: 0 };
        await report(result, context, { ...(options.json === true && { json: true }) }, session);
        const code = await codeOf(result, finished, session);
        if (finished && options.atEnd === 'hold') await hold(view, { admin, session, pace: options.pace, interrupt });
        return code;
      }
      view = { ...view, simulation: await start(), run: view.run + 1 };
      admin.streams.restart();
    }
  } finally {
    interrupt.release();
    await admin.close();
    await stats.report();
  }
};

type Live = Readonly<{ admin: AdminServer; session: Session; pace: Pace; interrupt: Interrupt }>;

/** The playground, opening on the scenario. A scenario that is more than text has none: it says why. */
async function siteOf(carried: Carried, session: Session): Promise<Site> {
  try {
    return await playgroundWith(sharedOf(carried, 'the playground'));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await session.err.write(`lbsim: no playground: ${error.message}\n`);
    return new Map();
  }
}

async function listen(options: ServeOptions, session: Session, view: () => RunView, site: Site): Promise<AdminServer> {
  const { host, port, allowHost = [] } = options;
  const admin = new AdminServer({ host, port, allowedHosts: allowHost, site, unixMs: session.io.unixMs() }, view);
  try {
    await admin.listen();
  } catch (error) {
    const problem = systemReason(error, 'port') ?? reasonOf(error);
    throw new UsageError(`cannot listen on port ${port} of ${host}: ${problem}`);
  }
  return admin;
}

function whereText({ url, streams }: AdminServer, { proxies }: Simulation, site: Site): string {
  const of = proxies.length === 1 ? proxyCalled(proxies[0]?.name ?? '') : `${proxies.length} proxies`;
  let text = `lbsim: admin interface of ${of}: ${url}/\n`;
  if (site.size > 0) text += `lbsim: playground: ${url}/playground/\n`;
  const watched = [...proxies.keys()].filter((index) => streams.has(index));
  for (const index of watched.slice(0, LISTED_STREAMS)) {
    const { name } = proxies[index] ?? { name: '' };
    const prefix = index === 0 ? '' : `/proxies/${encodeURIComponent(name)}`;
    text += `lbsim: dashboard of ${name}: ${url}${prefix}/dashboard_event_stream\n`;
  }
  if (watched.length > LISTED_STREAMS) text += `lbsim: and ${watched.length - LISTED_STREAMS} more\n`;
  return printableLines(text);
}

/** Runs at the pace of the clock; true if the run ended by itself. */
async function runLive(
  simulation: Simulation,
  { name, admin, session, pace, interrupt }: Live & { readonly name: string },
): Promise<boolean> {
  const live = LiveView.on(session.io, name);
  try {
    return await drive(simulation, {
      monotonicMs: session.io.monotonicMs,
      pace,
      interrupt,
      // Lines of a flush are sent before the next one adds more.
      sliceEndUs: () => simulation.nextFlushUs,
      onSlice: async () => {
        await admin.settle();
        live?.update(simulation);
      },
    });
  } finally {
    live?.stop();
  }
}

/** After the end the proxies continue to flush, so that dashboards see them idle and not gone. */
async function hold({ simulation }: RunView, { admin, session, pace, interrupt }: Live): Promise<void> {
  const timers = simulation.proxies.map(({ spec }, index) => {
    const intervalMs = spec.statsFlushIntervalUs / 1000 / (pace === Infinity ? 1 : pace);
    let times = 0;
    return setInterval(
      () => {
        admin.streams.flushIdle(index, ++times);
        void admin.streams.settle();
      },
      Math.max(MIN_IDLE_FLUSH_MS, intervalMs),
    );
  });
  await session.err.write('lbsim: the run is over; its final state is served until Ctrl-C\n');
  await interrupt.promise;
  for (const timer of timers) clearInterval(timer);
}
