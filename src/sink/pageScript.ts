import { extname } from 'node:path';
import { assemblePageScript } from '../core/pageScript.ts';

/** The page's script as a browser takes it. */
export function readPageScript(): string {
  return assemblePageScript(new URL(`page/script${extname(import.meta.url)}`, import.meta.url));
}
