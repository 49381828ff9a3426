import { accept, refuseSecret, type Parsed } from '../values/parsed.ts';

const form =
  'the name of an environment variable, such as env:GATECHECK_QA_KEY, since no secret stands in a file';

/** `env:NAME`, the only way in which a config file speaks of a secret; anything else is refused and not shown. */
export function parseSecretReference(text: string): Parsed<string> {
  const name = /^env:([A-Za-z_]\w*)$/.exec(text)?.[1];
  return name === undefined ? refuseSecret(form, 'other text (not shown)') : accept(name);
}

/** Whether text may be a credential that somebody pasted: long, unbroken, of letters and digits. */
export function looksLikeKey(text: string): boolean {
  const bare = text.replace(/^(?:bearer|basic|token|apikey)\s+/i, '');
  const scheme = bare !== text;
  const unbroken = /^[\w+/=.~-]{20,}$/.test(bare) && /\d/.test(bare) && /[A-Za-z]/.test(bare);
  return scheme || unbroken;
}
