/** With which key a request was sent: the label of the key, and whose key it is where the label does not say so. */
export function senderText(key: string | null, enterprise: string | null = null): string {
  if (key === null) return 'without a key';
  if (key === 'empty') return 'with an empty key';
  return key.startsWith('issued') && enterprise !== null ? `with ${key} of ${enterprise}` : `with ${key}`;
}
