import { Contrast, type Trait } from '../../../spec/kernel/contrast.ts';
import { OwedNotices, type Due, type Notice, type Owed } from '../../../spec/world/notices.ts';
import { merged, type LegChange } from '../../../spec/world/upstream.ts';
import { isDeepStrictEqual } from 'node:util';
import { isNote } from '../../../trace/evidence.ts';
import { callOf } from '../../../trace/call.ts';
import {
  changedForms,
  changedPaths,
  judgeChange,
  reliablePaths,
  isTold,
  type ChangedLeg,
} from '../changedLeg.ts';
import { noticeOf, toldAt, toldIn, toldPaths } from '../flightNotice.ts';
import { valueAt } from '../legSnapshot.ts';
import { violated, type Violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOf, type Sample } from '../../kernel/sample.ts';

/** Changes of legs that the state handler made are notified, as they were made. */
export const owedNotices: Oracle = {
  id: 'owed-notices',
  title: 'every change of a subscribed leg is notified, with all that changed',
  verifies: ['FLA-CB-001', 'FLA-CB-009'],
  needsAll: true,
  createWatch: () => {
    const contrast = new Contrast();
    let said: Sample[] = [];
    const world = new OwedNotices({
      isTold: (due) => isTold(changedLegOf(due)),
      judge: (due) => judge(due, contrast, said),
      followed: (notice, { by }) =>
        said.push({
          ...sampleOf(
            'FLA-CB-016',
            violated('known:followed', 'a notification to the registered URL alone', 'one to another address, after a redirect'),
          ),
          evidence: [notice, by],
        }),
      polled: (notice, { by }) =>
        said.push({
          ...sampleOf(
            'FLA-CB-017',
            violated('known:polled', 'no notification of a leg without callback', JSON.stringify(noticeOf(notice)?.changes)),
          ),
          evidence: [notice, by],
        }),
    });
    const take = () => {
      const all = said.splice(0);
      return all.length === 0 ? noSamples : all;
    };
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (call) world.learn(call);
        return take();
      },
      delivery: (delivery) => {
        world.deliver(delivery);
        return take();
      },
      note: (note) => {
        if (note.type === 'step') world.note(note);
      },
      end: () => {
        world.end();
        const silent = contrast.end().map(({ rule, code, want, got, because }) => ({
          ...sampleOf(rule, violated(code, want, got)),
          evidence: because.flatMap((one) => (isNote(one) ? [] : [one])).toReversed(),
        }));
        return [...take(), ...silent];
      },
      forgotten: () => world.forgotten,
    };
  },
};

function judge(due: Due, contrast: Contrast, said: Sample[]): void {
  const changed = changedLegOf(due);
  const paths = changedPaths(changed);
  const silent = due.isOver ? due.changes.filter((change) => isSilent(change, due)) : [];
  for (const change of silent) {
    const told = pathsOf(change).filter((path) => paths.includes(path) || !toldPaths.includes(path));
    if (told.length === 0) continue;
    contrast.accuse(traitsOf(change, due), {
      rule: '',
      code: 'known:silence',
      at: 'changes',
      want: `a notification of ${told.join(', ')}`,
      got: `${due.subscriber.notices.length} of other changes ${process.env.DBG ? JSON.stringify([due.subscriber.name, due.subscriber.by.id, change.startedAt % 100000, change.changes, due.changes.length]) : ''}`,
      because: [due.subscriber.by],
    });
  }
  for (const change of due.changes) if (!silent.includes(change)) contrast.keep(traitsOf(change, due));
  if (paths.length === 0 || silent.length > 0) return;
  const shortened = isShortened(changed);
  const judged = Object.entries(shortened ? { 'FLA-CB-009': shortened } : judgeChange(changed));
  for (const [rule, judgement] of judged) {
    if (judgement.status !== 'violated') continue;
    said.push({
      ...sampleOf(rule, { ...judgement, code: `known:${judgement.code}` }),
      evidence: [...due.subscriber.notices.map(({ delivery }) => delivery).slice(0, 3), due.subscriber.by],
    });
  }
}

