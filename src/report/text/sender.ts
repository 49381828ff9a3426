/** With which key a request was sent, by the label of the key. */
export function senderText(key: string | null): string {
  if (key === null) return 'without a key';
  return key === 'empty' ? 'with an empty key' : `with ${key}`;
}
