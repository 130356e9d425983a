import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesByName } from '../../../src/config/messages.js';
import type { MessageInfo } from '../../../src/config/reader/schema.js';

/** The public v2 API, as `v2-fields.json` has it: names, numbers and types. */
export interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly label?: string;
  readonly oneof?: string;
  readonly deprecated?: boolean;
}

interface Api {
  readonly messages: Readonly<Record<string, readonly Field[]>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const written = JSON.parse(readFileSync(join(import.meta.dirname, 'v2-fields.json'), 'utf8')) as Api;

/** Was never implemented in v2: it is refused, with a word on what to write instead. */
const REFUSED = { enumeration: 'envoy.api.v2.Cluster.LbPolicy', value: 'LOAD_BALANCING_POLICY_CONFIG' };

export const api: Api = {
  ...written,
  enums: Object.fromEntries(
    Object.entries(written.enums).map(([name, values]) => {
      const known = Object.entries(values).filter(([value]) => name !== REFUSED.enumeration || value !== REFUSED.value);
      return [name, Object.fromEntries(known)];
    }),
  ),
};

const SINKS: Readonly<Record<string, string>> = { DogStatsdSink: 'TaggedStatsdSink', HystrixSink: 'DashboardSink' };

/** Our name of a message: neutral, and without the package that most of them share. */
export function ourName(name: string): string {
  const short = name.replace(/^envoy\.(?:api\.v2\.)?/, '').replace('EnvoyGrpc', 'ProxyGrpc');
  return short.replace(/\w+$/, (last) => SINKS[last] ?? last);
}

/** Our messages, by name. */
export const ours: ReadonlyMap<string, MessageInfo> = new Map(
  [...messagesByName()].flatMap(([name, { marks }]) => (marks.message === undefined ? [] : [[name, marks.message]])),
);
