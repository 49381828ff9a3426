/** With which key a request was sent: the label of the key, and whose key it is where the label does not say so. */
export function senderText(key: string | null, enterprise: string | null = null): string {
  if (key === null) return 'without a key';
  if (key === 'empty') return 'with an empty key';
  return `with ${keyText(key, enterprise)}`;
}

/** The label of a key, and whose key it is where the label does not say so: `issued#12 of primary`. */
export function keyText(key: string, enterprise: string | null): string {
  if (!key.startsWith('issued') || enterprise === null) return key;
  // An enterprise of a check has a long random name.
  return `${key} of ${enterprise.replace(/^new-.*(?=.{4}$)/s, 'new-')}`;
}
