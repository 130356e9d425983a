import { spawnSync } from 'node:child_process';

/** As a file holds it. */
export type Scenario = Readonly<Record<string, unknown>>;

export interface Cost {
  /** Of CPU, on all threads. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** The fastest of so many counts: other work on the machine only ever adds. */
const RUNS = 2;

/**
 * What a command costs from start to report as JSON. A process of its own for each run: nothing is warm, and memory is that
 * run's alone.
 */
export function costOf(command: 'run' | 'predict', scenario: Scenario): Cost {
  const tell = 'process.on("exit", () => process.stderr.write(`\\n${JSON.stringify(process.resourceUsage())}`))';
  const args = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, 'dist/cli/main.js'];
  const costs = Array.from({ length: RUNS }, (): Cost => {
    const { status, stderr } = spawnSync(process.execPath, [...args, command, '-', '--json'], {
      input: JSON.stringify(scenario),
      stdio: ['pipe', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
    const usage = JSON.parse(stderr.slice(stderr.lastIndexOf('\n'))) as NodeJS.ResourceUsage;
    return { seconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6, megabytes: usage.maxRSS / 1000 };
  });
  return {
    seconds: Math.min(...costs.map(({ seconds }) => seconds)),
    megabytes: Math.min(...costs.map(({ megabytes }) => megabytes)),
  };
}

/** The address of the host of this number. */
export function address(index: number): string {
  return `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}:80`;
}
