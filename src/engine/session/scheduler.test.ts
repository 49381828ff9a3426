import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spansOf, times, working, type Sketch } from '../../../test/support/taskSpans.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { Scheduler, type Task } from './scheduler.ts';

test('as many tasks run side by side as the width allows, in order', async () => {
  expect(times(await spansOf(2, [working(10), working(20), working(30)]))).toEqual([
    [0, 0, 10],
    [1, 0, 20],
    [2, 10, 40],
  ]);
});

test('where answers are slow the longest begins first, and what has to be alone holds up nothing that is still to begin', async () => {
  const sketches = [
    working(10, { size: 1 }),
    working(10, { size: 3, beside: 'resting' }),
    working(30, { size: 3 }),
    working(20, { size: 2 }),
  ];
  expect(times(await spansOf(2, sketches, new VirtualClock(0), true))).toEqual([
    [3, 0, 20],
    [2, 0, 30],
    [0, 20, 30],
    [1, 30, 40],
  ]);
  expect((await spansOf(2, sketches)).at(-1)?.to).toBeGreaterThan(40);
});

test('what has to be first is, also where the longest begin first', async () => {
  const sketches = [working(10, { size: 1 }), working(5, { beside: 'nothing', isFirst: true })];
  expect(times(await spansOf(2, sketches, new VirtualClock(0), true))).toEqual([
    [1, 0, 5],
    [0, 5, 15],
  ]);
});

test('a late task begins when no early one is under way or to come, and holds up no other', async () => {
  const early = (steps: Sketch['steps']): Sketch => ({ steps, when: 'early' });
  const spans = await spansOf(2, [
    early([
      ['rest', 30],
      ['work', 5],
    ]),
    working(10, { when: 'late' }),
    early([['work', 20]]),
    working(50),
  ]);
  expect(times(spans)).toEqual([
    [2, 0, 20],
    [0, 0, 30],
    [0, 30, 35],
    [1, 35, 45],
    [3, 0, 50],
  ]);
});

test('one that has rested waits for one task that is alone, and not for the next one', async () => {
  const spans = await spansOf(4, [
    {
      steps: [
        ['rest', 5],
        ['work', 3],
      ],
    },
    working(10, { beside: 'resting' }),
    working(10, { beside: 'resting' }),
  ]);
  expect(times(spans)).toEqual([
    [1, 0, 10],
    [0, 0, 10],
    [0, 10, 13],
    [2, 13, 23],
  ]);
});

test('a task that is to be alone begins when those at work are done, and they after it', async () => {
  const spans = await spansOf(4, [
    working(10),
    working(5, { beside: 'resting' }),
    working(1),
    working(1, { beside: 'nothing' }),
  ]);
  expect(times(spans)).toEqual([
    [0, 0, 10],
    [1, 10, 15],
    [2, 15, 16],
    [3, 16, 17],
  ]);
});

test.each(['rest', 'pause'] as const)('while one waits (%s), another takes its place', async (kind) => {
  const waiting: Sketch = {
    steps: [
      ['work', 1],
      [kind, 50],
      ['work', 1],
    ],
  };
  expect(times(await spansOf(1, [waiting, working(10), working(10)]))).toEqual([
    [0, 0, 1],
    [1, 1, 11],
    [2, 11, 21],
    [0, 1, 51],
    [0, 51, 52],
  ]);
});

test('one that is to be alone waits for no sleeper, and the sleeper goes on when it is done', async () => {
  const sleeping: Sketch = {
    steps: [
      ['rest', 20],
      ['work', 5],
    ],
  };
  expect(times(await spansOf(4, [sleeping, working(100, { beside: 'resting' })]))).toEqual([
    [1, 0, 100],
    [0, 0, 100],
    [0, 100, 105],
  ]);
});

test('one that bears nothing beside it holds up nobody while another sleeps', async () => {
  const spans = await spansOf(1, [
    { steps: [['rest', 1000]] },
    working(5, { beside: 'nothing' }),
    working(5),
    working(5),
  ]);
  expect(times(spans)).toEqual([
    [2, 0, 5],
    [3, 5, 10],
    [0, 0, 1000],
    [1, 1000, 1005],
  ]);
});

