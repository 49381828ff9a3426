import { expect, test } from 'vitest';
import { redactBytes } from './redactBytes.ts';

test('a label is UTF-8 between bytes that are none, which stay as they are', () => {
  const head = Buffer.from('{"auth_header":"Authorization: secret"}\r\n');
  const scan = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xc3, 0x28]);
  const redacted = redactBytes(Buffer.concat([head, scan]), (text) => text.replace('secret', '‹value #1›'));
  expect(redacted.subarray(0, -scan.length).toString('utf8')).toBe(
    '{"auth_header":"Authorization: ‹value #1›"}\r\n',
  );
  expect(redacted.subarray(-scan.length)).toEqual(scan);
});
