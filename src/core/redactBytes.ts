/** Bytes that are not text, with the secrets in their readable parts replaced: a label is written in UTF-8, and no other byte is changed. */
export function redactBytes(bytes: Uint8Array, redact: (text: string) => string): Buffer {
  const readable = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const beyond = /[^\u0000-\u00ff]+/g;
  return Buffer.from(
    redact(readable).replace(beyond, (some) => Buffer.from(some, 'utf8').toString('latin1')),
    'latin1',
  );
}
