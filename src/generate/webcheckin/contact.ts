import * as fc from 'fast-check';
import { malformedEmails } from '../../spec/grammar/passenger.ts';
import { slug } from '../kit/text.ts';

/** Plain addresses of reserved domains, which every validator takes for valid. */
export const plainEmail: fc.Arbitrary<string> = fc
  .tuple(slug(10), fc.constantFrom('example.com', 'example.org', 'example.net'))
  .map(([name, domain]) => `gatecheck.${name}@${domain}`);

/** Valid addresses that a narrow validator refuses. */
export const unusualEmails = [
  'Gatecheck+Seat_12@Mail.Example.COM',
  "o'gatecheck@example.org",
  'g@example.net',
  `${'gatecheck'.repeat(7)}@example.com`,
  'gatecheck@sub-domain.test.example.com',
  'gatecheck@host.invalid',
] as const;

/** Valid addresses, unusual ones among them: only where nothing depends on a validator's opinion. */
export const unusualEmail: fc.Arbitrary<string> = fc.oneof(plainEmail, fc.constantFrom(...unusualEmails));

/** Addresses that no reading takes for valid. */
export const malformedEmail: fc.Arbitrary<string> = fc.constantFrom(...malformedEmails);

/** Country prefix and number, from ranges that regulators keep for fiction. */
export const phone: fc.Arbitrary<{ readonly country_code: string; readonly phone: string }> = fc.constantFrom(
  { country_code: '+1', phone: '2025550143' },
  { country_code: '+1', phone: '3105550187' },
  { country_code: '+44', phone: '7700900123' },
  { country_code: '+44', phone: '2079460958' },
  { country_code: '+61', phone: '491570156' },
);