test('one that waits for room while it is not done keeps others from being alone, and nobody else', async () => {
  const spans = await spansOf(1, [
    { steps: [['pause', 1000]] },
    working(5, { beside: 'resting' }),
    working(7),
  ]);
  expect(times(spans)).toEqual([
    [2, 0, 7],
    [0, 0, 1000],
    [1, 1000, 1005],
  ]);
});

test('those who rest and wake in turn do not keep one from being alone for ever', async () => {
  const restless: Sketch = {
    steps: Array.from({ length: 100 }, (_, index) => [index % 2 === 0 ? 'rest' : 'work', 3] as const),
  };
  const late: Sketch = { ...restless, steps: [['work', 1], ...restless.steps] };
  const spans = await spansOf(4, [restless, late, working(5, { beside: 'resting' })]);
  expect(spans.find(({ task }) => task === 2)?.from).toBeLessThan(20);
});

test('a task without room makes way for one that has some', async () => {
  const clock = new VirtualClock(0);
  const hasRoom = () => clock.monotonic() >= 5;
  expect(times(await spansOf(2, [working(10, { hasRoom }), working(5), working(1)], clock))).toEqual([
    [2, 0, 1],
    [1, 0, 5],
    [0, 5, 15],
  ]);
});

test('room is made for the first one, but only while nothing is under way', async () => {
  const clock = new VirtualClock(0);
  let room = false;
  const made: number[] = [];
  const makeRoom = async () => {
    made.push(clock.monotonic());
    await clock.sleep(1);
    room = true;
  };
  const wanting = working(10, { hasRoom: () => room, makeRoom });
  expect(times(await spansOf(2, [wanting, working(5), wanting], clock))).toEqual([
    [1, 0, 5],
    [0, 6, 16],
    [2, 6, 16],
  ]);
  expect(made).toEqual([5]);
});

test('where no room can be made, a task begins all the same, and waits as it goes', async () => {
  const wanting = working(10, { hasRoom: () => false });
  expect(times(await spansOf(2, [wanting, wanting]))).toEqual([
    [0, 0, 10],
    [1, 10, 20],
  ]);
});

const plain = { beside: 'others', hasRoom: () => true, makeRoom: () => Promise.resolve() } as const;

test('it is idle at once where there is nothing to do, and again after more was added', async () => {
  const scheduler = new Scheduler(() => 1);
  await scheduler.idle();
  let ran = 0;
  const run = async () => {
    await Promise.resolve();
    ran += 1;
  };
  scheduler.add({ ...plain, run });
  await scheduler.idle();
  scheduler.add({ ...plain, beside: 'nothing', run });
  await scheduler.idle();
  expect(ran).toBe(2);
});

test('a task that fails keeps none from running, and its error is told at the end', async () => {
  const scheduler = new Scheduler(() => 1);
  let ran = false;
  scheduler.add({ ...plain, beside: 'nothing', run: () => Promise.reject(new Error('first')) });
  scheduler.add({ ...plain, run: () => Promise.reject(new Error('second')) });
  scheduler.add({ ...plain, run: () => Promise.resolve(void (ran = true)) });
  await expect(scheduler.idle()).rejects.toThrow('first');
  expect(ran).toBe(true);
});

test('whatever the tasks are, nobody is at work beside one that is to be alone, and all end', async () => {
  const step = fc.tuple(fc.constantFrom('work', 'rest', 'pause'), fc.nat(30));
  const sketch = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    beside: fc.constantFrom<Task['beside']>('others', 'others', 'others', 'resting', 'nothing'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(sketch, { maxLength: 20 }),
      async (width, all) => {
        const spans = await spansOf(width, all);
        expect(spans).toHaveLength(all.flatMap(({ steps }) => steps).length);
        const whole = all.map((_, task) => {
          const own = spans.filter((span) => span.task === task);
          return { from: Math.min(...own.map(({ from }) => from)), to: Math.max(...own.map(({ to }) => to)) };
        });
        for (const [task, { beside }] of all.entries()) {
          const span = whole[task];
          if (beside === 'others' || !span) continue;
          const busy = beside === 'resting' ? spans.filter(({ isAtWork }) => isAtWork) : spans;
          const beyond = busy.filter((one) => one.task !== task && one.from < span.to && span.from < one.to);
          expect(beyond).toEqual([]);
        }
      },
    ),
    { numRuns: 100 },
  );
});
