import { expect, it } from 'vitest';
import { AnsweringHosts, HOST_HEADER } from '../../src/real-proxy/answering-hosts.js';
import { hasLoopbackNet } from '../../src/real-proxy/guarded-process.js';

const isNet = await hasLoopbackNet();

it.skipIf(!isNet)('gives hosts of DNS addresses of their own, and all of one port another one together', async () => {
  const named = new Set(['10.0.0.1:80', '10.0.0.2:80', '10.0.0.1:8080']);
  const hosts = await AnsweringHosts.start(new Set(['10.0.0.1:80', '10.0.0.9:80']), named);
  try {
    const port = hosts.portAt('80');
    expect([...named].map((address) => hosts.at(address))).toEqual([
      `127.1.0.1:${port}`,
      `127.1.0.2:${port}`,
      `127.1.0.1:${hosts.portAt('8080')}`,
    ]);
    expect(hosts.ipAt('10.0.0.2')).toBe('127.1.0.2');
    expect(hosts.at('10.0.0.9:80')).toMatch(/^127\.0\.0\.1:\d+$/);
    for (const address of [...named, '10.0.0.9:80']) {
      const answer = await fetch(`http://${hosts.at(address)}`);
      expect(hosts.ownOf(answer.headers.get(HOST_HEADER) ?? '')).toBe(address);
    }
    expect(hosts.at('10.9.9.9:80')).toBe('10.9.9.9:80');
  } finally {
    await hosts.stop();
  }
});

it('becomes what a host becomes: failing, silent, slow, and away for a while', async () => {
  const hosts = await AnsweringHosts.start(new Set(['10.0.0.1:80']));
  const ask = async (headers: Readonly<Record<string, string>> = { 'x-lbsim-traffic': '0' }): Promise<number> => {
    const answer = await fetch(`http://${hosts.at('10.0.0.1:80')}`, { headers, signal: AbortSignal.timeout(300) });
    return answer.status;
  };
  try {
    expect(await ask()).toBe(200);
    await hosts.become('10.0.0.1:80', { errorRate: 1, errorStatus: 418, healthCheck: 503 });
    expect([await ask(), await ask({})]).toEqual([418, 503]);
    expect(hosts.checkedMs).toHaveLength(1);
    await hosts.become('10.0.0.1:80', { down: 'hang' });
    await expect(ask()).rejects.toThrow('aborted');
    await hosts.become('10.0.0.1:80', { down: 'refuse' });
    await expect(ask()).rejects.toThrow('fetch failed');
    await hosts.become('10.0.0.1:80', { serviceTime: { kind: 'constant', value: 600_000 } });
    await expect(ask()).rejects.toThrow('aborted');
    // The connection ends when the answer would have come.
    await hosts.become('10.0.0.1:80', { serviceTime: { kind: 'constant', value: 600_000 }, closes: 'instead' });
    await expect(ask()).rejects.toThrow('aborted');
    await hosts.become('10.0.0.1:80', { closes: 'instead' });
    await expect(ask()).rejects.toThrow('fetch failed');
    await hosts.become('10.0.0.1:80', {});
    expect(await ask()).toBe(200);
  } finally {
    await hosts.stop();
  }
});
