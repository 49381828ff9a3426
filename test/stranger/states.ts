import type { Books, Enterprise } from './books.ts';
import { announce, stateOf } from './checkIns.ts';
import { change, put } from './flights.ts';
import type { Members } from './payload.ts';

/** Thrown for what the protocol does not allow. */
export class BadState extends Error {}

type State = (books: Books, params: Members) => Members;

const states: Readonly<Record<string, State>> = {
  capabilities: (books) => ({
    states: Object.keys(states).filter((name) => !books.manners.withheld.includes(name)),
    now: new Date().toISOString(),
    clock: [],
  }),
  'enterprise.create': (books, { included_units: units, keys }) => {
    const issued = books.newKeys(Number(keys));
    books.enterprise(`made-${books.keys.size}`, issued, Number(units));
    return { keys: issued };
  },
  'keys.issue': (books, { key, count }) => {
    const issued = books.newKeys(Number(count));
    for (const one of issued) books.keys.set(one, ownerOf(books, key));
    return { keys: issued };
  },
  'keys.revoke': (books, { key }) => {
    books.keys.delete(String(key));
    return {};
  },
  'keys.disable': (books, { key }) => {
    books.keys.delete(String(key));
    return {};
  },
  'entitlement.set': (books, params) => {
    const owner = ownerOf(books, params.key);
    owner.entitlement = params.status as Enterprise['entitlement'];
    owner.included = Number(params.included_units ?? owner.included);
    owner.consumed = Number(params.consumed_units ?? owner.consumed);
    return {};
  },
  'entitlement.get': (books, { key }) => {
    const { entitlement, included, consumed } = ownerOf(books, key);
    return { status: entitlement, included_units: included, consumed_units: consumed };
  },
  'automation.set': () => ({}),
  'checkin.progress': (books, params) => {
    const one = books.checkIns.find(({ id }) => id === params.checkin_id);
    if (!one) throw new BadState('no such check-in');
    const before = stateOf(one);
    const isDone = params.status === 'COMPLETED';
    one.status = String(params.status);
    one.detail = textOf(params.sub_status) ?? (isDone ? 'BOARDING_PASS_AVAILABLE' : `IS_${one.status}`);
    one.message = textOf(params.checkin_message) ?? `It is ${one.status} now.`;
    one.passes =
      (params.boarding_passes as string[] | undefined) ?? (isDone ? ['https://bp.example.com/1'] : []);
    if (isDone) one.missing = [];
    if (JSON.stringify(before) !== JSON.stringify(stateOf(one))) one.updated = Date.now();
    announce(books, one, before);
    return {};
  },
  'checkin.rejectResume': (books, { checkin_id: id }) => {
    books.resumesToReject.add(String(id));
    return {};
  },
  'flights.put': (books, params) => {
    put(books, params);
    return {};
  },
  'flights.change': (books, params) => {
    if (!change(books, params)) throw new BadState('no such leg');
    return {};
  },
  'provider.fail': (books, { mode }) => {
    books.upstreamFails = mode;
    return {};
  },
  'callbacks.route': (books, { host, address, ca }) => {
    const route = { address: String(address), ...(typeof ca === 'string' ? { ca } : {}) };
    books.deliveries.routes.set(String(host).toLowerCase(), route);
    return {};
  },
  'callbacks.pending': (books) => ({ pending: books.deliveries.pending }),
};

/** Brings the server into a state; null where it is not offered. */
export function setState(books: Books, name: unknown, params: Members): Members | null {
  const state = states[String(name)];
  return state && !books.manners.withheld.includes(String(name)) ? state(books, params) : null;
}

function ownerOf(books: Books, key: unknown): Enterprise {
  const owner = books.keys.get(String(key));
  if (!owner) throw new BadState('unknown key');
  return owner;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
