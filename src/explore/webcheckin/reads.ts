import * as fc from 'fast-check';
import type { Exchange } from '../../core/evidence.ts';
import { list, status, type ApiRequest, type Query } from '../../send/request.ts';
import { checkinStatuses, listTable } from '../../spec/grammar/listQuery.ts';
import { textAt, type JsonObject } from '../../spec/kit/json.ts';
import { memberOf, responseOf } from '../../trace/body.ts';
import type { Own } from '../book.ts';
import type { Situation } from '../situation.ts';
import type { Stage } from '../stage.ts';

type Wci = Situation<Stage>;

/** The status of a record by the name or its alias, as its own enterprise reads it. */
export function statusOf(
  stage: Stage,
  own: Own,
  name: 'checkin_id' | 'checkinId' = 'checkin_id',
): ApiRequest {
  return status({ [name]: own.id }, { key: stage.keyOf(own.home) });
}

/** Pages that no list has, up to those that overflow a column. */
const farPages = ['500', '92233720368547758', '36893488147419103232', '2305843009213693952'];

/** Reads of single records, and lists by every form of their queries. */
export function reads(): readonly Wci[] {
  return [
    ...(['checkin_id', 'checkinId'] as const).flatMap((name) =>
      (['same key', 'another key'] as const).map((by) => reading(name, by)),
    ),
    listing('plain', () => ({})),
    listing('status blank', () => ({ status: ' ' })),
    listing('status empty', () => ({ status: '' })),
    ...Object.entries(listTable).flatMap(([parameter, { forms }]) =>
      forms.map((form) => {
        const query = (stage: Stage) => textsOf(stage.sample(form.make(fc))({}));
        return listing(`${parameter} ${form.name}`, query, form.kind === 'open' ? 0.8 : 1);
      }),
    ),
    ...checkinStatuses.flatMap((one) => [
      listing(`all ${one}`, () => ({ status: one, limit: '100' })),
      listing(`second page ${one}`, () => ({ status: one, limit: '2', page: '1' }), 0.7),
    ]),
    ...['1', '2', '25', '99', '100'].map((limit) => listing(`limit ${limit}`, () => ({ limit }), 0.7)),
    ...farPages.map((page) => listing(`page ${page}`, () => ({ page, limit: '4' }), 0.8)),
    ...[3, 7].map(walk),
    behindTheEnd,
    negativePage,
  ];
}

function reading(name: 'checkin_id' | 'checkinId', by: 'same key' | 'another key'): Wci {
  return {
    name: `status by ${name} with ${by}`,
    family: 'reads',
    cells: ['status', `status ${name}`, `status ${by}`, `status ${name} ${by}`],
    price: 1,
    worth: 1,
    isPossible: (stage) =>
      stage.book.of('primary').length > 0 && (by === 'same key' || stage.bench.keys.primary.length > 1),
    bring: async (stage) => {
      const own = stage.pick(stage.book.of('primary'));
      if (!own) return;
      stage.concern(own);
      const key = by === 'same key' ? null : stage.anotherKey(own.key);
      await stage.send(status({ [name]: own.id }, key ? { key: { kind: 'key', key } } : {}));
      own.unseen.status.clear();
    },
  };
}

function listing(name: string, query: (stage: Stage) => Query, worth = 1): Wci {
  const [parameter = '', kind = ''] = name.split(' ');
  return {
    name: `list ${name}`,
    family: 'lists',
    cells: ['list', `list ${parameter}`, `list ${parameter} ${kind}`, `list ${name}`],
    price: 1,
    worth,
    isPossible: () => true,
    bring: async (stage) => {
      await stage.send(list(query(stage)));
    },
  };
}

function textsOf(query: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(query).map((name) => [name, textAt(query, name)]));
}

/** All pages of a list one after the other, as far as they are few. */
function walk(size: number): Wci {
  return {
    name: `walk by ${size}`,
    family: 'lists',
    cells: ['walk', `walk ${size}`, 'list pages'],
    price: 4,
    worth: 1,
    isPossible: (stage) => stage.book.of('primary').length > size,
    bring: async (stage) => {
      let before: Exchange | null = null;
      for (let page = 0; page < 4; page += 1) {
        const x: Exchange = await stage.send(list({ limit: String(size), page: String(page) }));
        if (before) stage.bench.claim({ claim: 'next-page', exchange: x.id, after: before.id });
        before = x;
        const isLast = page + 1 >= Number(memberOf(x, 'pagination', 'totalPages') ?? 0);
        if (responseOf(x)?.status !== 200 || isLast) return;
      }
    },
  };
}

const behindTheEnd: Wci = {
  name: 'page behind the last',
  family: 'lists',
  cells: ['list behind', 'list pages', 'list page behind the last'],
  price: 2,
  worth: 1,
  isPossible: (stage) => stage.book.of('primary').length > 2,
  bring: async (stage) => {
    const x = await stage.send(list({ limit: '3' }));
    const pages = Number(memberOf(x, 'pagination', 'totalPages') ?? 1);
    await stage.send(list({ limit: '3', page: String(pages) }));
  },
};

const negativePage: Wci = {
  name: 'a negative page beside the first',
  family: 'lists',
  cells: ['list negative', 'list page negative beside first'],
  price: 2,
  worth: 1,
  isPossible: (stage) => stage.book.of('primary').length > 3,
  bring: async (stage) => {
    await stage.send(list({ limit: '3' }));
    await stage.send(list({ limit: '3', page: '-2' }));
  },
};
