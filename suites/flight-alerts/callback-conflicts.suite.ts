import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type KeyChoice,
  answered,
  answeredOtherThan,
  describeResponse,
  errorCode,
  fidConflict,
  fixed,
  hash32,
  holds,
  isAccepted,
  keyOf,
  keyOfEarlierRun,
  ok,
  responseOf,
  suite,
  urlConflict,
} from '../checks.ts';
import { keyOmission } from '../support/openFlightPoints.ts';
import { callbackOf, callbackSubscription, subscribeTo } from '../support/flights.ts';
import { retryRespelled } from '../support/respelled.ts';
import { asking, judgeRefusedAddress, legToChange, withOtherPort } from '../support/callbackQueries.ts';

export default suite('Flight alerts: a registered callback', [
  fixed({
    id: 'fla.callback.registered',
    title: 'the first registration of a callback returns a key, and a retry none, also in another spelling',
    verifies: ['FLA-SUB-005', 'FLA-SUB-006', 'FLA-SUB-017', 'FLA-SUB-021', 'FLA-CBR-014', 'FLA-OPN-009'],
    uses: ['callback-subscription'],
    tags: ['smoke'],
    run: async (t) => {
      const { leg, body, key, subscribed: first } = await t.fixtures.callbackSubscription();
      await judgeRefusedAddress(t, { leg, body, key, subscribed: first });
      const { fid, callbackUrl } = callbackOf((await callbackSubscription(t)).body);
      t.judge(first, { 'FLA-CBR-014': answered(first, ok) });
      if (callbackUrl.startsWith('https://example.com/')) {
        // Names with an address of their own are public, and so is the usual name of a web server.
        const www = await subscribeTo(t, leg, { fid, callbackUrl: 'https://www.example.com/gatecheck' }, key);
        // A conflict with what is registered shows that the address itself is accepted, whatever its status.
        const isConflict = errorCode(www) === urlConflict.code;
        t.judge([first, www], { 'FLA-CBR-014': isConflict ? holds : answeredOtherThan(www, 400) });
      }
      const retry = await retryRespelled(t, { leg, body, key, subscribed: first });
      const omission = keyOmission(retry);
      if (omission !== null) t.observe('FLA-OPN-009', omission, retry);
      // A real leg may have had this callback since an earlier run; then its key is lost.
      if (keyOf(first) === null) t.skip(keyOfEarlierRun);
    },
  }),

  fixed({
    id: 'fla.callback.conflicts',
    title: 'another URL or fid is refused, and neither that nor leaving them out changes what is registered',
    verifies: [
      ...['FLA-SUB-004', 'FLA-SUB-008', 'FLA-SUB-009', 'FLA-SUB-010', 'FLA-SUB-011', 'FLA-SUB-012'],
      ...['FLA-CBR-005', 'FLA-CBR-022', 'FLA-CBR-023', 'FLA-CBR-090', 'FLA-OPN-006'],
    ],
    uses: ['callback-subscription'],
    run: async (t) => {
      const { leg, callback, key } = await legToChange(t);
      const ask: Stage['ask'] = (callbackData) => subscribeTo(t, leg, callbackData, key);
      const first = await ask(callback);
      t.assume(isAccepted(first), `${first.id}: no callback to change, ${describeResponse(first)}`);
      const stage = { ask, callback, otherUrl: callback.callbackUrl.replace('?', '/other?') };
      await sendOtherUrls(stage);
      await sendOtherFids(t, stage);
      await sendWithoutCallback(stage);
    },
  }),

  fixed({
    id: 'fla.callback.equal-numbers',
    title: 'fids that are the same number, or look the same, are different texts',
    verifies: ['FLA-SUB-009'],
    uses: ['callback-subscription'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const { leg, callback, key } = await legToChange(t);
      const digits = String(hash32(callback.fid));
      const { callbackUrl } = callback;
      const first = await subscribeTo(t, leg, { fid: `00${digits}`, callbackUrl }, key);
      t.assume(isAccepted(first), `${first.id}: no callback to change, ${describeResponse(first)}`);
      await subscribeTo(t, leg, { fid: digits, callbackUrl }, key);

      // A letter with its accent in one code point and in two, which collations of databases take for one.
      const other = await legToChange(t);
      const accented = { ...other.callback, fid: `${other.callback.fid}-\u00e9` };
      const composed = await subscribeTo(t, other.leg, accented, other.key);
      t.assume(
        isAccepted(composed),
        `${composed.id}: ${describeResponse(composed)} for a fid with an accent`,
      );
      const fid = accented.fid.normalize('NFD');
      await subscribeTo(t, other.leg, { ...accented, fid }, other.key);
    },
  }),

  fixed({
    id: 'fla.callback.other-key',
    title: 'a subscribe without callbackData by another key of the enterprise leaves the callback in place',
    verifies: ['FLA-SUB-012'],
    needs: ['second-key', 'state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const { leg, callback } = await legToChange(t);
      const [one, other] = t.keys.primary.map((key): KeyChoice => ({ kind: 'key', key }));
      const first = await subscribeTo(t, leg, callback, one);
      const before = await subscribeTo(t, leg, callback, one);
      const isRetry = isAccepted(first) && isAccepted(before) && keyOf(before) === null;
      t.assume(isRetry, `${before.id}: a retry is not taken as one before`);
      const polling = await subscribeTo(t, leg, 'absent', other);
      t.assume(isAccepted(polling), `${polling.id}: ${describeResponse(polling)} for the other key`);
      // Whether the subscription is that of the enterprise or of the key, this callback stays.
      await subscribeTo(t, leg, callback, one);
    },
  }),

  fixed({
    id: 'fla.callback.foreign-members',
    title: 'members of callbackData that must not be supplied are refused or ignored',
    verifies: ['FLA-OPN-007'],
    uses: ['callback-subscription'],
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

  // A value that passes validation conflicts with the existing registration, so none of these registers anything.
  fixed({
    id: 'fla.callback.doubtful-values',
    title: 'long, blank and look-alike values of callbackData are refused as invalid or as other values',
    verifies: ['FLA-SUB-009', 'FLA-OPN-010', 'FLA-OPN-011', 'FLA-OPN-012', 'FLA-OPN-028', 'FLA-OPN-033'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const subscription = await callbackSubscription(t);
      const { fid, callbackUrl } = callbackOf(subscription.body);
      const ask = asking(t, subscription);
      const isValid = async (callback: JsonObject) => {
        const exchange = await ask(callback);
        const status = responseOf(exchange)?.status;
        return { exchange, valid: status === 409 ? true : status === 400 ? false : null };
      };
      // An address that does not resolve was tried before.
      const isFallback = callbackUrl.startsWith('https://example.com/');
      if (isFallback) t.observe('FLA-OPN-012', 'resolved', subscription.subscribed);
      const upper = await ask({
        fid,
        callbackUrl: callbackUrl.replace(/\/\/[^/]+/, (host) => host.toUpperCase()),
      });
      const status = responseOf(upper)?.status;
      if (status === 200) t.observe('FLA-OPN-011', 'normalized', upper);
      if (status === 409) t.observe('FLA-OPN-011', 'text', upper);

      const capitals = await isValid({ fid, callbackUrl: callbackUrl.replace(/^https/, 'HTTPS') });
      const isTaken = capitals.valid ?? responseOf(capitals.exchange)?.status === 200;
      if (capitals.valid === false || isTaken)
        t.observe('FLA-OPN-033', isTaken ? 'accepted' : 'refused', capitals.exchange);

      const tooLong = await isValid({ fid: 'f'.repeat(256), callbackUrl });
      t.assume(tooLong.valid === false, 'a conflict is found before an invalid value');
      const blank = await isValid({ fid: '   ', callbackUrl });
      if (blank.valid !== null)
        t.observe('FLA-OPN-028', blank.valid ? 'accepted' : 'refused', blank.exchange);
      // White space at the end is a part of a fid, which is echoed exactly.
      await isValid({ fid: `${fid} `, callbackUrl });
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

/** A leg with a registered callback. */
interface Stage {
  readonly callback: { readonly fid: string; readonly callbackUrl: string };
  readonly otherUrl: string;
  readonly ask: (callbackData: JsonObject | 'absent' | null) => Promise<Exchange>;
}

/** After a refused change, the first registration is still in place. */
async function sendOtherUrls({ ask, callback, otherUrl }: Stage): Promise<void> {
  const { fid, callbackUrl } = callback;
  await ask({ fid, callbackUrl: otherUrl });
  await ask(callback);
  // Only the query differs.
  await ask({ fid, callbackUrl: `${callbackUrl}&more=1` });
  // Letter case counts in a path (RFC 3986, 6.2.2.1).
  await ask({ fid, callbackUrl: callbackUrl.replace('/gatecheck/', '/GATECHECK/') });
  await ask({ fid, callbackUrl: withOtherPort(callbackUrl) });
}

async function sendOtherFids(t: CheckContext, { ask, callback, otherUrl }: Stage): Promise<void> {
  const { fid, callbackUrl } = callback;
  for (const other of [`${fid}-é北ع`, '0', `${fid} other`]) await ask({ fid: other, callbackUrl });
  await ask(callback);
  // Leading zeros are preserved, and a fid in another letter case is another.
  for (const like of [fid.replace(/^0/, ''), fid.toUpperCase()]) await ask({ fid: like, callbackUrl });
  const both = await ask({ fid: `${fid}-other`, callbackUrl: otherUrl });
  const isFidFirst = errorCode(both) === fidConflict.code;
  t.observe('FLA-OPN-006', isFidFirst ? 'fid-first' : 'callback-url-first', both);
  await ask(callback);
}

/** A subscribe without callbackData keeps the callback. */
async function sendWithoutCallback({ ask, callback, otherUrl }: Stage): Promise<void> {
  await ask('absent');
  await ask(null);
  await ask({ fid: callback.fid, callbackUrl: otherUrl });
  await ask(callback);
}
