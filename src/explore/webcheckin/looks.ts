import { list } from '../../send/request.ts';
import { memberOf } from '../../trace/body.ts';
import type { Look, Own } from '../book.ts';
import type { Stage } from '../stage.ts';
import type { Steerer } from '../steerer.ts';
import { statusOf } from './reads.ts';

/** How long a deployment may take to show what it has done, where it is not known to be prompt. */
const settlesMs = 6_000;
/** Less than this is always waited for, and longer once in so many requests. */
const shortMs = 50;
const leastBetween = 8;

/** A look at records to which something happened that nobody has seen, with what it is worth. */
export interface DueLook {
  readonly worth: number;
  readonly cells: readonly string[];
  readonly look: () => Promise<void>;
}

/** The look that shows most: one record by its status, or all of an enterprise in a list. */
export function dueLook(stage: Stage, steerer: Steerer<Stage>): DueLook | null {
  const now = stage.bench.monotonic();
  const graceMs = stage.bench.grace(settlesMs);
  const mayWait = graceMs <= shortMs || stage.sinceWait >= leastBetween;
  const ready = stage.book.all.filter(({ touchedAt }) => mayWait || now - touchedAt >= graceMs);
  const looks = [
    ...ready.flatMap((own) => atStatus(stage, steerer, own) ?? []),
    ...atLists(stage, steerer, ready),
  ];
  return looks.reduce<DueLook | null>(
    (best, one) => (best === null || one.worth > best.worth ? one : best),
    null,
  );
}

async function settled(stage: Stage, touchedAt: number): Promise<void> {
  const ms = touchedAt + stage.bench.grace(settlesMs) - stage.bench.monotonic();
  if (ms > 0) await stage.wait(ms);
}

function cellsOf(look: Look, unseen: Iterable<string>): readonly string[] {
  return [...unseen].flatMap((what) => [`look ${what}`, `look ${look} ${what}`]);
}

function atStatus(stage: Stage, steerer: Steerer<Stage>, own: Own): DueLook | null {
  if (own.unseen.status.size === 0) return null;
  const name = stage.random() < 0.25 ? ('checkinId' as const) : ('checkin_id' as const);
  const cells = cellsOf('status', own.unseen.status);
  return {
    cells,
    worth: freshness(steerer, cells),
    look: async () => {
      await settled(stage, own.touchedAt);
      const x = await stage.send(statusOf(stage, own, name));
      const status = memberOf(x, 'status');
      if (typeof status === 'string') own.status = status;
      own.unseen.status.clear();
    },
  };
}

/** How much a look shows that none has shown: one thing that happened, or several. */
function freshness(steerer: Steerer<Stage>, cells: readonly string[]): number {
  return Math.min(mostShown, cells.reduce((sum, cell) => sum + 1 / (1 + steerer.count(cell)) ** 2, 0) / 2);
}

const mostShown = 3;

/** The first page of a list shows the latest records. */
const mostListed = 100;

function atLists(stage: Stage, steerer: Steerer<Stage>, ready: readonly Own[]): readonly DueLook[] {
  const homes = [...new Set(ready.map(({ home }) => home))];
  return homes.flatMap((home) => {
    const shown = ready.filter((own) => own.home === home && own.unseen.list.size > 0).slice(-mostListed);
    const cells = cellsOf('list', new Set(shown.flatMap((own) => [...own.unseen.list])));
    return {
      cells,
      worth: freshness(steerer, cells),
      look: async () => {
        await settled(stage, Math.max(...shown.map(({ touchedAt }) => touchedAt)));
        await stage.send(list({ limit: '100' }, { key: stage.keyOf(home) }));
        for (const own of shown) own.unseen.list.clear();
      },
    };
  });
}
