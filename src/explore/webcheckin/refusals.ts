import { rawBodies } from '../../generate/kit/rawBodies.ts';
import { filePart, jsonPart, textPart, type Part } from '../../generate/kit/multipart.ts';
import { rawRequest, status, update, type ApiRequest } from '../../send/request.ts';
import { objectsAt, type JsonObject } from '../../spec/kit/json.ts';
import type { Own } from '../book.ts';
import type { Situation } from '../situation.ts';
import { withPassengers, type Stage } from '../stage.ts';
import { multipart, partsOf, written } from './requests.ts';
import { spending } from './subscribes.ts';
import { withScan, withWaiting } from './updates.ts';

type Wci = Situation<Stage>;

/** Ids that name nothing, bodies that are no JSON, and the ways in which parts can be written. */
export function refusals(): readonly Wci[] {
  return [...unknown, ...odd, ...raw(), ...parts];
}

type Ask = (stage: Stage, own: Own) => ApiRequest;

const passengersOf = (stage: Stage) => [{ ...stage.passenger(), passport: null }];
const madeUp = (stage: Stage, own: Own) => stage.bench.unknown.checkinId(own.id, stage.roll(1000));

/** Requests for a record that does not exist. */
const asks: Readonly<Record<string, Ask>> = {
  'status by checkin_id': (stage, own) => status({ checkin_id: madeUp(stage, own) }),
  'status by checkinId': (stage, own) => status({ checkinId: madeUp(stage, own) }),
  'update by checkin_id': (stage, own) =>
    update({ checkin_id: madeUp(stage, own), passengers: passengersOf(stage) }),
  'update by webcheckin_id': (stage, own) =>
    update({ webcheckin_id: madeUp(stage, own), passengers: passengersOf(stage) }),
  'update by booking_id': (stage) =>
    update({ booking_id: stage.bench.unknown.bookingId(stage.roll(1000)), passengers: passengersOf(stage) }),
  'update of a pnr': (stage, own) =>
    update({
      ...{ checkin_id: madeUp(stage, own), type: 'pnr' },
      payload: { pnr: stage.bench.identities.pnr() },
    }),
  'multipart update': (stage, own) =>
    written(
      stage,
      'wci.update',
      { checkin_id: madeUp(stage, own), passengers: passengersOf(stage) },
      'multipart',
    ),
  'update by a made-up id beside a booking': (stage, own) =>
    update({
      ...{ checkin_id: madeUp(stage, own), booking_id: own.bookingId },
      passengers: passengersOf(stage),
    }),
  'invalid update': (stage, own) => update({ checkin_id: madeUp(stage, own), passengers: [] }),
  'status by a booking_id': (_stage, own) => status({ checkin_id: String(own.bookingId) }),
  'status by a parameter booking_id': (_stage, own) => status({ booking_id: String(own.bookingId) }),
  'update by a booking_id as checkin_id': (stage, own) =>
    update({ checkin_id: String(own.bookingId), passengers: passengersOf(stage) }),
  'update by a booking_id as webcheckin_id': (stage, own) =>
    update({ webcheckin_id: String(own.bookingId), passengers: passengersOf(stage) }),
  // To some readers, and some databases, a number ends where its digits do.
  'update by a booking_id with letters behind it': (stage, own) =>
    update({ booking_id: `${String(own.bookingId)}abc`, passengers: passengersOf(stage) }),
  'status by a part of an id': (_stage, own) => status({ checkin_id: own.id.slice(0, -3) }),
};

const unknown: readonly Wci[] = Object.entries(asks).map(([name, ask]) => ({
  name: `unknown record: ${name}`,
  family: 'unknown records',
  cells: ['unknown', `unknown ${name.split(' ')[0]}`, `unknown ${name}`],
  price: 1,
  worth: 1,
  ...withWaiting(async (stage, own) => {
    await stage.send(ask(stage, own));
    stage.touched(own, `unknown ${name}`);
  }),
}));

