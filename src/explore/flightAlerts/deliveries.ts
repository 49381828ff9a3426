import { answerStatus, type ScriptedAnswer } from '../../receive/script.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { bodyOf, type FlightLegOf, type FlightStage } from './flightStage.ts';
import type { Fla } from './lookups.ts';
import { maySubscribe } from './subscribes.ts';

type Answers = readonly [ScriptedAnswer, ...ScriptedAnswer[]];
const taken = answerStatus(200);
const refused = (code: number): ScriptedAnswer =>
  answerStatus(code, code >= 300 && code < 400 ? { location: 'https://example.com/' } : {});

/** What the sink does with the first deliveries. */
const scripts: Readonly<Record<string, Answers>> = {
  ...Object.fromEntries(
    [201, 204, 301, 302, 307, 400, 401, 404, 410, 422, 429, 500, 502, 503].map(
      (code) => [String(code), [refused(code), taken]] as const,
    ),
  ),
  'a reset': [{ kind: 'reset' }, taken],
  'an early close': [{ kind: 'close-early' }, taken],
  'no answer': [{ kind: 'silence' }, taken],
  'a slow 200': [answerStatus(200, { delayMs: 4_000 }), taken],
  'a very slow 200': [answerStatus(200, { delayMs: 40_000 }), taken],
  'a slow 500': [answerStatus(500, { delayMs: 3_000 }), taken],
  '500 three times': [refused(500), refused(500), refused(500), taken],
  '503 five times': [refused(503), refused(503), refused(503), refused(503), refused(503), taken],
  '404 after one that was taken': [taken, refused(404), taken],
  '500 always': [refused(500)],
};

/** How long refused callbacks are repeated, as far as one can wait for it. */
const repeatsMs = 75_000;
const lastWaits = { once: repeatsMs, 'behind another': 3_700_000 } as const;

/** Deliveries that are not taken at first; the leg changes while they wait, and after they have come again. */
export const deliveries: readonly Fla[] = Object.entries(scripts).flatMap(([name, answers]) =>
  (['once', 'behind another'] as const).map((manner): Fla => ({
    name: `a callback that is answered with ${name}, ${manner}`,
    family: 'deliveries',
    cells: [
      'answered',
      `answered ${/^\d/.test(name) ? `${name.charAt(0)}xx` : name}`,
      `answered ${name}`,
      `answered ${manner}`,
      `answered ${name} ${manner}`,
    ],
    price: 2,
    worth: 2,
    isPossible: (stage) =>
      stage.hasSink && stage.canChange && maySubscribe(stage) && stage.mayWait(repeatsMs + lastWaits[manner]),
    bring: async (stage) => {
      const where = await stage.freeLeg();
      if (!where?.flight.isPut) return;
      const callback = stage.flightCallback(answers);
      await stage.subscribeTo(where, bodyOf(where, callback), { what: `answered ${name}` });
      await stage.settle();
      await changed(stage, where, manner === 'once' ? 1 : 2);
      await stage.wait(repeatsMs);
      await stage.settle();
      await changed(stage, where, 1);
      await stage.wait(lastWaits[manner]);
      await stage.settle();
      await changed(stage, where, 1);
    },
  })),
);

async function changed(stage: FlightStage, where: FlightLegOf, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const token = stage.bench.identities.token().slice(-4);
    const gate: JsonObject = { departure: { gate: `D${token}` }, ...(at > 0 ? { status: 'delay' } : {}) };
    await stage.change(where, gate, 'change behind a delivery');
  }
  await stage.settle();
}

/** The clock passes midnights and days; then subscribed legs change, and flights of yesterday are asked for. */
export const flightClocks: readonly Fla[] = [
  {
    name: 'a leg that departs tonight changes past midnight in UTC',
    family: 'clocks',
    cells: ['clock', 'clock midnight'],
    price: 3,
    worth: 1,
    isPossible: (stage) => stage.canChange && stage.offers('clock.advance') && maySubscribe(stage),
    bring: async (stage) => {
      await advanceTo(stage, 23.5);
      const flight = await stage.put(
        [{ route: ['LAX', 'SIN'], hour: 22, changes: { departure: { utcOffsetSeconds: -25_200 } } }],
        { departureDate: stage.date(0) },
      );
      const leg = flight?.legs[0];
      if (!flight || !leg) return;
      const where = { flight, leg };
      await stage.look(flight);
      await stage.subscribeTo(where, bodyOf(where, stage.flightCallback()), { what: 'subscribe tonight' });
      await stage.settle();
      await stage.step('clock.advance', { seconds: 3_600 });
      await changed(stage, where, 1);
      await stage.look(flight);
      const asked = bodyOf(where, stage.flightCallback());
      await stage.subscribeTo(where, asked, { what: 'subscribe past' });
    },
  },
  ...[1.5, 22.5].map((hour): Fla => ({
    name: `flights of yesterday, today and tomorrow at ${hour} hours in UTC`,
    family: 'clocks',
    cells: ['clock', 'clock hours', `clock hours ${hour}`],
    price: 7,
    worth: 1.5,
    isPossible: (stage) => stage.canPut && stage.offers('clock.advance') && maySubscribe(stage),
    bring: async (stage) => {
      await advanceTo(stage, hour);
      for (const days of [-1, 0, 1]) {
        const put = [{ route: ['DOH', 'SIN'] as const, hour: 23 }];
        const flight = await stage.put(put, { departureDate: stage.date(days) });
        const leg = flight?.legs[0];
        if (!flight || !leg) continue;
        await stage.look(flight);
        await stage.subscribeTo({ flight, leg }, bodyOf({ flight, leg }, 'absent'), {
          what: 'subscribe near midnight',
        });
      }
    },
  })),
  ...[
    ['an hour', 3_600],
    ['a day', 86_400],
    ['a month', 30 * 86_400],
  ].map(([name, seconds]): Fla => ({
    name: `the clock moves by ${name}`,
    family: 'clocks',
    cells: ['clock', `clock ${name}`],
    price: 1 + Number(seconds) / 86_400,
    worth: 0.6,
    isPossible: (stage) => stage.offers('clock.advance') && stage.known.length > 3,
    bring: async (stage) => {
      const before = stage.known;
      if ((await stage.step('clock.advance', { seconds: Number(seconds) })) === null) return;
      for (const flight of stage.known) stage.flights.touch(flight, `clock ${name}`, stage.bench.monotonic());
      const past = stage.oneOf(before.filter((flight) => !stage.known.includes(flight)));
      if (past) await stage.look(past);
    },
  })),
];

/** Moves the clock to an hour of the day in UTC. */
async function advanceTo(stage: FlightStage, hour: number): Promise<void> {
  const dayMs = 86_400_000;
  const due = hour * 3_600_000;
  const sinceMidnight = stage.bench.now() % dayMs;
  const seconds = Math.ceil(((due - sinceMidnight + dayMs) % dayMs) / 1000);
  if (seconds > 0) await stage.step('clock.advance', { seconds });
}
