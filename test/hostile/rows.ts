import { bodyRows } from './bodyRows.ts';
import { callerRows } from './callerRows.ts';
import { gatewayRows } from './gatewayRows.ts';
import type { HostileRow } from './row.ts';
import { handlerRows } from './stateRows.ts';
import { textRows } from './textRows.ts';
import { tlsRows } from './tlsRows.ts';
import { valueRows } from './valueRows.ts';
import { wireRows } from './wireRows.ts';

/** The whole table. */
export const hostileRows: readonly HostileRow[] = [
  ...wireRows,
  ...gatewayRows,
  ...bodyRows,
  ...valueRows,
  ...tlsRows,
  ...handlerRows,
  ...callerRows,
  ...textRows,
];
