import type { ProxyVersion } from '../../../src/core/version.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';
import { lbConfig } from './config.js';

export function replayConfigError(vector: Fields, version: ProxyVersion): void {
  lbConfig(vector.object('config'), version);
  throw new FormatError('refused configurations are not replayed yet');
}
