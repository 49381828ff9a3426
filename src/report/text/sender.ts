/** With which key a request was sent: the label of the key, and whose key it is where the label does not say so. */
export function senderText(key: string | null, enterprise: string | null = null): string {
  if (key === null) return 'without a key';
  if (key === 'empty') return 'with an empty key';
  if (!key.startsWith('issued') || enterprise === null) return `with ${key}`;
  // An enterprise of a check has a long random name.
  return `with ${key} of ${enterprise.replace(/^new-.*(?=.{4}$)/s, 'new-')}`;
}
