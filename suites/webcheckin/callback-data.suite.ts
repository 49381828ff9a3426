import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  accepted,
  answeredOtherThan,
  fc,
  fixed,
  generate,
  isAccepted,
  notAccepted,
  property,
  rawRequest,
  recordOf,
  refusedEitherWay,
  responseOf,
  rulesOf,
  subscribe,
  suite,
  table,
} from '../checks.ts';
import { judgeCallbackApart, plainUrl as url, withCallback } from '../support/callbackForms.ts';
import { corrupt, withFreshPnr } from '../support/checkin.ts';
import { sameKey } from '../support/keys.ts';
import { judgeUnlisted } from '../support/rejections.ts';

const all = generate.checkinCallbackCorruptions;
// What the table leaves out, the property sends: another spelling of a fault that stands in it already.
const rows = all.filter(
  ({ name }) => !/^null-|-empty$|trailing-return|callbackUrl-object|-array$|-true$/.test(name),
);
const rules = rulesOf(rows);
/** Rules about the text of a value, which callback validation alone can find. */
const invalidValues: readonly string[] = [
  ...['WCI-CBR-003', 'WCI-CBR-008', 'WCI-CBR-009', 'WCI-CBR-010', 'WCI-CBR-011', 'WCI-CBR-012'],
];
/** Header names and an address with a port and a query, each repeated with a booking that is known. */
const forms: readonly { readonly rule: string; readonly name: string; readonly callbackUrl?: string }[] = [
  ...generate.authNames.slice(1),
  {
    rule: 'WCI-CBR-004',
    name: generate.keyHeader,
    callbackUrl: 'http://example.com:8080/gatecheck/hook?to=ci&n=1',
  },
  { rule: 'WCI-CBR-022', name: generate.keyHeader, callbackUrl: 'https://example.com:8443/gatecheck/hook' },
];

