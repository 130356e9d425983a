import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** As a file holds it. */
export type Scenario = Readonly<Record<string, unknown>>;

export interface Cost {
  /** Of CPU, on all threads. */
  readonly ms: number;
  readonly megabytes: number;
}

const TELL = 'process.on("exit", () => process.stderr.write(`\\n${JSON.stringify(process.resourceUsage())}`))';

/**
 * What a start of Node costs from its first instruction to its end: nothing is warm, memory is that process's alone, and
 * no compiled code is kept from one to the next.
 */
export function costOf(args: readonly string[], input = ''): Cost {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`, ...args],
    {
      input,
      stdio: ['pipe', 'ignore', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  );
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  const usage = JSON.parse(stderr.slice(stderr.lastIndexOf('\n'))) as NodeJS.ResourceUsage;
  return { ms: (usage.userCPUTime + usage.systemCPUTime) / 1000, megabytes: usage.maxRSS / 1000 };
}

/** The command of a build. */
export function commandOf(build: string): string {
  return join(build, 'dist/cli/main.js');
}

/** What `run` or `predict` cost from start to report as JSON: the least of two, since other work on the machine only adds. */
export function scenarioCost(command: 'run' | 'predict', scenario: Scenario, runs = 2): Cost {
  const args = [commandOf('.'), command, '-', '--json'];
  const costs = Array.from({ length: runs }, () => costOf(args, JSON.stringify(scenario)));
  return {
    ms: Math.min(...costs.map(({ ms }) => ms)),
    megabytes: Math.min(...costs.map(({ megabytes }) => megabytes)),
  };
}

/** The address of the host of this number. */
export function address(index: number): string {
  return `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}:80`;
}
