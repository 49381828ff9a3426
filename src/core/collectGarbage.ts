import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Shorter texts are no matter; those of ordinary deployments are all shorter. */
const least = 1 << 18;
/** So many bytes of long texts may lie about, each in several copies, before they are collected. */
const most = 1 << 23;
let noted = 0;
let collect: (() => void) | null = null;

/**
 * Notes that a long text was used for the last time. Node lets what is left of them lie as long as the system has memory, which came to
 * 800 MB over a few answers of 4 MiB; this bounds it by bytes. At 2 MiB it still decides: a smoke run against a list of numbers holds at
 * most 495 MiB with it and 527 without, of 512. What holds no long texts is not slowed down.
 */
export function collectGarbage(bytes: number): void {
  if (bytes < least) return;
  noted += bytes;
  if (noted < most) return;
  noted = 0;
  collect ??= collector();
  collect();
}

/** Where a program keeps the collector to itself, by `--no-expose-gc` or otherwise, nothing is collected early. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('typeof gc === "function" ? gc : null');
  return typeof found === 'function' ? () => void Reflect.apply(found, undefined, []) : () => undefined;
}
