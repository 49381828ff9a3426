import { list, status, subscribe, update, type ApiRequest, type RequestOptions } from '../../send/request.ts';
import type { Own } from '../book.ts';
import type { Situation } from '../situation.ts';
import type { Stage } from '../stage.ts';
import { written } from './requests.ts';
import { spending } from './subscribes.ts';

type Wci = Situation<Stage>;
type Ask = (stage: Stage, own: Own, options: RequestOptions) => ApiRequest;

const passengers = (stage: Stage) => [{ ...stage.passenger(), passport: null }];
const byName =
  (name: string): Ask =>
  (stage, own, options) =>
    update({ [name]: own.id, passengers: passengers(stage) }, options);

/** What one enterprise asks about a record of another one: it is to be like a missing one. */
const asks: Readonly<Record<string, Ask>> = {
  'status by checkin_id': (_stage, { id }, options) => status({ checkin_id: id }, options),
  'status by checkinId': (_stage, { id }, options) => status({ checkinId: id }, options),
  'update by checkin_id': byName('checkin_id'),
  'update by webcheckin_id': byName('webcheckin_id'),
  'update by booking_id': (stage, { bookingId }, options) =>
    update({ booking_id: bookingId, passengers: passengers(stage) }, options),
  'update of the pnr': (stage, { id }, options) =>
    update({ checkin_id: id, type: 'pnr', payload: { pnr: stage.bench.identities.pnr() } }, options),
  'multipart update': (stage, { id }, options) =>
    written(stage, 'wci.update', { checkin_id: id, passengers: passengers(stage) }, 'multipart', options),
  'multipart update by alias': (stage, { id }, options) =>
    written(stage, 'wci.update', { webcheckin_id: id, passengers: passengers(stage) }, 'multipart', options),
  'update beside an own booking': (stage, { id }, options) => {
    const own = stage.pick(stage.book.of('other'));
    return update(
      { checkin_id: id, booking_id: own?.bookingId ?? 1, passengers: passengers(stage) },
      options,
    );
  },
  'invalid update': (_stage, { id }, options) => update({ checkin_id: id, passengers: [] }, options),
  list: (_stage, _own, options) => list({ limit: '100' }, options),
  'list of a status': (_stage, { status: one }, options) =>
    list({ limit: '100', status: one ?? 'SCHEDULED' }, options),
};

const hasOther = ({ bench }: Stage) => bench.keys.other.length > 0;

/** Requests of another enterprise. */
export const foreign: readonly Wci[] = [
  ...Object.entries(asks).flatMap(([name, ask]) =>
    (['waiting', 'ended'] as const).map((state): Wci => ({
      name: `foreign ${name} of a ${state} record`,
      family: 'foreign',
      cells: ['foreign', `foreign ${name.split(' ')[0]}`, `foreign ${name}`, `foreign ${name} ${state}`],
      price: 1,
      worth: 1,
      isPossible: (stage) => hasOther(stage) && inState(stage, state).length > 0,
      bring: async (stage) => {
        const own = stage.pick(inState(stage, state));
        if (!own) return;
        await stage.send(ask(stage, own, { key: stage.keyOf('other') }));
        if (!name.startsWith('list')) stage.touched(own, `foreign ${name}`);
      },
    })),
  ),
  {
    name: 'a booking of another enterprise',
    family: 'foreign',
    cells: ['foreign booking', 'foreign'],
    ...spending(1),
    worth: 2,
    isPossible: hasOther,
    bring: async (stage) => {
      const body = stage.booking();
      const x = await stage.send(subscribe(body, { key: stage.keyOf('other') }));
      stage.subscribed(x, body, 'other', 'subscribe of another');
    },
  },
  {
    name: 'the same booking by another enterprise',
    family: 'foreign',
    cells: ['foreign booking', 'foreign same booking'],
    ...spending(1),
    worth: 2,
    isPossible: (stage) => hasOther(stage) && inState(stage, 'waiting').length > 0,
    bring: async (stage) => {
      const own = stage.pick(inState(stage, 'waiting'));
      if (!own) return;
      const { callbackData: _, ...body } = own.body;
      const x = await stage.send(subscribe(body, { key: stage.keyOf('other') }));
      stage.subscribed(x, body, 'other', 'same booking of another');
      stage.touched(own, 'same booking of another');
    },
  },
];

function inState(stage: Stage, state: 'waiting' | 'ended'): readonly Own[] {
  return stage.book
    .of('primary')
    .filter(({ status: one }) =>
      state === 'waiting' ? one === 'SCHEDULED' : one === 'COMPLETED' || one === 'FAILED',
    );
}
