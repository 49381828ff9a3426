import {
  type CheckContext,
  type Exchange,
  type RawBody,
  fc,
  fixed,
  generate,
  list,
  oracles,
  passive,
  rawRequest,
  responseOf,
  suite,
  table,
  update,
} from '../checks.ts';
import { unknownKey } from '../support/keys.ts';

const json = 'application/json';

/** All bodies that are tried on an update. */
const updateBodies = generate.rawBodies('wci.update', '{}');
/** The bodies that are tried if a request could cost something; the update gets all. */
const plainBodies = ['empty-body', 'opening-brace', 'array', 'deep', 'byte-order-mark'];
const isPlain = ({ name }: RawBody) => plainBodies.includes(name);

export default suite('Errors', [
  passive('shared', oracles.answers),
  passive('shared', oracles.internalErrors),
  passive('shared', oracles.acceptedBefore),
  passive('wci', oracles.stableCodes),

  table({
    id: 'wci.errors.update-body',
    title: 'an update whose body is broken JSON, or no object, is 400 VALIDATION_ERROR',
    verifies: ['SHR-ERR-012', 'SHR-ERR-013', 'SHR-AUT-023'],
    uses: ['workbench-record'],
    rows: updateBodies,
    run: async (t, rows) => {
      const record = await t.fixtures.workbenchRecord();
      const valid = JSON.stringify({ checkin_id: record.checkinId, passengers: record.body.passengers });
      const wanted = rows.map(({ name }) => name);
      for (const row of generate.rawBodies('wci.update', valid)) {
        const send = async (body: string) => {
          await t.send(rawRequest('wci.update', body, json));
        };
        if (wanted.includes(row.name)) await t.forAll(row.name, row.body, send, { cases: 1 });
      }
    },
  }),

  table({
    id: 'wci.errors.subscribe-body',
    title: 'a subscribe whose body is broken JSON, or no object, is 400 VALIDATION_ERROR',
    verifies: ['SHR-ERR-012', 'SHR-ERR-013', 'SHR-AUT-023'],
    needs: ['writes', 'quota'],
    rows: generate.rawBodies('wci.subscribe', '{}').filter(isPlain),
    run: (t, rows) => eachBody(t, 'wci.subscribe', rows),
  }),

  fixed({
    id: 'fla.errors.subscribe-body',
    title: 'a flight subscribe whose body is broken JSON, or no object, is 400 VALIDATION_ERROR',
    verifies: ['SHR-ERR-027', 'SHR-AUT-023'],
    needs: ['writes', 'subscriptions'],
    run: (t) => eachBody(t, 'fla.subscribe', generate.rawBodies('fla.subscribe', '{}').filter(isPlain)),
  }),

  fixed({
    id: 'wci.errors.stable-code',
    title: 'the same refusal has the same code every time',
    verifies: ['SHR-ERR-005', 'SHR-AUT-004'],
    run: async (t) => {
      const request = list({ limit: '1' }, { key: unknownKey(t) });
      await t.send(request);
      await t.send(request);
    },
  }),

  fixed({
    id: 'wci.errors.unknown-members',
    title: 'what becomes of unknown members of a body and unknown query parameters',
    verifies: ['SHR-OPN-009'],
    uses: ['workbench-record'],
    run: async (t) => {
      const { checkinId, body } = await t.fixtures.workbenchRecord();
      const query = await t.send(list({ limit: '1', gatecheck_unknown: '1' }));
      const sent = { checkin_id: checkinId, passengers: body.passengers, gatecheck_unknown: 1 };
      const member = await t.send(update(sent));
      const variant = unknownVariants[`${fate(query)} ${fate(member)}`];
      if (variant !== undefined) t.observe('SHR-OPN-009', variant, member);
    },
  }),

  fixed({
    id: 'wci.errors.content-type',
    title: 'what becomes of a JSON body with a missing or foreign content type',
    verifies: ['SHR-OPN-010'],
    uses: ['workbench-record'],
    run: async (t) => {
      const { checkinId, body } = await t.fixtures.workbenchRecord();
      const text = JSON.stringify({ checkin_id: checkinId, passengers: body.passengers });
      const answers = [];
      for (const type of [null, 'text/plain'])
        answers.push(await t.send(rawRequest('wci.update', text, type)));
      const variants = new Set(answers.map((x) => typeVariants[responseOf(x)?.status ?? 0]));
      const [variant] = variants;
      if (variants.has(undefined)) return;
      if (variant !== undefined)
        t.observe('SHR-OPN-010', variants.size > 1 ? 'by-type' : variant, answers[0]);
    },
  }),
]);

/** One body of each kind, the same in every run of a seed. */
function eachBody(
  t: CheckContext,
  operation: 'wci.subscribe' | 'fla.subscribe',
  rows: readonly RawBody[],
): Promise<void> {
  return t.each(rows, async (row) => {
    const [body = ''] = fc.sample(row.body, { numRuns: 1, seed: t.settings.seed });
    await t.send(rawRequest(operation, body, json));
  });
}

/** Whether what is unknown was ignored or refused; null where the answer shows neither. */
function fate(x: Exchange): 'ignored' | 'refused' | null {
  const code = responseOf(x)?.status;
  if (code === 200) return 'ignored';
  return code === 400 ? 'refused' : null;
}

/** Variants by what happened to the query and to the body. */
const unknownVariants: Readonly<Record<string, string>> = {
  'ignored ignored': 'ignored',
  'refused refused': 'refused',
  'ignored refused': 'refused-in-bodies',
  'refused ignored': 'refused-in-queries',
};

const typeVariants: Readonly<Record<number, string>> = {
  200: 'parsed',
  400: 'refused-400',
  415: 'refused-415',
  500: 'error-500',
};
