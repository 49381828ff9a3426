import { bodyRows } from './bodyRows.ts';
import type { HostileRow } from './row.ts';
import { valueRows } from './valueRows.ts';
import { wireRows } from './wireRows.ts';

/** The whole table. */
export const hostileRows: readonly HostileRow[] = [...wireRows, ...bodyRows, ...valueRows];
