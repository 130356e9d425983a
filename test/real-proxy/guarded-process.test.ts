import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { versionOf } from '../../src/real-proxy/guarded-process.js';

const root = join(import.meta.dirname, '../..');
const stubborn = join(import.meta.dirname, 'stubborn.mjs');

/** Every stand-in is connected to it until it is gone. */
let server: Server;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env['STUBBORN_PORT'] = String((server.address() as AddressInfo).port);
});

afterEach(() => {
  server.close();
  delete process.env['STUBBORN_PORT'];
  delete process.env['STUBBORN'];
});

async function connected(): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => {});
  return socket.resume();
}

describe('asking a binary for its version', () => {
  it('ends one that ignores to be told to end', async () => {
    const begun = connected();
    const limit = new AbortController();
    const answer = versionOf(stubborn, limit.signal);
    const gone = once(await begun, 'close');
    limit.abort();
    expect(await answer).toEqual({ reason: 'this is no Envoy: it does not answer --version' });
    await gone;
  });

  it('does not wait for a child that has the output open, and ends it', async () => {
    process.env['STUBBORN'] = 'parent';
    const sockets: Socket[] = [];
    const both = new Promise<void>((resolve) => {
      server.on('connection', (socket) => {
        sockets.push(socket.on('error', () => {}).resume());
        if (sockets.length === 2) resolve();
      });
    });
    const answer = versionOf(stubborn);
    await both;
    const gone = Promise.all(sockets.map((socket) => once(socket, 'close')));
    // The first one may end now: the other one is there.
    for (const socket of sockets) socket.write('.');
    expect(await answer).toBe('1.40.0');
    await gone;
  });

  it.each([
    ['there is no such file', join(root, 'none')],
    ['it cannot be executed', join(root, 'package.json')],
    ['this is no Envoy: its --version says another thing', process.execPath],
  ])('says that %s', async (reason, file) => {
    expect(await versionOf(file)).toEqual({ reason });
  });
});

describe('a guarded process', () => {
  it.each(['SIGKILL', 'SIGHUP'] as const)('is gone with its folder when ours ends by %s', async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'lbsim-guarded-'));
    const begun = connected();
    const script = `
      import { GuardedProcess } from './src/real-proxy/guarded-process.ts';
      new GuardedProcess(${JSON.stringify(stubborn)}, [], { folder: ${JSON.stringify(folder)}, mostWords: 100 });
    `;
    const ours: ChildProcess = spawn(
      process.execPath,
      ['--import', './scripts/typescript-register.mjs', '--input-type=module', '--eval', script],
      { cwd: root, stdio: 'inherit' },
    );
    const gone = once(await begun, 'close');
    ours.kill(signal);
    await gone;
    await expect.poll(() => existsSync(folder)).toBe(false);
  });
});
