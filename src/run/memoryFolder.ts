import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../core/io.ts';

/**
 * Where runs store what other runs must know: the user's own state folder, since all runs of a user share the limits of a key,
 * wherever they are started. `GATECHECK_STATE_DIR` names another folder, relative to `root`.
 */
export function memoryFolder(root: string, env: Environment = process.env): string {
  const { GATECHECK_STATE_DIR: own = '', XDG_STATE_HOME: xdg = '', LOCALAPPDATA: local = '' } = env;
  if (own !== '') return resolve(root, own);
  const states = xdg !== '' ? xdg : local !== '' ? local : join(homedir(), '.local', 'state');
  return join(states, 'gatecheck');
}
