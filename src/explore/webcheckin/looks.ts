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

/** A look at records to which something happened that nobody has seen, with what it gains. */
export interface DueLook {
  readonly gain: number;
  /** The cells that it reaches, in chains. */
  readonly beside: readonly (readonly string[])[];
  readonly look: () => Promise<void>;
}

/** The look that shows most: one record by its status, or all of an enterprise in a list. */
export function dueLook(stage: Stage, steerer: Steerer<Stage>): DueLook | null {
  const now = stage.bench.monotonic();
  const graceMs = stage.bench.grace(settlesMs);
  const mayWait = graceMs <= shortMs || (stage.sinceWait >= leastBetween && stage.mayWait(graceMs));
  const ready = stage.book.unseen.filter(({ touchedAt }) => mayWait || now - touchedAt >= graceMs);
  const looks = [
    ...ready.flatMap((own) => atStatus(stage, steerer, own) ?? []),
    ...atLists(stage, steerer, ready),
  ];
  return looks.reduce<DueLook | null>(
    (best, one) => (best === null || one.gain > best.gain ? one : best),
    null,
  );
}

/** Looks at one record by its status and in a list. */
export async function lookAt(stage: Stage, own: Own): Promise<void> {
  await atStatusNow(stage, own, 'checkin_id');
  await atListNow(stage, [own]);
}

async function settled(stage: Stage, touchedAt: number): Promise<void> {
  const ms = touchedAt + stage.bench.grace(settlesMs) - stage.bench.monotonic();
  if (ms > 0) await stage.wait(ms);
}

/** What happened, seen at all and seen here, from coarse to fine: what it was called begins with its kind. */
function chainsOf(look: Look, unseen: Iterable<string>): readonly (readonly string[])[] {
  return [...unseen].flatMap((what) => {
    const words = what.split(' ');
    const kinds = words.map((_word, at) => words.slice(0, at + 1).join(' '));
    return [
      kinds.map((kind) => `seen ${kind}`),
      [`look ${look}`, ...kinds.map((kind) => `look ${look} ${kind}`)],
    ];
  });
}

/** Of the two chains, each counts half. */
function gainOf(steerer: Steerer<Stage>, chains: readonly (readonly string[])[]): number {
  return chains.reduce((sum, chain) => sum + steerer.noveltyOf(chain), 0) / 2;
}

function atStatus(stage: Stage, steerer: Steerer<Stage>, own: Own): DueLook | null {
  if (own.unseen.status.size === 0) return null;
  const name = stage.random() < 0.25 ? ('checkinId' as const) : ('checkin_id' as const);
  const beside = chainsOf('status', own.unseen.status);
  return { beside, gain: gainOf(steerer, beside), look: () => atStatusNow(stage, own, name) };
}

async function atStatusNow(stage: Stage, own: Own, name: 'checkin_id' | 'checkinId'): Promise<void> {
  await settled(stage, own.touchedAt);
  stage.concern(own);
  const x = await stage.send(statusOf(stage, own, name));
  const status = memberOf(x, 'status');
  if (typeof status === 'string') own.status = status;
  own.unseen.status.clear();
}

/** The first page of a list shows the latest records. */
const mostListed = 100;

function atLists(stage: Stage, steerer: Steerer<Stage>, ready: readonly Own[]): readonly DueLook[] {
  const homes = [...new Set(ready.map(({ home }) => home))];
  return homes.flatMap((home) => {
    const shown = ready.filter((own) => own.home === home && own.unseen.list.size > 0).slice(-mostListed);
    const beside = chainsOf('list', new Set(shown.flatMap((own) => [...own.unseen.list])));
    return { beside, gain: gainOf(steerer, beside), look: () => atListNow(stage, shown) };
  });
}

/** A list of an enterprise with these of its records. */
async function atListNow(stage: Stage, shown: readonly Own[]): Promise<void> {
  const [first] = shown;
  if (!first) return;
  await settled(stage, Math.max(...shown.map(({ touchedAt }) => touchedAt)));
  for (const own of shown) stage.concern(own);
  await stage.send(list({ limit: '100' }, { key: stage.keyOf(first.home) }));
  for (const own of shown) own.unseen.list.clear();
}