/** The leg before and after some changes, at the paths where it is surely shown as upstream has it. */
function changedLegOf({ subscriber, changes, doubtful }: Due): ChangedLeg {
  const [first] = changes;
  const last = changes.at(-1);
  if (!first || !last) throw new Error('there is no change');
  const { before: upstream } = first;
  const { shown: seen } = first;
  const now = last.leg.isSeen ? last.leg.shown : null;
  const shown = seen ?? {};
  const due = changes.reduce((leg, change) => merged(leg, change.changes), shown);
  const reliable = seen ? reliablePaths(seen, upstream) : [];
  const after = now ?? due;
  const forms = changedForms({ before: shown, after }, { before: upstream, after: last.after });
  const overwritten = changes.slice(0, -1).flatMap((change, at) => {
    const rest = new Set(changes.slice(at + 1).flatMap(pathsOf));
    return pathsOf(change).filter((path) => rest.has(path));
  });
  const paths = reliablePaths(after, last.after).filter(
    (path) =>
      reliable.includes(path) &&
      !forms.includes(path) &&
      !overwritten.includes(path) &&
      (now !== null || !isCleared(valueAt(after, path))),
  );
  const notices = (all: readonly Notice[]) =>
    all.map((notice) => ({ ...notice, fid: subscriber.fid }));
  return {
    ...{ before: shown, after, paths, registered: subscriber.registered },
    ...{
      notices: notices([...subscriber.notices, ...doubtful]),
      earlier: notices([...subscriber.earlier, ...doubtful]),
    },
  };
}

function isCleared(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** A delivery that failed comes again with a part of what it told: a field that is missing counts as unchanged. */
function isShortened({ notices, earlier, paths }: ChangedLeg): Violated | null {
  const told = [...earlier, ...notices].map(({ delivery, changes }) => ({
    delivery,
    fields: toldIn(changes).map((path) => `${path} ${JSON.stringify(toldAt(changes, path))}`),
  }));
  for (const [at, again] of told.entries()) {
    if (at < earlier.length) continue;
    const first = told
      .slice(0, at)
      .find(
        ({ delivery, fields }) =>
          !delivery.answer.startsWith('2') &&
          again.fields.length > 0 &&
          again.fields.length < fields.length &&
          again.fields.every((field) => fields.includes(field)),
      );
    if (first && paths.length > 0)
      return violated(
        'shortened',
        `changes with ${first.fields.join(', ')}, as in the delivery answered ${first.delivery.answer}`,
        `changes with ${again.fields.join(', ')} alone when it was repeated`,
      );
  }
  return null;
}

/** Nothing that came tells a value of a change, nor is it about what changed and news. */
function isSilent(change: Owed, { subscriber, doubtful }: Due): boolean {
  const { notices, earlier } = subscriber;
  const paths = pathsOf(change);
  const isRight = ({ changes }: Notice) =>
    paths.some((path) => isDeepStrictEqual(toldAt(changes, path), valueAt(change.after, path)));
  const isNews = (notice: Notice) =>
    paths.some((path) => toldAt(notice.changes, path) !== undefined) &&
    !earlier.some(({ changes }) => isDeepStrictEqual(changes, notice.changes));
  return ![...notices, ...doubtful].some(isRight) && !notices.some(isNews);
}

/** After so many milliseconds of failed deliveries an address might be given up. */
const longMs = 3_600_000;

function traitsOf(change: Owed, { subscriber }: Due): readonly Trait[] {
  return [
    'FLA-CB-001',
    ...subscriber.traits,
    ...(change.failingMs >= longMs ? ['FLA-CB-080'] : []),
    ...(change.isPast ? ['FLA-CB-033'] : []),
    ...(change.failingMs > 0 && change.failingMs < longMs ? ['FLA-CB-001 behind retry'] : []),
    ...(/arrival/.test(String(change.before.status)) ? ['FLA-CB-001 after arrival'] : []),
  ];
}

/** The paths at which a change differs from what was before. */
function pathsOf({ before, after }: LegChange): readonly string[] {
  return changedPaths({ before, after, paths: toldPaths });
}
