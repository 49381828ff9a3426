import { resolve } from 'node:path';
import { accept, type Parser } from './parsed.ts';
import { parseNonEmpty } from './nonEmpty.ts';

/** A path, made absolute from a folder: the current one, or that of the config file. */
export function parsePath(folder: string): Parser<string> {
  return (text) => {
    const path = parseNonEmpty(text);
    return path.ok ? accept(resolve(folder, path.value)) : path;
  };
}
