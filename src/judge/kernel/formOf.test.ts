import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { callOf } from '../../trace/call.ts';
import { formOf } from './formOf.ts';

function form(text: string, more = '', type = 'multipart/form-data; boundary=b') {
  const sentRaw = `--b\r\nContent-Disposition: form-data; name="pnr"${more}\r\n\r\n${text}\r\n--b--\r\n`;
  const call = callOf(
    exchange({ operation: 'wci.update', sentRaw, requestHeaders: [['Content-Type', type]] }),
  );
  return call && formOf(call);
}

test('the form is that of the parts and files, whatever they say', () => {
  expect(form('ABC123')).toBe(form('XYZ789'));
  expect(form('"ABC123"')).not.toBe(form('ABC123'));
  expect(form('one', '; filename="a"')).not.toBe(form('two', '; filename="a"'));
});

test('what is not read by parts, or is too large to be compared, has no form', () => {
  expect(form('ABC123', '', 'text/plain')).toBeNull();
  expect(form('a'.repeat(300_000))).toBeNull();
});
