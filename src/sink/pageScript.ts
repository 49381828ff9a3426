import { extname } from 'node:path';
import { assemblePageScript } from '../core/pageScript.ts';

/** The page's script for a browser. */
export function readPageScript(): string {
  return assemblePageScript(new URL(`page/script${extname(import.meta.url)}`, import.meta.url));
}
