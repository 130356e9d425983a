/** `node scripts/papers.mjs`: docs/papers.md, of runs of every paper. Takes minutes; test/papers.test.ts looks whether it is current. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.mjs';

const INTRODUCTION = `# Published tables, and ours

For readers of papers and of the proxy's documentation: each published table that we found, beside what comes out here.

\`lbsim paper\` lists them and \`lbsim paper NAME\` runs one; each is a scenario of [docs/papers/](papers/) with its citation. Behind ± is half of the 95 % confidence
interval over runs with seeds of their own: \`--replications 100\` narrows it, and \`--json\` has all digits. A row *agrees* where the published figure lies within
that, and within what it may be off itself: its last digit, or the distance of a hundred hosts from infinitely many. *published* are figures that stand in the
source; *by formula* is what its formula gives, or what follows from its figures. Written by \`node scripts/papers.mjs\`.
`;

const main = ['--import', './scripts/typescript-register.mjs', 'src/cli/main.ts', 'paper', 'all', '--markdown'];
const { status, stdout, stderr } = spawnSync(process.execPath, main, { cwd: root, encoding: 'utf8' });
if (status !== 0 && status !== 1) {
  process.stderr.write(stderr);
  process.exit(status ?? 1);
}
writeFileSync(join(root, 'docs/papers.md'), `${INTRODUCTION}\n${stdout.trimEnd()}\n`);
process.exit(status);
