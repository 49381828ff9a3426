import { hash32 } from '../core/random.ts';

/** A requirement id, a dot and eight hexadecimal digits, such as `WCI-STS-004.1a2b3c4d`. */
export const fingerprintPattern = /^[A-Z]{3}-[A-Z]{2,3}-\d{3}\.[0-9a-f]{8}$/;

/**
 * The name of a defect, the same in every run: made of the rule, of what showed it and of the kind of violation, and of
 * nothing that differs from run to run. The requirement stands in it readable, so that a baseline entry can be told to
 * be stale.
 */
export function fingerprintOf(requirement: string, ...parts: readonly string[]): string {
  return `${requirement}.${hash32(parts.join('\n')).toString(16).padStart(8, '0')}`;
}

/** The requirement that a fingerprint belongs to. */
export function requirementOf(fingerprint: string): string {
  return fingerprint.slice(0, fingerprint.lastIndexOf('.'));
}
