#!/usr/bin/env node
/**
 * Stands for a binary that does not end: it ignores the signals that ask it to, and is connected to the port
 * $STUBBORN_PORT of loopback until it is gone. Asked by `STUBBORN=parent` it says a version at once and leaves such a child, which
 * has its output open.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

if (process.env['STUBBORN'] === 'parent') {
  const env = { ...process.env, STUBBORN: '' };
  spawn(process.execPath, [import.meta.filename], { env, stdio: 'inherit' });
  process.stdout.write('envoy  version: 0123456789abcdef/1.40.0/Clean/RELEASE/BoringSSL\n', () => {
    connect(Number(process.env['STUBBORN_PORT']), '127.0.0.1').on('data', () => process.exit(0));
  });
} else {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {});
  connect(Number(process.env['STUBBORN_PORT']), '127.0.0.1').resume();
}
