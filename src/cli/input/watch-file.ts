import { attempt } from '../../core/values.js';
import { realpathSync, unwatchFile, watch, watchFile as pollFile } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write a file in several steps: it is read after it has not changed for this long. */
const SETTLE_MS = 60;
const POLL_MS = 500;

/**
 * Calls `listener` whenever a file has been saved. Its folder is watched, not the file: many editors write another file and
 * rename it. Where the file is a link, so is the folder that it leads to.
 */
export function watchFile(file: string, listener: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(listener, SETTLE_MS);
  };
  const stops = [...new Set([file, attempt(() => realpathSync(file), file)])].map((path) => watchPath(path, changed));
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

function watchPath(path: string, changed: () => void): () => void {
  const poll = (): (() => void) => {
    pollFile(path, { interval: POLL_MS }, changed);
    return () => unwatchFile(path, changed);
  };
  try {
    const name = basename(path);
    const watcher = watch(dirname(path), (_, changedName) => {
      // Some systems do not report the file name.
      if (changedName === null || changedName === name) changed();
    });
    let stop = (): void => watcher.close();
    // The folder was removed, or the system's limit of watches is reached.
    watcher.on('error', () => {
      watcher.close();
      stop = poll();
    });
    return () => stop();
  } catch {
    return poll();
  }
}
