import { answerStatus, type ScriptedAnswer } from '../../receive/script.ts';
import { accounts } from './accounts.ts';
import { checkinStatuses } from '../../spec/grammar/listQuery.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import type { Own } from '../book.ts';
import type { Situation } from '../situation.ts';
import type { Stage } from '../stage.ts';
import { written } from './requests.ts';
import { spending } from './subscribes.ts';
import { updateWith, waiting } from './updates.ts';

type Wci = Situation<Stage>;
type Status = (typeof checkinStatuses)[number];

const passes = ['https://example.com/1.pdf?a=1&b=2', 'https://example.com/Pass-2.pdf'];
/** How long refused webhooks are repeated. */
const repeatsMs = 75_000;

/** What the state handler brings about: progress, refused resumes, entitlements, keys, time. */
export function states(): readonly Wci[] {
  return [...progress, ...repeatedDeliveries, ...others, ...accounts, ...clocks];
}

/** Which records are moved: any, those with a webhook, those of them made in parts, changed since, or moved before. */
const kinds = ['hooked', 'any', 'updated', 'in parts', 'moved'] as const;
/** With which boarding passes. */
const shown = [[], passes.slice(0, 1), passes];

const progress: readonly Wci[] = checkinStatuses.flatMap((to) =>
  kinds.flatMap((who) =>
    (to === 'COMPLETED' ? shown : [[]]).map((boarding): Wci => ({
      name: `progress of a record (${who}) to ${to} with ${boarding.length} passes`,
      family: 'progress',
      cells: [
        'progress',
        `progress ${to} ${boarding.length}`,
        `progress ${who}`,
        `progress ${who} ${to}`,
        `progress ${who} ${to} ${boarding.length}`,
      ],
      price: 0.6,
      worth: 1,
      isPossible: (stage) => stage.offers('checkin.progress') && movable(stage, who, to).length > 0,
      bring: async (stage) => {
        const own = stage.pick(movable(stage, who, to));
        if (own) await move(stage, own, to, boarding);
      },
    })),
  ),
);

function movable(stage: Stage, who: (typeof kinds)[number], to: Status): readonly Own[] {
  return stage.book.all.filter((own) => {
    const isHooked = stage.isHooked(own);
    if (own.body.callbackData !== undefined && !isHooked) return false;
    if (own.status === null || typeof own.home === 'object') return false;
    // What does not change is told to nobody.
    if (own.status === to && (who !== 'moved' || to === 'SCHEDULED')) return false;
    if (to === 'SCHEDULED' && !own.isComplete) return false;
    if (who === 'any') return true;
    if (who === 'in parts') return isHooked && own.story[0]?.includes('multipart') === true;
    return isHooked && (who === 'hooked' || own.touches > 0);
  });
}

async function move(stage: Stage, own: Own, to: Status, boarding: readonly string[] = []): Promise<void> {
  const params = {
    ...{ checkin_id: own.id, status: to },
    ...(boarding.length > 0 ? { boarding_passes: boarding } : {}),
    ...(to === 'SCHEDULED' ? { sub_status: 'COMPLETE_INFO' } : {}),
  };
  if ((await stage.step('checkin.progress', params)) === null) return;
  own.status = to;
  await stage.settle();
  stage.touched(own, `progress ${to}`);
}

/** Deliveries that are refused at first: they come again, the same. */
const repeatedDeliveries: readonly Wci[] = ([500, 404, 429, 302, 300, 201, 204] as const).map(
  (code): Wci => ({
    name: `a webhook that is answered ${code}`,
    family: 'deliveries',
    cells: ['webhook refused', `webhook refused ${Math.floor(code / 100)}`, `webhook refused ${code}`],
    ...spending(2),
    // It is told, told again and moved on.
    worth: 3,
    isPossible: (stage) => stage.hasSink && stage.offers('checkin.progress') && stage.mayWait(repeatsMs),
    bring: async (stage) => {
      const once: readonly [ScriptedAnswer, ...ScriptedAnswer[]] = [
        answerStatus(200),
        answerStatus(code, code === 302 ? { location: 'https://example.com/' } : {}),
        answerStatus(200),
      ];
      const body = { ...stage.booking(), callbackData: stage.callback(once) };
      const x = await stage.send(written(stage, 'wci.subscribe', body, 'json'));
      const own = stage.subscribed(x, body, 'primary', 'subscribe json');
      if (!own) return;
      await stage.settle();
      await move(stage, own, 'IN_PROGRESS');
      await stage.wait(repeatsMs);
      await stage.settle();
      await move(stage, own, 'COMPLETED');
    },
  }),
);

const others: readonly Wci[] = [
  {
    name: 'a resume that is refused',
    family: 'ended records',
    cells: ['resume', 'resume refused'],
    price: 1,
    worth: 2,
    isPossible: (stage) => stage.offers('checkin.rejectResume') && waiting(stage) !== null,
    bring: async (stage) => {
      const own = waiting(stage);
      if (!own || (await stage.step('checkin.rejectResume', { checkin_id: own.id })) === null) return;
      await updateWith(
        stage,
        own,
        { checkin_id: own.id, passengers: [stage.passenger()] },
        { what: 'refused resume' },
      );
    },
  },
  ...(['passengers', 'pnr'] as const).map((what): Wci => ({
    name: `an update of an ended record: ${what}`,
    family: 'ended records',
    cells: ['ended', `ended ${what}`],
    price: 1,
    worth: 2,
    isPossible: (stage) => stage.book.of('primary').some(isEnded),
    bring: async (stage) => {
      const own = stage.pick(stage.book.of('primary').filter(isEnded));
      if (!own) return;
      const content: JsonObject =
        what === 'pnr'
          ? { type: 'pnr', payload: { pnr: stage.bench.identities.pnr() } }
          : { passengers: [{ ...stage.passenger(), passport: null }] };
      await updateWith(stage, own, { checkin_id: own.id, ...content }, { what: `ended update ${what}` });
    },
  })),
];

const isEnded = ({ status }: Own) => status === 'COMPLETED' || status === 'FAILED';

/** Time passes: windows, midnights, months, and with the last of them the departures. */
const clocks: readonly Wci[] = (
  [
    ['an hour', 3_600],
    ['a day', 86_400],
    ['two weeks', 14 * 86_400],
    ['two months', 60 * 86_400],
  ] as const
).map(([name, seconds]): Wci => ({
  name: `the clock moves by ${name}`,
  family: 'clocks',
  cells: ['clock', `clock ${name}`],
  price: 1 + seconds / 86_400,
  worth: 1,
  isPossible: (stage) => stage.offers('clock.advance') && stage.book.all.length > 10,
  bring: async (stage) => {
    if ((await stage.step('clock.advance', { seconds })) === null) return;
    for (const own of stage.book.all.slice(-5)) stage.touched(own, `clock ${name}`);
  },
}));