const oddQueries: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  none: [],
  empty: [['checkin_id', '']],
  array: [['checkin_id[]', 'x']],
  quote: [['checkin_id', "'"]],
  'null character': [['checkin_id', 'a\u0000b']],
  long: [['checkin_id', 'x'.repeat(3000)]],
  twice: [
    ['checkin_id', 'x'],
    ['checkin_id', 'y'],
  ],
};

const oddBodies: Readonly<Record<string, (own: Own, passengers: readonly JsonObject[]) => JsonObject>> = {
  'id of a number': (_own, passengers) => ({ checkin_id: 7, passengers }),
  'payload of text': ({ id }, passengers) => ({ checkin_id: id, payload: 'x', passengers }),
  'type of null': ({ id }, passengers) => ({ checkin_id: id, type: null, passengers }),
  'large booking': (_own, passengers) => ({ booking_id: 99_999_999_999_999, passengers }),
  'negative booking': (_own, passengers) => ({ booking_id: -1, passengers }),
  'null character': (_own, passengers) => ({ checkin_id: 'a\u0000b', passengers }),
  'long id': (_own, passengers) => ({ checkin_id: 'x'.repeat(3000), passengers }),
  'pnr beside passengers': ({ id }, passengers) => ({ checkin_id: id, pnr: 'GTCHK7', passengers }),
  'pnr twice': ({ id }) => ({ checkin_id: id, type: 'pnr', pnr: 'GTCHK7', payload: { pnr: 'GTCHK8' } }),
  'short pnr': ({ id }) => ({ checkin_id: id, type: 'pnr', payload: { pnr: 'GT7' } }),
};

const odd: readonly Wci[] = [
  ...Object.entries(oddQueries).map(([name, query]): Wci => ({
    name: `status by an odd query: ${name}`,
    family: 'odd requests',
    cells: ['odd status', `odd status ${name}`],
    price: 1,
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      await stage.send(status(query));
    },
  })),
  ...Object.entries(oddBodies).map(([name, body]): Wci => ({
    name: `odd update: ${name}`,
    family: 'odd requests',
    cells: ['odd update', `odd update ${name}`],
    price: 1,
    worth: 0.8,
    ...withWaiting(async (stage, own) => {
      await stage.send(update(body(own, passengersOf(stage))));
      stage.touched(own, `odd update ${name}`);
    }),
  })),
];

function raw(): readonly Wci[] {
  return (['wci.subscribe', 'wci.update'] as const).flatMap((operation) =>
    rawBodies(operation, '{"pnr":"GTCHK1"}').map(({ rule, name, body }): Wci => ({
      name: `${operation} with ${name}`,
      family: 'raw bodies',
      cells: [`raw ${rule}`, `raw ${operation} ${rule}`, `raw ${name}`, `raw ${operation} ${name}`],
      price: 1,
      worth: 1,
      isPossible: () => true,
      bring: async (stage) => {
        await stage.send(rawRequest(operation, stage.sample(body), 'application/json'));
      },
    })),
  );
}

type Write = (stage: Stage, body: JsonObject) => readonly Part[];
const plain: Write = (_stage, body) => partsOf('wci.subscribe', body);
const scanned = (body: JsonObject, name: string) =>
  withPassengers(body, (all) => all.map((one) => withScan(one, name)));

