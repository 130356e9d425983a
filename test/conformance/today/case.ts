/** A recording of `recorded/today`: what a proxy was given, and what came back. */
type Json = Readonly<Record<string, unknown>>;

/** How a host of the recorder behaves: see the README of the recordings. */
export interface HostBehavior {
  readonly protocol?: 'h2' | 'tcp';
  readonly status?: number;
  readonly delay_ms?: number;
  readonly hang?: true;
  readonly reset?: true;
  readonly refuse?: true;
  readonly refuse_new?: true;
  readonly connection_close?: true;
  readonly close_after?: true;
  readonly close_before?: true;
  readonly goaway_after?: true;
  readonly goaway_before?: true;
  readonly refused_stream?: true;
  readonly hc?: 'ok' | 'fail' | 'hang';
  readonly script?: readonly HostBehavior[];
  readonly by_attempt?: readonly HostBehavior[];
}

export interface TodayRequest {
  readonly path?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The same pair is the same connection. */
  readonly client?: number;
  readonly connection?: number;
  readonly source?: string;
  readonly at?: number;
  readonly pause_s?: number;
  readonly repeat?: number;
  readonly cookie_from?: number;
  readonly set_hosts?: Readonly<Record<string, HostBehavior>>;
  readonly connections?: readonly number[];
}

export interface ObservedRequest {
  readonly host?: string;
  readonly status?: number;
  readonly set_cookie?: readonly string[];
  readonly attempts?: number;
  readonly flags?: string;
  readonly cluster?: string;
  readonly sent_s?: number;
  readonly latency_s?: number;
  readonly upstream?: readonly (readonly [host: string, connection: number, seconds: number, attempt: number])[];
  readonly shadow?: readonly (readonly [host: string, connection: number])[];
  readonly connections?: readonly number[];
}

/** What the recorder's client does over TCP; `check`: whether that connection is closed. */
export interface TcpAction {
  readonly open?: number;
  readonly close?: number;
  readonly check?: number;
  readonly source?: string;
  readonly pause_s?: number;
  readonly set_hosts?: Readonly<Record<string, HostBehavior>>;
}

export interface TodayCase {
  readonly name: string;
  readonly area: string;
  readonly driver?: 'requests' | 'timed' | 'tcp' | 'workers';
  readonly concurrency?: number;
  readonly counts_only?: true;
  readonly timing?: true;
  readonly keep_clock?: true;
  readonly hosts: Readonly<Record<string, HostBehavior>>;
  readonly config: Json;
  readonly requests?: readonly TodayRequest[];
  readonly actions?: readonly TcpAction[];
  readonly changes?: readonly { readonly at: number; readonly host: string; readonly set: HostBehavior }[];
  readonly end_s?: number;
  /** By how much the recorder was late, at most: its machine was busy. */
  readonly late_ms?: number;
  /** As many draws of ours as it takes to have what the proxy drew; absent: some. */
  readonly draws?: number;
  readonly observed: {
    readonly requests?: readonly ObservedRequest[];
    readonly n?: number;
    readonly hosts?: Readonly<Record<string, number>>;
    readonly shadow_hosts?: Readonly<Record<string, number>>;
    readonly connections?: readonly { readonly connection: number; readonly worker: number }[];
    readonly by_worker?: Readonly<Record<string, readonly number[]>>;
    readonly host_index?: readonly string[];
    readonly upstream_connections?: Readonly<Record<string, number>>;
    readonly health_checks?: readonly (readonly [seconds: number, host: string, answer: string])[];
    readonly ready?: readonly (readonly [seconds: number, what: string])[];
    readonly stats?: Readonly<Record<string, number>>;
    readonly accepted?: false;
    readonly message?: string;
    readonly actions?: readonly { readonly open?: number; readonly host?: string | null; readonly closed?: boolean }[];
    readonly recorded_twice?: 'the same' | 'differs' | Readonly<Record<string, number>>;
  };
}

export function isToday(content: unknown): content is TodayCase {
  return typeof content === 'object' && content !== null && 'observed' in content && 'config' in content;
}

/** The one filter of the one listener: of HTTP, or of TCP. */
export function proxyFilter({ config }: TodayCase): Json {
  const [listener] = part(part(config, 'static_resources'), 'listeners') as unknown as readonly Json[];
  const filters = (listener?.['filter_chains'] as readonly { readonly filters: readonly Json[] }[])[0]?.filters ?? [];
  return (filters[0]?.['typed_config'] ?? {}) as Json;
}

export function listenerAddress({ config }: TodayCase): string {
  const [listener] = part(part(config, 'static_resources'), 'listeners') as unknown as readonly Json[];
  const socket = part(part(listener ?? {}, 'address'), 'socket_address');
  return `${String(socket['address'])}:${String(socket['port_value'])}`;
}

export function part(json: Json, name: string): Json {
  return (json[name] ?? {}) as Json;
}
