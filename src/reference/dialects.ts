import { checkinDialectPoints } from './dialects/checkin.ts';
import { checkinRecordDialectPoints } from './dialects/checkinRecords.ts';
import { flightDialectPoints } from './dialects/flights.ts';
import { freedoms } from './dialects/freedoms.ts';
import type { DialectPoint } from './dialects/point.ts';
import { sharedDialectPoints } from './dialects/shared.ts';

export type { DialectPoint } from './dialects/point.ts';

/** Every observable open point of the two documents, and what they leave free, with the conforming ways to settle it. */
export const dialectPoints: readonly DialectPoint[] = [
  ...sharedDialectPoints,
  ...checkinDialectPoints,
  ...checkinRecordDialectPoints,
  ...flightDialectPoints,
  ...freedoms,
];
