import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../core/io.ts';

/**
 * Where runs keep what others have to know: the user's own folder of states, since each user of a key has to keep its
 * limits wherever a run is started. `GATECHECK_STATE_DIR` names another one, as seen from `root`.
 */
export function memoryFolder(root: string, env: Environment = process.env): string {
  const { GATECHECK_STATE_DIR: own = '', XDG_STATE_HOME: xdg = '', LOCALAPPDATA: local = '' } = env;
  if (own !== '') return resolve(root, own);
  const states = xdg !== '' ? xdg : local !== '' ? local : join(homedir(), '.local', 'state');
  return join(states, 'gatecheck');
}
