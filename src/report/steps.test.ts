import { expect, test } from 'vitest';
import { sampleFinding } from '../../test/support/sampleResult.ts';
import { callbacksOf, stepsOf } from './steps.ts';

const step = {
  operation: 'wci.status',
  method: 'GET',
  target: '/extPartner/api/webcheckin/status?checkin_id=1',
  key: 'primary#1',
  body: null,
  status: 404,
  code: 'NOT_FOUND',
};
const delivery = {
  id: 'c3',
  method: 'POST',
  target: '/abc?x=1',
  headers: [['Content-Type', 'application/json']],
  body: '{"fid":"007"}',
  answer: '503',
};

test('a step tells its request, the key and the answer', () => {
  const finding = sampleFinding({
    case: { steps: [step, { ...step, key: null, status: null, code: null }] },
  });
  expect(stepsOf(finding).map(({ line }) => line)).toEqual([
    'GET /extPartner/api/webcheckin/status?checkin_id=1 with primary#1: HTTP 404 NOT_FOUND',
    'GET /extPartner/api/webcheckin/status?checkin_id=1 without a key: no answer',
  ]);
});

test('a callback is shown as it was received, with what the sink answered', () => {
  expect(callbacksOf(sampleFinding({ case: { deliveries: [delivery] } }))).toEqual([
    {
      line: 'c3: POST /abc?x=1, answered 503',
      body: 'Content-Type: application/json\n\n{"fid":"007"}',
    },
  ]);
});

test('a finding of an earlier release, which holds no case, shows none', () => {
  expect([stepsOf(sampleFinding()), callbacksOf(sampleFinding())]).toEqual([[], []]);
});
