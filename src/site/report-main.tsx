import { render } from 'preact';
import { app, clock, durationOf } from './app-state.js';
import { tellingInstants } from './instant.js';
import { carried } from './packed.js';
import { bindKeys, initialSpeed } from './player.js';
import { visible } from './number-format.js';
import { unpackReport } from './report.js';
import { restoreTheme } from './view/theme-button.js';
import { pairOf, ReportPage } from './view/report-page.js';
import { SweepPage } from './view/sweep-page.js';

/** The page of a report that is read: without editor, levers and engine. */
async function start(): Promise<void> {
  restoreTheme();
  const root = document.getElementById('app');
  if (root === null) return;
  const report = await unpackReport(carried('report'));
  root.textContent = '';
  bindKeys();
  const pair = pairOf(report);
  const run = report.sides[0]?.picture;
  // Two sides are on one clock.
  const pinned = pair && { subject: { files: [], overrides: {} }, run: pair.b };
  const [telling] = run === undefined ? [] : tellingInstants(run);
  app.set({ run, pinned, cluster: telling?.cluster.name });
  app.set({ speed: initialSpeed(durationOf(app.now)) });
  clock.set({ t: telling?.t ?? 0 });
  const { sweep } = report;
  document.title = `${visible(sweep?.sweep.scenario ?? run?.scenario ?? '')} – lbsim report`;
  render(sweep === undefined ? <ReportPage report={report} /> : <SweepPage report={report} picture={sweep} />, root);
}

void start();
