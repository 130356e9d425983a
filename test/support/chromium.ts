import { existsSync } from 'node:fs';

/** Debian's browser; tests in it are skipped where it is missing. */
export const CHROMIUM = '/usr/bin/chromium';

export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const hasChromium = existsSync(CHROMIUM);

/** @param what will not be tested. */
export function warnWithoutChromium(what: string): void {
  if (!hasChromium) console.warn(`skipped: ${what}, since there is no ${CHROMIUM}`);
}
