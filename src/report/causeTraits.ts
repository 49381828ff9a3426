import type { Finding } from '../engine/finding.ts';

/** The same refusal, with its text, where another answer is due. 400 and 422 are given for all kinds of mistakes. */
export function refusalTrait({ requirement, actual }: Pick<Finding, 'requirement' | 'actual'>): string[][] {
  // What stands behind the text, such as who saw the record, is of each case.
  const [refusal] = /^HTTP (?:401|402|403|404|405|409|410) [^(]*\([^)]+\)/.exec(actual) ?? [];
  const [kind] = /^HTTP [45]\d\d [A-Z_]+/.exec(actual) ?? [];
  return [
    ...(refusal === undefined ? [] : [['refusal', refusal]]),
    // Whatever was expected in its place.
    ...(kind === undefined ? [] : [['refused rule', requirement, kind]]),
  ];
}

/** What one rule says to be invalid got through, whatever came of it. */
export function unrefusedTrait({ requirement, expected, actual }: Finding): string[][] {
  const isDue = /^(?:HTTP 400 VALIDATION_ERROR|a refusal of )/.test(expected);
  return isDue && /^HTTP (?:2\d\d|409)\b/.test(actual) ? [['unrefused', requirement]] : [];
}

/** Whether a callback came to the address of another record. */
export function isAstray({ check, code }: Finding): boolean {
  return check.endsWith('.webhook-recipient') && (code === 'record' || code === 'enterprise');
}

/** Whether a webhook that was due did not come to its address. */
export function isSilent({ requirement, actual }: Finding): boolean {
  return requirement.startsWith('WCI-CB-') && /^(?:none|no callback)$/.test(actual);
}
