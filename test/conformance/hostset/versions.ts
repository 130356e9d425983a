import type { ProxyVersion } from '../../../src/core/version.js';

/** The profiles that vectors name, and the version each is replayed as. */
export const PROFILE_VERSIONS: ReadonlyMap<string, ProxyVersion> = new Map([
  ['v1.12', '1.12'],
  ['v1.14', '1.14'],
  ['v1.17', '1.17'],
  ['modern', '1.40'],
]);
