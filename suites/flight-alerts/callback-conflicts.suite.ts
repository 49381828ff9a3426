import { fixed, passive, suite } from '../../src/engine/suite.ts';
import type { CheckContext } from '../../src/engine/context.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import type { FlightSubscription } from '../../src/engine/flightFixtures.ts';
import { renderFlightSubscription } from '../../src/generate/flightSubscription.ts';
import type { JsonObject } from '../../src/generate/json.ts';
import { answered, errorCode, ok, type Answer } from '../../src/judge/answer.ts';
import { responseOf } from '../../src/judge/body.ts';
import { keyOf, keyOmission, returnsKey, returnsNoKey } from '../../src/judge/flightAnswer.ts';
import { all, type Judgement } from '../../src/judge/judgement.ts';
import { callbackKeys } from '../../src/judge/oracles/callbackKeys.ts';
import { callbackOf, callbackSubscription, sendSubscribe } from '../support/flights.ts';

const urlConflict: Answer = { status: 409, code: 'CALLBACK_ALREADY_REGISTERED' };
const fidConflict: Answer = { status: 409, code: 'EXTERNAL_FID_ALREADY_REGISTERED' };

export default suite('Flight alerts: a registered callback', [
  passive('fla', callbackKeys),

  fixed({
    id: 'fla.callback.registered',
    title: 'the first registration of a callback returns a key, and an identical retry none',
    verifies: ['FLA-SUB-005', 'FLA-SUB-006', 'FLA-CBR-014', 'FLA-OPN-009'],
    uses: ['callback-subscription'],
    tags: ['smoke'],
    requests: 1,
    run: async (t) => {
      const { leg, body, subscribed: first } = await t.fixtures.callbackSubscription();
      const isOwn = leg.source === 'state' && responseOf(first)?.status !== 400;
      if (isOwn) t.judge(first, { 'FLA-SUB-005': all(answered(first, ok), returnsKey(first)) });
      await callbackSubscription(t);
      t.judge(first, { 'FLA-CBR-014': answered(first, ok) });
      // A leg of the world may have had this callback since an earlier run; then its key is lost.
      if (keyOf(first) !== null) t.judge(first, { 'FLA-SUB-005': returnsKey(first) });
      const retry = await sendSubscribe(t, body);
      const omission = keyOmission(retry);
      if (omission !== null) t.observe('FLA-OPN-009', omission, retry);
      t.judge([first, retry], { 'FLA-SUB-006': all(answered(retry, ok), returnsNoKey(retry)) });
    },
  }),

  fixed({
    id: 'fla.callback.conflicts',
    title: 'another URL or fid is refused, and neither that nor leaving them out changes what is registered',
    verifies: [
      'FLA-SUB-006',
      'FLA-SUB-008',
      'FLA-SUB-009',
      'FLA-SUB-010',
      'FLA-SUB-011',
      'FLA-SUB-012',
      'FLA-OPN-006',
    ],
    uses: ['callback-subscription'],
    requests: 11,
    run: async (t) => {
      const subscription = await callbackSubscription(t);
      const { fid, callbackUrl } = callbackOf(subscription.body);
      const [otherUrl, otherFid] = [callbackUrl.replace('?', '/other?'), `${fid}-other`];
      const ask = asking(t, subscription);
      const judge = (exchange: Exchange, rule: string, judgement: Judgement) =>
        t.judge([subscription.subscribed, exchange], { [rule]: judgement });

      const first = await ask({ fid, callbackUrl });
      judge(first, 'FLA-SUB-006', all(answered(first, ok), returnsNoKey(first)));
      const url = await ask({ fid, callbackUrl: otherUrl });
      judge(url, 'FLA-SUB-008', answered(url, urlConflict));
      const id = await ask({ fid: otherFid, callbackUrl });
      judge(id, 'FLA-SUB-009', answered(id, fidConflict));
      // Leading zeros are preserved, and a fid in another letter case is another.
      for (const like of [fid.replace(/^0/, ''), fid.toUpperCase()]) {
        const alike = await ask({ fid: like, callbackUrl });
        judge(alike, 'FLA-SUB-009', answered(alike, fidConflict));
      }
      const both = await ask({ fid: otherFid, callbackUrl: otherUrl });
      judge(both, 'FLA-SUB-010', answered(both, urlConflict, fidConflict));
      t.observe(
        'FLA-OPN-006',
        errorCode(both) === fidConflict.code ? 'fid-first' : 'callback-url-first',
        both,
      );
      const kept = await ask({ fid, callbackUrl });
      t.judge([url, id, both, kept], { 'FLA-SUB-011': all(answered(kept, ok), returnsNoKey(kept)) });

      const absent = await ask('absent');
      judge(absent, 'FLA-SUB-012', all(answered(absent, ok), returnsNoKey(absent)));
      const withNull = await ask(null);
      judge(withNull, 'FLA-SUB-012', all(answered(withNull, ok), returnsNoKey(withNull)));
      const stillUrl = await ask({ fid, callbackUrl: otherUrl });
      t.judge([absent, withNull, stillUrl], { 'FLA-SUB-012': answered(stillUrl, urlConflict) });
      const stillFid = await ask({ fid: otherFid, callbackUrl });
      t.judge([absent, withNull, stillFid], { 'FLA-SUB-012': answered(stillFid, fidConflict) });
    },
  }),

  fixed({
    id: 'fla.callback.foreign-members',
    title: 'members of callbackData that must not be supplied are refused or ignored',
    verifies: ['FLA-OPN-007'],
    uses: ['callback-subscription'],
    requests: 3,
    run: async (t) => {
      const subscription = await callbackSubscription(t);
      const callback = callbackOf(subscription.body);
      const ask = asking(t, subscription);
      const answers = [
        await ask({ ...callback, auth_header: 'Authorization: gatecheck' }),
        await ask({ ...callback, clientId: 'gatecheck' }),
        await ask({ ...callback, clientName: 'Gatecheck' }),
      ];
      const statuses = new Set(answers.map((exchange) => responseOf(exchange)?.status));
      t.assume(
        [...statuses].every((status) => status === 200 || status === 400),
        'a retry with such a member was neither taken nor refused as invalid',
      );
      const variant = statuses.size > 1 ? 'by-field' : statuses.has(200) ? 'ignored' : 'refused';
      t.observe('FLA-OPN-007', variant, answers[0]);
    },
  }),

  // A value that passes validation conflicts with what is registered, so that none of these registers anything.
  fixed({
    id: 'fla.callback.doubtful-values',
    title: 'long, blank and look-alike values of callbackData are refused as invalid or as other values',
    verifies: ['FLA-OPN-010', 'FLA-OPN-011', 'FLA-OPN-012', 'FLA-OPN-028'],
    uses: ['callback-subscription'],
    requests: 6,
    run: async (t) => {
      const subscription = await callbackSubscription(t);
      const { fid, callbackUrl } = callbackOf(subscription.body);
      const ask = asking(t, subscription);
      const isValid = async (callback: JsonObject) => {
        const exchange = await ask(callback);
        const status = responseOf(exchange)?.status;
        return { exchange, valid: status === 409 ? true : status === 400 ? false : null };
      };
      // The first address that is tried resolves nowhere.
      const isFallback = !callbackUrl.startsWith('https://gatecheck-sink.example.com/');
      if (isFallback) t.observe('FLA-OPN-012', 'resolved', subscription.subscribed);
      const upper = await ask({
        fid,
        callbackUrl: callbackUrl.replace(/\/\/[^/]+/, (host) => host.toUpperCase()),
      });
      const status = responseOf(upper)?.status;
      if (status === 200) t.observe('FLA-OPN-011', 'normalized', upper);
      if (status === 409) t.observe('FLA-OPN-011', 'text', upper);

      const tooLong = await isValid({ fid: 'f'.repeat(256), callbackUrl });
      t.assume(tooLong.valid === false, 'a conflict is found before an invalid value');
      const blank = await isValid({ fid: '   ', callbackUrl });
      if (blank.valid !== null)
        t.observe('FLA-OPN-028', blank.valid ? 'accepted' : 'refused', blank.exchange);
      // 150 code points of two units and four bytes each; 200 of one unit and two bytes each.
      const astral = await isValid({ fid: '𝒇'.repeat(150), callbackUrl });
      const accented = await isValid({ fid: 'é'.repeat(200), callbackUrl });
      if (astral.valid === true) t.observe('FLA-OPN-010', 'code-points', astral.exchange);
      else if (accented.valid !== null)
        t.observe('FLA-OPN-010', accented.valid ? 'utf16-units' : 'bytes', accented.exchange);
      // A public name with the address of a loopback interface.
      const resolving = await isValid({ fid, callbackUrl: 'https://localtest.me/gatecheck' });
      if (resolving.valid !== null)
        t.observe('FLA-OPN-012', resolving.valid ? 'name-list' : 'resolved', resolving.exchange);
    },
  }),
]);

/** Subscribes to the leg of a subscription again, with other callbackData. */
function asking(
  t: CheckContext,
  { leg }: FlightSubscription,
): (callbackData: JsonObject | null | 'absent') => Promise<Exchange> {
  return (callbackData) => sendSubscribe(t, renderFlightSubscription(leg, callbackData));
}
