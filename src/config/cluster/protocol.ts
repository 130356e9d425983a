import { message } from '../reader.js';
import type { Has } from '../reader/schema.js';

/** Other protocol options have no effect on the simulation. */
message('core.Http2ProtocolOptions', {
  name: 'http2-settings',
  reads: ['custom_settings_parameters'],
  check: ({ customSettingsParameters }, report, has) => {
    const values = new Map<number, number>();
    for (const [index, { identifier, value }] of customSettingsParameters.entries()) {
      const problem =
        (values.get(identifier) ?? value) === value
          ? settingProblem(identifier, value, has)
          : `inconsistent HTTP/2 custom SETTINGS parameter(s) detected: ${identifier} has another value already`;
      if (problem !== undefined) report(problem, ['custom_settings_parameters', index, 'identifier']);
      values.set(identifier, value);
    }
  },
});

/** Fields of the parameters that have one. */
const NAMED: ReadonlyMap<number, string> = new Map([
  [1, 'hpack_table_size'],
  [3, 'max_concurrent_streams'],
  [4, 'initial_stream_window_size'],
]);

const ENABLE_PUSH = 2;
const ENABLE_CONNECT_PROTOCOL = 8;

function settingProblem(identifier: number, value: number, has: Has): string | undefined {
  if (identifier === ENABLE_PUSH && value === 1) {
    return 'server push is not supported by the proxy and can not be enabled via a SETTINGS parameter';
  }
  if (identifier === ENABLE_CONNECT_PROTOCOL) {
    return 'the "allow_connect" SETTINGS parameter must only be configured through the named field';
  }
  const field = NAMED.get(identifier);
  if (field === undefined || !has(field)) return undefined;
  return `the {${field}} HTTP/2 SETTINGS parameter(s) can not be configured through both named and custom parameters`;
}
