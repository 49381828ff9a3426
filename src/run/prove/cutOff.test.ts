import { describe, expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Outcome } from '../../core/evidence.ts';
import { createRandom } from '../../core/random.ts';
import { readSuites } from '../../engine/session/suites.ts';
import type { WireRequest } from '../../send/transport.ts';
import type { Wire } from '../../wire/json.ts';
import { judgeReference } from './judgeReference.ts';

const reset: Outcome = {
  kind: 'failure',
  failure: { reason: 'reset', message: 'read ECONNRESET', maybeDelivered: true },
};

/** What fails and what stays undecided if connections are closed in place of some answers. */
async function judged(isCut: (request: WireRequest) => boolean) {
  const wire = (clock: Clock): Wire => ({
    send: (inner) => async (request) => {
      const result = await inner(request);
      if (!isCut(request)) return result;
      return { ...result, outcome: reset, timings: { ...result.timings, received: clock.monotonic() } };
    },
  });
  const checks = (await readSuites()).filter(({ tags }) => !tags.includes('limits'));
  const { verdicts } = await judgeReference({ checks, setUp: 'three-keys', wire });
  const musts = [...verdicts].filter(([{ level }]) => level === 'must');
  const those = (status: string) => musts.flatMap(([{ id }, one]) => (one.status === status ? [id] : []));
  return { failed: those('fail'), undecided: those('inconclusive') };
}

const bodyOf = ({ body }: WireRequest) => Buffer.from(body ?? []).toString('latin1');
const isForm = (request: WireRequest) => bodyOf(request).startsWith('--');

describe('a connection that is closed in place of an answer', () => {
  test.each([7, 33, 90])('once, to POST %i, leaves nothing undecided', async (which) => {
    let posts = 0;
    const isCut = ({ method }: WireRequest) => method === 'POST' && (posts += 1) === which;
    expect(await judged(isCut)).toEqual({ failed: [], undecided: [] });
  });

  test.each([
    ['/webcheckin/subscribe', 'SHR-ERR-014', /^WCI-(MP|SUB|QTA)-/],
    ['/webcheckin/update', 'SHR-ERR-015', /^WCI-(MP|UPD)-/],
  ])('to each form for %s breaks the rule of its answers', async (path, rule, own) => {
    const { failed, undecided } = await judged((one) => one.target.endsWith(path) && isForm(one));
    expect(failed).toEqual([rule]);
    expect(undecided.filter((id) => !own.test(id))).toEqual([]);
  });

  test.each<[what: string, rule: string, own: RegExp, isCut: (request: WireRequest) => boolean]>([
    [
      'flight subscribe with a callback',
      'FLA-SUB-001',
      /^FLA-(CBR|SUB)-/,
      (one) => one.target.endsWith('/flight-alerts/subscribe') && bodyOf(one).includes('callbackData'),
    ],
    [
      'update',
      'SHR-ERR-015',
      /^WCI-(UPD|MP|SCP|QTA|CB|SUB)-/,
      ({ target }) => target.endsWith('/webcheckin/update'),
    ],
    [
      'list, the first request of a run,',
      'SHR-ERR-017',
      /^WCI-|^SHR-AUT-/,
      ({ target }) => target.includes('/webcheckin/requests'),
    ],
  ])('to each %s is a finding, and leaves only what it shows undecided', async (_, rule, own, isCut) => {
    const { failed, undecided } = await judged(isCut);
    expect(failed).toEqual([rule]);
    expect(undecided.filter((id) => !own.test(id))).toEqual([]);
  });

  test('to any request, now and then, breaks none', async () => {
    const random = createRandom(5);
    expect((await judged(() => random() < 0.2)).failed).toEqual([]);
  });
});
