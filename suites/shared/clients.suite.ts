import {
  accepted,
  fixed,
  found,
  generate,
  holds,
  isAccepted,
  judgeInFront,
  list,
  lookup,
  notApplicable,
  objectOf,
  rawRequest,
  responseOf,
  status,
  suite,
  table,
  update,
  type ApiRequest,
  type CheckContext,
  type Exchange,
} from '../checks.ts';
import { anyFlight } from '../support/flights.ts';
import { sameKey } from '../support/keys.ts';
import { bookingParts, multipart, sendInSomeForm } from '../support/multipart.ts';

/** The same for each of some rules. */
const forRules = (...rules: readonly string[]) =>
  generate.ordinaryHeaders.flatMap((row) => rules.map((rule) => ({ ...row, rule })));

export default suite('Requests as clients write them', [
  table({
    id: 'wci.clients.headers',
    title: 'headers that clients send besides change neither a list nor the error of a status',
    verifies: ['WCI-LST-001', 'WCI-STS-004'],
    rows: forRules('WCI-LST-001', 'WCI-STS-004'),
    run: (t, rows) => {
      const checkin_id = t.unknown.checkinId('gatecheck-nobody');
      return t.each(rows, async ({ rule, headers }) => {
        await t.send(
          rule === 'WCI-LST-001' ? list({ limit: '1' }, { headers }) : status({ checkin_id }, { headers }),
        );
      });
    },
  }),

  table({
    id: 'wci.clients.media-types',
    title: 'JSON is read however its media type is written',
    verifies: ['SHR-ERR-039'],
    needs: ['writes'],
    uses: ['complete-record'],
    rows: generate.jsonTypes.flatMap((type) =>
      (['wci.subscribe', 'wci.update'] as const).map((operation) => ({
        ...{ rule: 'SHR-ERR-039', name: `${type} of ${operation}`, type, operation },
      })),
    ),
    run: async (t, rows) => {
      const { body, checkinId, subscribed } = await t.fixtures.completeRecord();
      const key = sameKey(t, subscribed);
      const bodies = {
        'wci.subscribe': body,
        'wci.update': { checkin_id: checkinId, passengers: body.passengers ?? [] },
      };
      await t.each(rows, async ({ type, operation }) => {
        const send = (as: string) =>
          t.send(rawRequest(operation, JSON.stringify(bodies[operation]), as, { key }));
        // What is refused in the plainest form too is no matter of how the type is written.
        if (!isAccepted(await send(type))) await send('application/json');
      });
    },
  }),

  fixed({
    id: 'wci.clients.chunked',
    title: 'a body that is sent in chunks, as streaming clients do, is read or its length is asked for',
    verifies: ['WCI-MP-081', 'SHR-OPN-018'],
    needs: ['writes'],
    uses: ['complete-record'],
    run: async (t) => {
      const { body, checkinId, subscribed } = await t.fixtures.completeRecord();
      const options = { key: sameKey(t, subscribed) };
      const chunked = { ...options, headers: [['transfer-encoding', 'chunked']] } as const;
      const changes = { checkin_id: checkinId, passengers: body.passengers ?? [] };
      const json = await t.send(update(changes, chunked));
      t.observe('SHR-OPN-018', howChunksAreRead(json), json);
      const send = async (more: typeof options) =>
        sendInSomeForm((form) =>
          t.send(multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', form), more)),
        );
      const { exchange: form } = await send(chunked);
      const fate = howChunksAreRead(form);
      if (fate !== 'read')
        t.assume(isAccepted((await send(options)).exchange), 'no multipart subscribe is accepted');
      if (isAccepted(json)) t.observe('SHR-OPN-018', fate, form);
      t.judge(form, { 'WCI-MP-081': fate === 'length-required' ? holds : accepted(form) });
    },
  }),

  table({
    id: 'fla.clients.headers',
    title: 'headers that clients send besides do not change the error of a lookup',
    verifies: ['SHR-ERR-022'],
    rows: forRules('SHR-ERR-022'),
    run: async (t, rows) => {
      const { flightNumber } = await anyFlight(t);
      const query = { flightNumber, departureDate: 'tomorrow' };
      await t.each(rows, async ({ headers }) => {
        await t.send(lookup(query, { headers }));
      });
    },
  }),

  table({
    id: 'wci.clients.percent',
    title: 'a broken percent-encoding is no reason for anything but an answer of the API',
    verifies: ['SHR-ERR-007'],
    rows: ['checkin_id', 'status'].flatMap((name) =>
      generate.brokenEscapes.map((value) => ({
        rule: 'SHR-ERR-007',
        name: `${name}=${value}`,
        isList: name === 'status',
      })),
    ),
    run: (t, rows) =>
      t.each(rows, async ({ name, isList }) => {
        await t.send({ ...(isList ? list() : status({})), query: name });
      }),
  }),

  table({
    id: 'fla.clients.percent',
    title: 'a flight number in a broken percent-encoding is refused by the API itself',
    verifies: ['SHR-ERR-022'],
    rows: generate.brokenEscapes.map((value) => ({ rule: 'SHR-ERR-022', name: `flightNumber=${value}` })),
    run: async (t, rows) => {
      const { departureDate } = await anyFlight(t);
      await t.each(rows, async ({ name }) => {
        await t.send({ ...lookup({}), query: `${name}&departureDate=${departureDate}` });
      });
    },
  }),

  fixed({
    id: 'wci.clients.oversized',
    title: 'a request that a web server refuses by itself gets no error page',
    verifies: ['SHR-ERR-040', 'SHR-OPN-017'],
    needs: ['writes'],
    run: async (t) => {
      const checkin_id = t.unknown.checkinId('gatecheck-nobody');
      const { header, body, path } = generate.oversized;
      const plain = status({ checkin_id });
      const update = JSON.stringify({ checkin_id, passengers: [{ first_name: 'Ada', last_name: 'Long' }] });
      const sent = [
        { ...plain, headers: [header] },
        { ...plain, ...unnamed, path: `${plain.path}${path}` },
        rawRequest('wci.update', update + body, 'application/json'),
      ];
      for (const request of sent) {
        const x = await observeRefusal(t, request);
        const isOfApi = request.operation !== null && howAnswered(x) !== 'read';
        const response = isOfApi ? responseOf(x) : null;
        const judged = found((findings) => response && judgeInFront(response, findings));
        t.judge(x, { 'SHR-ERR-040': notApplicable, ...judged });
      }
    },
  }),

  fixed({
    id: 'fla.clients.oversized',
    title: 'how a lookup is answered that a web server refuses by itself',
    verifies: ['SHR-OPN-017'],
    run: async (t) => {
      const plain = lookup({ flightNumber: 'XX1', departureDate: 'tomorrow' });
      const { header, path } = generate.oversized;
      await observeRefusal(t, { ...plain, headers: [header] });
      await observeRefusal(t, { ...plain, ...unnamed, path: `${plain.path}${path}` });
    },
  }),
]);

/** Below the path of an operation is none, so whatever answers there is not bound by the errors of the API. */
const unnamed = { operation: null } as const;

async function observeRefusal(t: CheckContext, request: ApiRequest): Promise<Exchange> {
  const x = await t.send(request);
  const what = request.operation === null ? 'a path' : request.body === null ? 'a header' : 'a body';
  t.observe('SHR-OPN-017', howAnswered(x), x, what);
  return x;
}

/** What the application answers to a key, to an id that is unknown, or to a path that is. */
const ofApplication = [401, 404, 409, 422, 429];

/** The variant of SHR-OPN-017. */
function howAnswered(x: Exchange): 'read' | 'json' | 'page' | 'empty' | 'closed' {
  const response = responseOf(x);
  if (response === null) return 'closed';
  if (response.status < 400 || ofApplication.includes(response.status)) return 'read';
  if (response.body.length === 0) return 'empty';
  return objectOf(x) === null ? 'page' : 'json';
}

/** The variant of SHR-OPN-018, of a request that is right. */
function howChunksAreRead(x: Exchange): 'read' | 'length-required' | 'refused' | 'internal-error' | 'closed' {
  const status = responseOf(x)?.status;
  if (status === undefined) return 'closed';
  if (status === 411) return 'length-required';
  if (status >= 500) return 'internal-error';
  return isAccepted(x) || status === 409 || status === 422 ? 'read' : 'refused';
}
