import { hash32 } from '../core/random.ts';

/** A requirement id, a dot and eight hexadecimal digits, such as `WCI-STS-004.1a2b3c4d`. */
export const fingerprintPattern = /^[A-Z]{3}-[A-Z]{2,3}-\d{3}\.[0-9a-f]{8}$/;

/**
 * The name of a defect, the same in every run: derived from the rule, from what showed it and from the kind of violation, but
 * from nothing that differs from run to run. It contains the requirement's id, so that a stale baseline entry can be recognized.
 */
export function fingerprintOf(requirement: string, ...parts: readonly string[]): string {
  return `${requirement}.${hash32(parts.join('\n')).toString(16).padStart(8, '0')}`;
}

/** The requirement that a fingerprint belongs to. */
export function requirementOf(fingerprint: string): string {
  return fingerprint.slice(0, fingerprint.lastIndexOf('.'));
}