export default suite('Callback data', [
  table({
    id: 'wci.callback.refused',
    title: 'callbackData that breaks a rule is refused and leaves no attempt',
    verifies: [...rules, 'WCI-CBR-013', 'WCI-CBR-014', 'WCI-CBR-020'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows,
    run: async (t, sent) => {
      const body = await t.fixtures.booking();
      await t.each(sent, async (one) => {
        const exchange = await t.send(subscribe(corrupt(t, one, withFreshPnr(t, body))));
        t.judge(exchange, { [one.rule]: notAccepted(exchange) });
        t.judge(exchange, { 'WCI-CBR-013': refusedEitherWay(exchange) });
        if (!isAccepted(exchange) && invalidValues.includes(one.rule))
          t.judge(exchange, { 'WCI-CBR-020': answeredOtherThan(exchange, 400) });
      });
      const broken = JSON.stringify(withCallback(body, { auth_header: 'X-API-Key: gate@check' }));
      const escaped = await t.send(
        rawRequest('wci.subscribe', broken.replace('gate@check', 'gate\\u000acheck'), 'application/json'),
      );
      t.judge(escaped, { 'WCI-CBR-012': notAccepted(escaped) });
      await judgeUnlisted(t, 'WCI-CBR-014', { refused: escaped, pnr: body.pnr });
    },
  }),

  property({
    id: 'wci.callback.corrupted',
    title: 'any callbackData with one fault is refused',
    verifies: rules,
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    maxCases: 40,
    run: async (t) => {
      const body = await t.fixtures.booking();
      const broken = fc.oneof(
        ...all.map(({ rule, name, apply }) =>
          // The name says what is wrong where the value is not shown.
          apply.map((change) => ({ rule, name, callbackData: change(body).callbackData ?? null })),
        ),
      );
      await t.forAll('callbackData with one fault', broken, async ({ rule, callbackData }) => {
        const exchange = await t.send(subscribe({ ...withFreshPnr(t, body), callbackData }));
        t.judge(exchange, { [rule]: notAccepted(exchange) });
      });
    },
  }),

  property({
    id: 'wci.callback.accepted',
    title: 'callbackData of every allowed form is accepted',
    verifies: [
      'WCI-CBR-004',
      'WCI-CBR-005',
      'WCI-CBR-006',
      'WCI-CBR-007',
      'WCI-CBR-015',
      'WCI-CBR-022',
      'WCI-OPN-003',
      'WCI-OPN-044',
    ],
    uses: ['complete-record'],
    rows: forms,
    run: async (t, rows) => {
      const body = await t.fixtures.booking();
      const auth = (name: string) => `${name}: ${t.identities.authValue()}`;
      const first = await t.send(subscribe(withCallback(body, { auth_header: auth(generate.keyHeader) })));
      if (!isAccepted(first)) await judgeCallbackApart(t, body);
      t.judge(first, {
        'WCI-CBR-004': accepted(first),
        'WCI-CBR-005': accepted(first),
        'WCI-CBR-015': accepted(first),
      });
      const record = recordOf(body, first);
      const key = sameKey(t, first);
      const repeat = (callback: JsonObject) =>
        t.send(subscribe(withCallback(record.body, callback), { key }));
      const turnedDown: Exchange[] = [];
      await t.each(rows, async ({ rule, name, callbackUrl = url }) => {
        const exchange = await repeat({ callbackUrl, auth_header: auth(name) });
        if (!isAccepted(exchange)) turnedDown.push(exchange);
        t.judge(exchange, { [rule]: accepted(exchange) });
      });
      const minimal = { callbackUrl: url, auth_header: auth('Authorization') };
      const optional = await t.send(subscribe({ ...record.body, callbackData: minimal }));
      if (isAccepted(optional)) t.observe('WCI-OPN-003', 'optional', optional);
      else if ([400, 422].includes(responseOf(optional)?.status ?? 0))
        t.observe('WCI-OPN-003', 'required', optional);
      await observeSpacings(t, repeat);
      if (turnedDown.length > 0) return;
      await t.forAll('callbackData', generate.checkinCallback(url, 'gatecheck'), async (callbackData) => {
        const exchange = await t.send(subscribe({ ...record.body, callbackData }));
        t.judge(exchange, { 'WCI-CBR-015': accepted(exchange) });
      });
    },
  }),

  fixed({
    id: 'wci.callback.client-id',
    title: 'what happens to a clientId of a wrong type or of another enterprise',
    verifies: ['WCI-OPN-047'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const answers = [];
      for (const clientId of [5, 'another-enterprise'])
        answers.push(await t.send(subscribe(withCallback(record.body, { clientId }))));
      const known = answers.filter((answer) => [200, 400, 422].includes(responseOf(answer)?.status ?? 0));
      const taken = new Set(known.map(isAccepted));
      if (taken.size === 2) t.observe('WCI-OPN-047', 'by-kind');
      else if (taken.size === 1) t.observe('WCI-OPN-047', taken.has(true) ? 'accepted' : 'refused', known[0]);
    },
  }),
]);

/** The forms that the catalogue leaves open: no space, several of them, spaces around and nothing but spaces. */
async function observeSpacings(
  t: CheckContext,
  repeat: (callback: JsonObject) => ReturnType<CheckContext['send']>,
) {
  const value = t.identities.authValue();
  const spacings = [`X-API-Key:${value}`, `X-API-Key:   ${value}`, 'X-API-Key:   '];
  const taken = new Set<boolean>();
  for (const auth_header of spacings) {
    const exchange = await repeat({ auth_header });
    if ([200, 400, 422].includes(responseOf(exchange)?.status ?? 0)) taken.add(isAccepted(exchange));
  }
  if (taken.size === 2) t.observe('WCI-OPN-044', 'by-form');
  else if (taken.size === 1) t.observe('WCI-OPN-044', taken.has(true) ? 'accepted' : 'refused');
}
