import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHROMIUM, CHROMIUM_FLAGS, hasChromium, warnWithoutChromium } from '../support/chromium.js';
import { dashboardSink, Served, UNIX_S } from './served.js';

const installed = hasChromium;
warnWithoutChromium('the dashboard stream in a real browser');

/** Three 200s and a 503 in the second interval, all within 20 ms. */
const SCENARIO = {
  duration: '10s',
  proxies: [{ name: 'edge', version: '1.40', stats_flush_interval: '2s', stats_sinks: [dashboardSink(3)] }],
  clusters: [{ name: 'backend', circuit_breakers: { thresholds: [{ max_pending_requests: 33 }] } }],
  endpoints: { backend: ['10.0.0.1:80', '10.0.0.2:80'] },
  timeline: [{ at: '3.5s', set_behavior: { hosts: { cluster: 'backend' }, error_rate: '100%' } }],
  requests: ['3s', '3.1s', '3.2s', '3.6s'].map((at) => ({ at, cluster: 'backend', service_time: '20ms' })),
};

const profile = join(tmpdir(), 'lbsim-browser-');
let directory = '';
let served: Served | undefined;
let browser: BrowserContext | undefined;
beforeAll(async () => {
  if (!installed) return;
  directory = mkdtempSync(profile);
  served = await Served.start(SCENARIO);
  browser = await chromium.launchPersistentContext(directory, {
    executablePath: CHROMIUM,
    args: CHROMIUM_FLAGS,
    timeout: 0,
  });
  // Of a test that hangs vitest takes care.
  browser.setDefaultTimeout(0);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  if (directory !== '') rmSync(directory, { recursive: true, force: true });
});

it.runIf(installed)('an EventSource in Chromium gets every field of every event', async () => {
  if (served === undefined || browser === undefined) throw new Error('nothing was started');
  const page = await browser.newPage();
  await page.goto(`${served.admin.url}/ready`);
  await page.evaluate(() => {
    const source = new EventSource('/dashboard_event_stream');
    const got: unknown[] = [];
    Object.assign(globalThis, { got, source });
    source.onmessage = ({ data }: { readonly data: unknown }) => got.push(JSON.parse(String(data)));
    return new Promise((resolve) => (source.onopen = resolve));
  });
  served.advance(2);
  served.advance(4);
  await page.waitForFunction('globalThis.got.length === 4');
  const events = await page.evaluate<Record<string, unknown>[]>('globalThis.got');

  const zeros = (names: string): object => Object.fromEntries(names.split(' ').map((name) => [name, 0]));
  const command = {
    type: 'HystrixCommand',
    name: 'backend',
    group: 'NA',
    isCircuitBreakerOpen: false,
    ...zeros('rollingCountCollapsedRequests rollingCountExceptionsThrown rollingCountFallbackFailure'),
    ...zeros('rollingCountFallbackRejection rollingCountFallbackSuccess rollingCountResponsesFromCache'),
    ...zeros('rollingCountSemaphoreRejected rollingCountShortCircuited rollingCountThreadPoolRejected'),
    ...zeros('rollingCountTimeout rollingCountBadRequests currentConcurrentExecutionCount'),
    latencyExecute_mean: 'null',
    ...zeros(
      'propertyValue_circuitBreakerRequestVolumeThreshold propertyValue_circuitBreakerSleepWindowInMilliseconds',
    ),
    propertyValue_circuitBreakerErrorThresholdPercentage: 0,
    propertyValue_circuitBreakerForceOpen: false,
    propertyValue_circuitBreakerForceClosed: true,
    propertyValue_executionIsolationStrategy: 'SEMAPHORE',
    propertyValue_executionIsolationThreadTimeoutInMilliseconds: 0,
    propertyValue_executionIsolationThreadInterruptOnTimeout: false,
    propertyValue_executionIsolationSemaphoreMaxConcurrentRequests: 33,
    propertyValue_fallbackIsolationSemaphoreMaxConcurrentRequests: 0,
    propertyValue_requestCacheEnabled: false,
    propertyValue_requestLogEnabled: true,
    reportingHosts: 2,
    propertyValue_metricsRollingStatisticalWindowInMilliseconds: 2000,
  };
  const counts = zeros('errorPercentage errorCount requestCount rollingCountFailure rollingCountSuccess');
  const pool = {
    type: 'HystrixThreadPool',
    name: 'backend',
    ...zeros('currentPoolSize rollingMaxActiveThreads currentActiveCount currentCompletedTaskCount'),
    ...zeros('currentLargestPoolSize currentCorePoolSize currentQueueSize currentTaskCount'),
    ...zeros('rollingCountThreadsExecuted currentMaximumPoolSize'),
    propertyValue_queueSizeRejectionThreshold: 33,
    reportingHosts: 2,
    propertyValue_metricsRollingStatisticalWindowInMilliseconds: 2000,
  };
  expect(events).toEqual([
    { ...command, ...counts, currentTime: UNIX_S + 2, latencyExecute: {} },
    pool,
    {
      ...command,
      currentTime: UNIX_S + 4,
      errorPercentage: 25,
      errorCount: 1,
      requestCount: 4,
      rollingCountFailure: 1,
      rollingCountSuccess: 3,
      // Four times of 20 ms lie evenly in the bin from 20 to 21.
      latencyExecute: { 0: 20.2, 25: 20.2, 50: 20.4, 75: 20.6, 90: 20.8, 95: 20.8, 99: 20.8, 99.5: 20.8, 100: 20.8 },
    },
    pool,
  ]);

  // The page leaves, and the server notices.
  await page.close();
  while (served.admin.streams.watching(0) > 0) await new Promise(setImmediate);
});

it.runIf(installed)('a page of another origin reads nothing', async () => {
  if (served === undefined || browser === undefined) throw new Error('nothing was started');
  const page = await browser.newPage();
  // `localhost` and `127.0.0.1` are the same server and two origins.
  await page.goto(`http://localhost:${served.port}/ready`);
  const outcome = await page.evaluate(async (url) => {
    const stream = new Promise((resolve) => {
      const source = new EventSource(`${url}/dashboard_event_stream`);
      source.onopen = () => resolve('open');
      source.onerror = () => resolve('refused');
    });
    const text = fetch(`${url}/clusters`).then(
      () => 'read',
      () => 'refused',
    );
    return Promise.all([stream, text]);
  }, served.admin.url);
  expect(outcome).toEqual(['refused', 'refused']);
  await page.close();
});
