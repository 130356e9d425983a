import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/index.js';
import type { Shared } from '../../src/site/link.js';
import { fromFragment, toFragment } from '../../src/site/link.js';

const fragmentOf = (text: string): string => `#s=${deflateRawSync(text).toString('base64url')}`;

describe('a link', () => {
  const shared: Shared = {
    files: [
      { file: 'a.yaml', text: 'name: "\u{1f389} </script>"\n' },
      { file: 'b.json', text: '{}' },
    ],
    overrides: { seed: '7', proxyVersion: '1.40' },
    at: 12.5,
  };

  it('says all that was put into it, in characters of an address', async () => {
    const fragment = await toFragment(shared);
    expect(fragment).toMatch(/^#s=[\w-]+$/);
    expect(await fromFragment(fragment)).toEqual(shared);
  });

  it('is none without our mark', async () => {
    expect(await fromFragment('')).toBeUndefined();
    expect(await fromFragment('#top')).toBeUndefined();
  });

  it.each(['#s=', '#s=%%%', '#s=AAAA', fragmentOf('x').slice(0, 5)])(
    'is refused where it is damaged: %s',
    async (text) => {
      await expect(fromFragment(text)).rejects.toThrow('damaged');
    },
  );

  it.each(['nonsense', '3', 'null', '{}', '{"files": []}', '{"files": [3]}', '{"files": [{"file": 3, "text": ""}]}'])(
    'is refused where it holds %s',
    async (text) => {
      await expect(fromFragment(fragmentOf(text))).rejects.toThrow('holds no scenario');
    },
  );

  it('takes from a stranger nothing but what it knows', async () => {
    const files = [{ file: 'a', text: 'b', module: 'evil.js' }];
    const fragment = fragmentOf(JSON.stringify({ files, overrides: { seed: 3, readFile: 'x' }, at: 'now' }));
    expect(await fromFragment(fragment)).toEqual({ files: [{ file: 'a', text: 'b' }], overrides: {} });
  });

  it('brings no policy module along: a module runs code', async () => {
    const text =
      'clusters: [{name: web, lb_policy: ./evil.mjs}]\nendpoints: {web: [10.0.0.1:80]}\nworkloads: [{cluster: web, arrivals: 1/s, stop: 1s}]\n';
    const overrides = { policies: { './evil.mjs': { name: 'EVIL' } }, allowCode: true };
    const fragment = fragmentOf(JSON.stringify({ files: [{ file: 'a.yaml', text }], overrides }));
    const found = await fromFragment(fragment);
    expect(found?.overrides).toEqual({});
    const { scenario, problems } = loadScenario(found?.files ?? [], { ...found?.overrides });
    expect(scenario).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('./evil.mjs is not loaded')]);
  });

  it('unfolds to so much and no more', async () => {
    await expect(fromFragment(fragmentOf(' '.repeat(5_000_000)))).rejects.toThrow('more than 4 MB');
  });
});
