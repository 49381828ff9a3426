import { nearKeys, valuesNear, type NearKey } from '../../generate/kit/nearKeys.ts';
import {
  list,
  noKey,
  rawRequest,
  status,
  type ApiRequest,
  type KeyChoice,
  type RequestOptions,
} from '../../send/request.ts';
import type { Situation } from '../situation.ts';
import type { Stage } from '../stage.ts';
import { written } from './requests.ts';
import { waiting } from './updates.ts';

const invented = (label: string, value: string): KeyChoice => ({ kind: 'invented', label, value });

/** Keys that open nothing: none, unknown ones, near misses of a real one, a real one in another place. */
const bad: Readonly<Record<string, (stage: Stage) => RequestOptions | null>> = {
  none: () => ({ key: noKey }),
  empty: () => ({ key: invented('empty', '') }),
  unknown: ({ bench }) => ({
    key: invented('unknown', [1, 2, 3].map(() => bench.identities.token()).join('')),
  }),
  ...Object.fromEntries(nearKeys.map((kind) => [`near ${kind}`, (stage: Stage) => near(stage, kind)])),
  bearer: (stage) => ({ key: noKey, headers: [['authorization', `Bearer ${spare(stage)}`]] }),
  cookie: (stage) => made(stage, (value) => ({ key: noKey, headers: [['cookie', `X-API-Key=${value}`]] })),
  revoked: ({ bench }) => special(bench.keys.special('revoked')),
  disabled: ({ bench }) => special(bench.keys.special('disabled')),
};

/** A value near a key that is no key itself; null if all of its kind are. */
function near(stage: Stage, kind: NearKey): RequestOptions | null {
  const known = stage.bench.keys.all().map(({ value }) => value);
  const [value] = valuesNear(kind, spare(stage), known);
  return value === undefined ? null : { key: invented(kind, value) };
}

function special(key: ReturnType<Stage['bench']['keys']['special']>): RequestOptions | null {
  return key === null ? null : { key: { kind: 'key', key } };
}

/** One that was made for the run if there is one, so that no key of a user is nearly shown. */
function spare({ bench }: Stage): string {
  const { primary } = bench.keys;
  return (primary.find(({ label }) => label.startsWith('issued')) ?? primary[0])?.value ?? '';
}

/** With a key that was made for the run: one of a user would be shown where logs keep it. */
function made({ bench }: Stage, options: (value: string) => RequestOptions): RequestOptions | null {
  const issued = bench.keys.primary.find(({ label }) => label.startsWith('issued'));
  return issued === undefined ? null : options(issued.value);
}

type Ask = (stage: Stage, options: RequestOptions) => ApiRequest;

const change = (stage: Stage) => ({
  checkin_id: waiting(stage)?.id ?? 'unknown',
  passengers: [{ ...stage.passenger(), passport: null }],
});

/** What is asked with such a key: valid and not, since the key comes first. */
export const checkinAsks: Readonly<Record<string, Ask>> = {
  list: (_stage, options) => list({}, options),
  subscribe: (stage, options) => written(stage, 'wci.subscribe', stage.booking(), 'json', options),
  status: (stage, options) => status({ checkin_id: waiting(stage)?.id ?? 'unknown' }, options),
  update: (stage, options) => written(stage, 'wci.update', change(stage), 'json', options),
  'multipart subscribe': (stage, options) =>
    written(stage, 'wci.subscribe', stage.booking(), 'multipart', options),
  'multipart update': (stage, options) => written(stage, 'wci.update', change(stage), 'multipart', options),
  'invalid subscribe': (stage, options) => written(stage, 'wci.subscribe', { flights: [] }, 'json', options),
  'invalid update': (stage, options) => written(stage, 'wci.update', { type: 'x' }, 'json', options),
  'invalid status': (_stage, options) => status({}, options),
  'broken parts': (_stage, options) =>
    rawRequest('wci.subscribe', 'nothing', 'multipart/form-data; boundary=x', options),
};

/** Every request of some with every key that opens nothing. */
export function badKeys<S extends Stage>(
  asks: Readonly<Record<string, (stage: S, options: RequestOptions) => ApiRequest>>,
): readonly Situation<S>[] {
  return Object.entries(bad).flatMap(([key, optionsOf]) =>
    Object.entries(asks).map(([what, ask]): Situation<S> => ({
      name: `key ${key} for ${what}`,
      family: 'keys',
      // Which operation is open, and which key opens it, are two things.
      cells: [`bad key ${what}`, `bad key ${key.split(' ')[0]} ${what}`, `bad key ${key} ${what}`],
      beside: [['bad key', `bad key ${key.split(' ')[0]}`, `bad key ${key}`]],
      price: 1,
      worth: 0.6,
      isPossible: (stage) => optionsOf(stage) !== null,
      bring: async (stage) => {
        const options = optionsOf(stage);
        if (options === null) return;
        const own = waiting(stage);
        await stage.send(ask(stage, options));
        if (own && what.includes('update')) stage.touched(own, 'update without a key');
      },
    })),
  );
}
