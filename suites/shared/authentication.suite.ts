import {
  type CheckContext,
  type Exchange,
  answered,
  errorForm,
  errorMembers,
  fixed,
  generate,
  headerOf,
  noKey,
  oracles,
  passive,
  responseOf,
  sparing,
  suite,
  table,
  unauthorized,
} from '../checks.ts';
import {
  assumeClosed,
  emptyKey,
  invented,
  primary,
  spare,
  swapCase,
  unknownKey,
  withKey,
} from '../support/keys.ts';
import { anyRead, namedReads, readsOf } from '../support/reads.ts';

const nearMisses = generate.nearKeys.map((name) => ({ rule: 'SHR-AUT-005', name }));

export default suite('Authentication', [
  sparing({
    id: 'shared.auth.missing',
    title: 'a read without a key is 401 on both APIs',
    verifies: ['SHR-AUT-001', 'SHR-AUT-002', 'SHR-OPN-005', 'SHR-OPN-014', 'WCI-OPN-013'],
    tags: ['smoke'],
    run: async (t) => {
      const forms: Record<string, 'code' | 'text' | null> = {};
      await t.each(namedReads(t, noKey), async ({ request }) => {
        const x = await t.send(request);
        forms[request.api] = errorForm(x);
        observeRefusal(t, x);
      });
      await t.each(t.isSparing ? [] : ['as if from the machine itself'], async () => {
        await t.send(anyRead(t, { key: noKey, headers: [['X-Forwarded-For', '127.0.0.1']] }));
      });
      const variant = formVariants[`${forms.webcheckin ?? ''} ${forms['flight-alerts'] ?? ''}`];
      if (variant !== undefined) t.observe('SHR-OPN-005', variant);
    },
  }),

  fixed({
    id: 'shared.auth.unusable',
    title: 'an empty and an unknown key get 401 on the reads of both APIs',
    verifies: ['SHR-AUT-003', 'SHR-AUT-004', 'SHR-OPN-014', 'WCI-OPN-013'],
    tags: ['smoke'],
    run: (t) => {
      const rows = [
        ...namedReads(t, emptyKey, 'empty key, '),
        ...namedReads(t, unknownKey(t), 'unknown key, '),
      ];
      return t.each(rows, async ({ request }) => observeRefusal(t, await t.send(request)));
    },
  }),

  table({
    id: 'shared.auth.near-miss',
    title: 'a key that differs from an active one by a character, or has one less or more, is 401',
    verifies: ['SHR-AUT-005', 'SHR-OPN-012'],
    rows: nearMisses,
    run: async (t, rows) => {
      const { value } = spare(t);
      await t.each(rows, ({ name }) => sendNearMiss(t, name));
      const swapped = swapCase(value);
      if (swapped === value || knownKeys(t).includes(swapped)) return;
      const x = await t.send(anyRead(t, { key: invented('letter case changed', swapped) }));
      const code = responseOf(x)?.status;
      if (code === 401) t.observe('SHR-OPN-012', 'exact', x);
      if (code === 200) t.observe('SHR-OPN-012', 'case-insensitive', x);
    },
  }),

  fixed({
    id: 'shared.auth.both-apis',
    title: 'one key is accepted by both APIs, each at its documented path',
    verifies: ['SHR-AUT-009', 'SHR-AUT-023', 'SHR-OPN-008'],
    tags: ['smoke'],
    run: async (t) => {
      for (const request of readsOf(t, { key: withKey(primary(t)) }))
        observeAnnouncement(t, await t.send(request));
      if (t.apis.length < 2) t.skip('the target has one API only');
    },
  }),

  table({
    id: 'shared.auth.header-name',
    title: 'the name of the header may be written in any case',
    verifies: ['SHR-AUT-012'],
    tags: ['smoke'],
    rows: generate.keySpellings,
    run: (t, rows) =>
      t.each(rows, async ({ name }) => {
        await t.send(anyRead(t, { keyHeader: name }));
      }),
  }),

  table({
    id: 'shared.auth.other-header',
    title: 'a key in the Authorization header does not authenticate',
    verifies: ['SHR-AUT-011'],
    rows: [
      { rule: 'SHR-AUT-011', name: 'as a bearer token', written: (key: string) => `Bearer ${key}` },
      { rule: 'SHR-AUT-011', name: 'as it is', written: (key: string) => key },
      { rule: 'SHR-AUT-011', name: 'after ApiKey', written: (key: string) => `ApiKey ${key}` },
      {
        rule: 'SHR-AUT-011',
        name: 'as the name of a user',
        written: (key: string) => `Basic ${btoa(`${key}:`)}`,
      },
    ],
    run: async (t, rows) => {
      await assumeClosed(t);
      await t.each(rows, async ({ written }) => {
        const headers = [['Authorization', written(primary(t).value)]] as const;
        await t.send(anyRead(t, { key: noKey, headers }));
      });
    },
  }),

  fixed({
    id: 'shared.auth.repeated-header',
    title: 'what becomes of a key that is sent twice',
    verifies: ['SHR-OPN-016'],
    run: async (t) => {
      const key = primary(t);
      const headers = [['X-API-Key', key.value]] as const;
      const x = await t.send(anyRead(t, { key: withKey(key), headers }));
      const code = responseOf(x)?.status;
      if (code === 200) t.observe('SHR-OPN-016', 'accepted', x);
      if (code === 400 || code === 401) t.observe('SHR-OPN-016', 'refused', x);
    },
  }),

  passive('shared', oracles.keyRefusals),
]);

const formVariants: Readonly<Record<string, string>> = {
  'code code': 'code-on-both',
  'text text': 'text-on-both',
  'code text': 'code-on-web-check-in-only',
  'text code': 'text-on-web-check-in-only',
};

/** What accompanies the error of a 401, and on web check-in whether it is a code. */
function observeRefusal(t: CheckContext, x: Exchange): void {
  if (responseOf(x)?.status !== 401) return;
  const company = x.operation?.startsWith('fla.') === true ? errorMembers(x) : null;
  if (company !== null) t.observe('SHR-OPN-014', company, x);
  const form = errorForm(x);
  if (x.operation === 'wci.list' && form !== null)
    t.observe('WCI-OPN-013', form === 'code' ? 'codes' : 'texts', x);
}

/** Whether an answer announces that something will change. */
function observeAnnouncement(t: CheckContext, x: Exchange): void {
  const response = responseOf(x);
  if (!response) return;
  const announces = ['deprecation', 'sunset'].some((name) => headerOf(response, name) !== null);
  t.observe('SHR-OPN-008', announces ? 'announced-in-headers' : 'nothing-announced', x);
}

/** A value near a key, and another one if it is let in: the first may be a key as well. */
async function sendNearMiss(t: CheckContext, name: generate.NearKey): Promise<void> {
  const near = generate.valuesNear(name, spare(t).value, knownKeys(t));
  t.assume(near.length > 0, 'every key near the primary one is a key as well');
  for (const value of near.slice(0, 2)) {
    const x = await t.send(anyRead(t, { key: invented(name, value) }));
    if (answered(x, unauthorized).status !== 'violated') return;
  }
}

function knownKeys(t: CheckContext): readonly string[] {
  return t.keys.all().map(({ value }) => value);
}
