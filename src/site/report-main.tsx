import { render } from 'preact';
import { app } from './app-state.js';
import { carried } from './packed.js';
import { bindKeys } from './key-bindings.js';
import { visible } from './number-format.js';
import { initialSpeed } from './player.js';
import { type Report, unpackReport } from './report.js';
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
  show(report, root);
}

function show(report: Report, root: HTMLElement): void {
  bindKeys();
  const pair = pairOf(report);
  const run = report.sides[0]?.picture;
  // Two sides are on one clock.
  const pinned = pair && { subject: { files: [], overrides: {} }, run: pair.b };
  app.set({ run, pinned, speed: initialSpeed(Math.max(run?.durationS ?? 0, pair?.b.durationS ?? 0)) });
  const { sweep } = report;
  document.title = `${visible(sweep?.sweep.scenario ?? run?.scenario ?? '')} – lbsim report`;
  render(sweep === undefined ? <ReportPage report={report} /> : <SweepPage report={report} picture={sweep} />, root);
}

void start();
