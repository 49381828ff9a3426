import { describe, expect, test } from 'vitest';
import { Durations } from './histogram.ts';
import { Recorder, type RequestOutcome } from '../send/recorder.ts';
import { judgeThreshold, parseThreshold } from './thresholds.ts';

const sample = (given: Partial<RequestOutcome>): RequestOutcome => ({
  operation: 'wci.list',
  status: '200',
  kind: 'ok',
  atMs: 0,
  latencyMs: 10,
  serviceMs: 10,
  latenessMs: 0,
  example: null,
  ...given,
});

/** 98 answers in 10 ms, one error in 200 ms, one 429 in 1 ms, and a missed request. */
function measured() {
  const recorder = new Recorder(1000);
  for (let index = 0; index < 98; index += 1) recorder.record(sample({ atMs: index }), null);
  recorder.record(sample({ operation: 'wci.status', status: '500', kind: 'error', latencyMs: 200 }), null);
  recorder.record(sample({ status: '429', kind: 'refused', latencyMs: 1 }), null);
  recorder.miss(0, 'late');
  return { recorder, callbackDelays: null, seconds: 2 };
}

test.each<[text: string, met: boolean, actual: string]>([
  ['p99<300ms', true, '200.1ms'],
  ['p50 < 0.02s', true, '10ms'],
  ['p99<100ms', false, '200.1ms'],
  ['max<=201ms', true, '200.1ms'],
  ['errors<2%', true, '1%'],
  ['errors<1%', false, '1%'],
  ['errors<=1%', true, '1%'],
  ['refused<2%', true, '1%'],
  ['missed<0.5%', false, '0.99%'],
  ['rate>48/s', true, '49.0/s'],
  ['rate>=50/s', false, '49.0/s'],
  ['wci.status:p95<100ms', false, '200.1ms'],
  ['wci.list:errors<1%', true, '0%'],
])('%s', (text, met, actual) => {
  const threshold = parseThreshold(text);
  expect(threshold).not.toBeNull();
  if (threshold) expect(judgeThreshold(threshold, measured())).toMatchObject({ met, actual });
});

test.each(['fla.lookup:p99<1s', 'fla.lookup:errors<100%', 'callbacks:p99<10s', 'fla.lookup:rate>=0/s'])(
  '%s is not met by zero samples',
  (text) => {
    const threshold = parseThreshold(text);
    if (!threshold) throw new Error('malformed');
    expect(judgeThreshold(threshold, measured())).toEqual({
      threshold: text,
      met: false,
      samples: 0,
      actual: null,
    });
  },
);

test('the delay of callbacks is measured by itself', () => {
  const delays = new Durations();
  delays.record(700);
  const threshold = parseThreshold('callbacks:p95<1s');
  if (!threshold) throw new Error('malformed');
  expect(judgeThreshold(threshold, { ...measured(), callbackDelays: delays })).toMatchObject({
    met: true,
    samples: 1,
  });
});

describe('malformed thresholds are refused', () => {
  test.each([
    '',
    'p99',
    'p99<300',
    'p99<300%',
    'p42<3ms',
    'constructor<3ms',
    'constructor<3/s',
    'errors<1',
    'errors<1ms',
    'rate>50',
    'rate>50%',
    'p99=300ms',
    'p99<-3ms',
    'wci.unknown:p99<3ms',
    'callbacks:errors<1%',
    'p99<300ms;errors<1%',
  ])('%j', (text) => expect(parseThreshold(text)).toBeNull());
});
