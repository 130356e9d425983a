import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of its own for a test file. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'lbsim-test-'));

  /** Writes a file, in folders that it names, and gives its path. */
  file(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Two hosts, ten requests each. */
export const SMALL = `
name: small
clusters: [{name: backend, lb_policy: ROUND_ROBIN}]
endpoints: {backend: ["10.0.0.1:80", "10.0.0.2:80"]}
workloads: [{name: users, cluster: backend, arrivals: {constant: 20/s}, stop: 1s, hash_key: {sequence: {keys: 5, prefix: k}}}]
`;