/** The ways in which the parts of a subscribe can be written. */
const partForms: Readonly<Record<string, Write>> = {
  'without types': (stage, body) => plain(stage, body).map((part) => ({ ...part, contentType: null })),
  'as JSON parts': (stage, body) =>
    plain(stage, body).map((part) => ({ ...part, contentType: 'application/json' })),
  'a part that is no JSON': (stage, body) =>
    plain(stage, body).map((part) => (part.name === 'passengers' ? { ...part, content: '[{"first' } : part)),
  'flights that are no JSON': (stage, body) =>
    plain(stage, body).map((part) => (part.name === 'flights' ? { ...part, content: '{{' } : part)),
  'callbackData that is no JSON': (stage, body) => [
    ...plain(stage, body),
    textPart('callbackData', '{"callbackUrl": "https://example.com'),
  ],
  'callbackData of null': (stage, body) => [...plain(stage, body), jsonPart('callbackData', null)],
  'a scan': (stage, body) => [...plain(stage, scanned(body, 'scan1')), filePart('scan1', 'scan.png')],
  'a scan with another name': (stage, body) => [
    ...plain(stage, scanned(body, 'my-scan_1.a')),
    filePart('my-scan_1.a', 'Müller "x".png'),
  ],
  'a scan first': (stage, body) => [filePart('scan1', 'scan.png'), ...plain(stage, scanned(body, 'scan1'))],
  'a scan alone': (stage, body) => [
    ...plain(
      stage,
      withPassengers(body, (all) => all.map((one) => ({ ...one, passport: { file_field: 'scan1' } }))),
    ),
    filePart('scan1', 'scan.png'),
  ],
  'two scans': (stage, body) => {
    const both = withPassengers(scanned(body, 'scan1'), (all) =>
      all.map((one) => ({
        ...one,
        documents: objectsAt(one, 'documents').map((document) => ({ ...document, file_field: 'visa1' })),
      })),
    );
    return [...plain(stage, both), filePart('scan1', 'scan.png'), filePart('visa1', 'visa.pdf', 'pdf')];
  },
};

const parts: readonly Wci[] = [
  ...Object.entries(partForms).map(([name, write]): Wci => ({
    name: `parts ${name}`,
    family: 'parts',
    cells: ['parts', `parts ${name.split(' ').slice(0, 2).join(' ')}`, `parts ${name}`],
    ...spending(1),
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      const body = stage.booking();
      const x = await stage.send(multipart(stage, 'wci.subscribe', write(stage, body)));
      stage.subscribed(x, body, 'primary', `parts ${name}`);
    },
  })),
  {
    name: 'a boundary in quotes',
    family: 'parts',
    cells: ['parts boundary', 'parts boundary in quotes'],
    ...spending(1),
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      const body = stage.booking();
      const { headers, ...request } = multipart(stage, 'wci.subscribe', partsOf('wci.subscribe', body));
      const quoted = headers.map(
        ([name, value]) => [name, value.replace(/boundary=(.*)/, 'boundary="$1"')] as const,
      );
      const x = await stage.send({ ...request, headers: quoted });
      stage.subscribed(x, body, 'primary', 'subscribe multipart');
    },
  },
  {
    name: 'an update with a pnr beside that of the payload, in parts',
    family: 'parts',
    cells: ['parts update', 'parts update with two pnrs'],
    price: 1,
    worth: 1,
    ...withWaiting(async (stage, own) => {
      const { identities } = stage.bench;
      const payload = { type: 'pnr', payload: { pnr: identities.pnr() } };
      const body = { checkin_id: own.id, pnr: identities.pnr(), ...payload };
      await stage.send(multipart(stage, 'wci.update', partsOf('wci.update', body)));
      stage.touched(own, 'update pnr multipart');
    }),
  },
  {
    name: 'parts without a boundary',
    family: 'parts',
    cells: ['parts', 'parts broken'],
    price: 1,
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      await stage.send(rawRequest('wci.subscribe', 'no parts at all', 'multipart/form-data; boundary=x'));
    },
  },
  {
    name: 'a content type with a charset',
    family: 'parts',
    cells: ['parts charset', 'charset'],
    ...spending(1),
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      const body = stage.booking();
      const text = JSON.stringify(body);
      const x = await stage.send(rawRequest('wci.subscribe', text, 'application/json; charset=utf-8'));
      stage.subscribed(x, body, 'primary', 'subscribe json');
    },
  },
  {
    name: 'a scan in an update by booking_id',
    family: 'parts',
    cells: ['parts', 'parts update by booking'],
    price: 1,
    worth: 1,
    ...withWaiting(async (stage, own) => {
      const passengers = [withScan(stage.passenger())];
      const body = { booking_id: own.bookingId, passengers };
      const all = [...partsOf('wci.update', body), filePart('scan1', 'scan.png')];
      await stage.send(multipart(stage, 'wci.update', all));
      stage.touched(own, 'refused update multipart');
    }),
  },
];
