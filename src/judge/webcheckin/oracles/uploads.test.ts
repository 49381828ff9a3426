import { expect, test } from 'vitest';
import { errorBody, subscribed } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../../test/support/judge/exchanges.ts';

type Parts = Readonly<Record<string, string>>;

function bodyOf(parts: Parts, end = '--b--\r\n'): string {
  const written = Object.entries(parts).map(([name, text]) => {
    const file = name === 'scan1' ? '; filename="scan.png"' : '';
    return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return written.join('') + end;
}

function judge(sentRaw: string, answer: Partial<ExchangeSketch> = {}, type = '; boundary=b') {
  const requestHeaders = [['Content-Type', `multipart/form-data${type}`]] as const;
  const operation = 'wci.subscribe';
  const { violated, holds } = judgeLast(
    exchange({ operation, sentRaw, requestHeaders, body: subscribed({}), ...answer }),
  );
  const isOfParts = (id: string) => /^WCI-MP-0(04|14|16)$/.test(id);
  return { violated: violated.filter(isOfParts), holds: holds.filter(isOfParts) };
}

const refused = (status: number, code: string) => ({ status, body: errorBody(code) });
const invalid = refused(400, 'VALIDATION_ERROR');
const whole: Parts = { flights: '[]', passengers: '[]' };

test('what no reader can make parts of is refused as such, or as a failure of the parser', () => {
  for (const [body, type] of [
    [bodyOf(whole), ''],
    [bodyOf(whole), '; boundary=other'],
    [bodyOf(whole, ''), '; boundary=b'],
  ] as const) {
    expect(judge(body, {}, type).violated).toEqual(['WCI-MP-016']);
    expect(judge(body, { status: 500, raw: 'Oops' }, type).violated).toEqual(['WCI-MP-016']);
    expect(judge(body, refused(500, 'INTERNAL_ERROR'), type).holds).toEqual(['WCI-MP-016']);
    expect(judge(body, refused(401, 'UNAUTHORIZED'), type)).toEqual({ violated: [], holds: [] });
  }
  expect(judge(bodyOf(whole))).toEqual({ violated: [], holds: [] });
  expect(judge('{}')).toEqual({ violated: [], holds: [] });
});

test('a named part whose text is no JSON is refused, one of callbackData as any callback', () => {
  expect(judge(bodyOf({ ...whole, passengers: '[{' })).violated).toEqual(['WCI-MP-004']);
  expect(judge(bodyOf({ ...whole, passengers: '[{' }), invalid).holds).toEqual(['WCI-MP-004']);
  expect(judge(bodyOf({ ...whole, scan1: '[{' })).violated).toEqual([]);
  const callback = bodyOf({ ...whole, callbackData: '{"' });
  expect(judge(callback, refused(422, 'REJECTED')).holds).toEqual(['WCI-MP-004']);
  expect(judge(callback).violated).toEqual(['WCI-MP-004']);
});

test('an upload needs the id of its check-in', () => {
  const update = { operation: 'wci.update' } as const;
  const parts = { booking_id: '7', passengers: '[]' };
  expect(judge(bodyOf({ ...parts, scan1: 'x' }), update).violated).toEqual(['WCI-MP-014']);
  expect(judge(bodyOf({ ...parts, scan1: 'x' }), { ...update, ...invalid }).holds).toEqual(['WCI-MP-014']);
  expect(judge(bodyOf({ ...parts, checkin_id: 'a', scan1: 'x' }), update).violated).toEqual([]);
  expect(judge(bodyOf(parts), update).violated).toEqual([]);
});
