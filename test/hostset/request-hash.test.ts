import { describe, expect, it } from 'vitest';
import { xxhash64, xxhash64Chain } from '../../src/hash/text-hashes.js';
import { utf8 } from '../../src/hash/bytes.js';
import type { HashSource } from '../../src/hostset/lb-config.js';
import { LinearRegex } from '../../src/core/regex/linear-regex.js';
import { RequestHash } from '../../src/hostset/request-hash.js';
import { pickRequest, scripted } from '../support/balancing.js';

const header = (name: string, terminal = false): HashSource => ({ header: name, terminal });

function hashOf(
  sources: readonly HashSource[],
  headers: Readonly<Record<string, string>>,
  key = '',
): bigint | undefined {
  const hash = new RequestHash(sources);
  const found = hash.compute({ ...pickRequest(scripted()), headers, key });
  return found ? (BigInt(hash.hi) << 32n) | BigInt(hash.lo) : undefined;
}

function xx(text: string): bigint {
  const { hi, lo } = xxhash64(utf8(text));
  return (BigInt(hi) << 32n) | BigInt(lo);
}

function rotated(value: bigint): bigint {
  return BigInt.asUintN(64, value << 1n) | (value >> 63n);
}

describe('the hash that a policy computes itself', () => {
  it('is that of the header, and none where the request has it not', () => {
    expect(hashOf([header('x-a')], { 'x-a': 'one' })).toBe(xx('one'));
    expect(hashOf([header('x-b')], { 'x-a': 'one' })).toBeUndefined();
  });

  it('is that of a cookie of just this name', () => {
    const cookie = [{ header: 'cookie', cookie: 'session', terminal: false }];
    expect(hashOf(cookie, { cookie: 'a=1; session=7' })).toBe(xx('7'));
    expect(hashOf(cookie, { cookie: 'sessions; a=1' })).toBeUndefined();
  });

  it('drops the quotes of a cookie, and takes an empty one for none', () => {
    const cookie = [{ header: 'cookie', cookie: 's', terminal: false }];
    expect(hashOf(cookie, { cookie: 's="7"; s=8' })).toBe(xx('7'));
    expect(hashOf(cookie, { cookie: 'a=1\ns=7' })).toBe(xx('7'));
    expect(hashOf(cookie, { cookie: 's=' })).toBeUndefined();
  });

  it('is that of the lines of a header, sorted and chained', () => {
    const chained = xxhash64Chain(['a', 'b']);
    expect(hashOf([header('x-a')], { 'x-a': 'b\na' })).toBe((BigInt(chained.hi) << 32n) | BigInt(chained.lo));
  });

  it('is that of the first parameter of just this name, as it is written', () => {
    const query = [{ header: ':path', query: 'id', terminal: false }];
    expect(hashOf(query, { ':path': '/a?ID=1&id=%41=2&id=3#id=4' })).toBe(xx('%41=2'));
    expect(hashOf(query, { ':path': '/a?id' })).toBe(xx(''));
    expect(hashOf(query, {})).toBeUndefined();
  });

  it('ends with a terminal source once there is a hash, whoever gave it', () => {
    expect(hashOf([header('x-a'), header('x-b', true), header('x-c')], { 'x-a': 'one', 'x-c': 'two' })).toBe(xx('one'));
  });

  it('finds the key in its header, unless it is empty', () => {
    expect(hashOf([header('x-key')], {}, 'user-7')).toBe(xx('user-7'));
    expect(hashOf([header('x-key')], {}, '')).toBeUndefined();
  });

  it('is that of the header with every match of an expression replaced', () => {
    const regex = new LinearRegex('^(\\w+)-.*$', 're2');
    const sources = [{ ...header('x-user'), rewrite: { regex, substitution: '\\1' } }];
    expect(hashOf(sources, { 'x-user': 'ann-17' })).toBe(xx('ann'));
    expect(hashOf(sources, { 'x-user': 'ann' })).toBe(xx('ann'));
    expect(hashOf(sources, {})).toBeUndefined();
  });

  it('combines what it finds: turned by a bit, then exclusively or-ed', () => {
    const both = hashOf([header('x-a'), header('x-b')], { 'x-a': 'one', 'x-b': 'two' });
    expect(both).toBe(rotated(xx('one')) ^ xx('two'));
  });

  it('stops at a terminal source that it has', () => {
    const sources = [header('x-a', true), header('x-b')];
    expect(hashOf(sources, { 'x-a': 'one', 'x-b': 'two' })).toBe(xx('one'));
    expect(hashOf(sources, { 'x-b': 'two' })).toBe(xx('two'));
  });

  it('finds a cookie among others', () => {
    const cookie: HashSource = { header: 'cookie', cookie: 'id', terminal: false };
    expect(hashOf([cookie], { cookie: 'a=1; id=seven; b=2' })).toBe(xx('seven'));
    expect(hashOf([cookie], { cookie: 'a=1' })).toBeUndefined();
  });
});
