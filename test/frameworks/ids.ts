import { randomBytes, randomUUID } from 'node:crypto';
import type { Conventions } from './conventions.ts';

const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
let counter = 1_000;

export const ids: Record<Conventions['idForm'], () => string> = {
  uuid: () => randomUUID(),
  UUID: () => randomUUID().toUpperCase(),
  ulid: () => [...randomBytes(26)].map((byte, index) => base32[index === 0 ? byte % 8 : byte % 32]).join(''),
  prefixed: () => `chk_${randomBytes(12).toString('base64url')}`,
  digits: () => String((counter += 1)),
  nano: () => randomBytes(16).toString('base64url').slice(0, 21),
  objectid: () => randomBytes(12).toString('hex'),
  snowflake: () => String(1_850_000_000_000_000_000n + BigInt((counter += 1)) * 4_194_304n),
};

export const bookingIds: Record<Conventions['bookingId'], () => number> = {
  sequence: () => (counter += 1),
  large: () => 7_000_000_000_000_000 + (counter += 1),
  time: () => 1_700_000_000_000_000 + (counter += 1),
};
