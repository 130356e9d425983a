import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NameServer, startNameServer } from '../../src/real-proxy/name-server.js';

const resolver = new Resolver({ tries: 1 });
let server: NameServer;
beforeAll(async () => {
  server = await startNameServer();
  resolver.setServers([`127.0.0.1:${server.port}`]);
  server.replace(
    new Map([
      ['Two.test', { addresses: ['127.1.0.2', '127.1.0.1'], ttlUs: undefined }],
      ['none.test', { addresses: [], ttlUs: undefined }],
      ['fails.test', { fail: true }],
    ]),
  );
});
afterAll(() => server.stop());

describe('a name server on loopback', () => {
  it('answers with the addresses of a name, in their order, to be forgotten at once', async () => {
    expect(await resolver.resolve4('two.TEST', { ttl: true })).toEqual([
      { address: '127.1.0.2', ttl: 0 },
      { address: '127.1.0.1', ttl: 0 },
    ]);
  });

  it.each([
    ['an empty answer', 'none.test', 'ENODATA'],
    ['a failure', 'fails.test', 'ESERVFAIL'],
    ['a name that it does not know', 'other.test', 'ENOTFOUND'],
  ])('tells %s from the others', async (_, name, code) => {
    await expect(resolver.resolve4(name)).rejects.toMatchObject({ code });
  });

  it('has no addresses of IPv6', async () => {
    await expect(resolver.resolve6('two.test')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('knows who was asked for since its answers were replaced', async () => {
    server.replace(new Map([['one.test', { addresses: ['127.1.0.1'], ttlUs: undefined }]]));
    expect(server.wasAsked('one.test')).toBe(false);
    await resolver.resolve4('one.test');
    expect(server.wasAsked('One.test.')).toBe(true);
    await expect(resolver.resolve4('two.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
