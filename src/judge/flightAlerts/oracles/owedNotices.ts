import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../../../spec/grammar/form.ts';
import { Blame, only, owed, type Suspects, type Trait } from '../../../spec/kernel/blame.ts';
import { OwedNotices } from '../../../spec/world/notices.ts';
import {
  type Due,
  type Owed,
  type LegChange,
  toldAt,
  toldIn,
  toldPaths,
  type FlightNotice,
} from '../../../spec/world/upstream.ts';
import { merged } from '../../../spec/world/flights.ts';
import { isObject } from '../../../trace/body.ts';
import { callOf } from '../../../trace/call.ts';
import {
  changedForms,
  changedPaths,
  isUnchanged,
  judgeChange,
  reliablePaths,
  isTold,
  tells,
  type ChangedLeg,
} from '../../../spec/rules/noticeValues.ts';
import { Findings, type Wrong } from '../../../spec/kernel/findings.ts';
import { text } from '../../../spec/kernel/value.ts';
import { valueAt } from '../../../spec/rules/legMembers.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { sampleOf, sampleOfViolation, samplesKept, type Sample } from '../../kernel/sample.ts';

/** Changes of legs that the state handler made are notified, as they were made. */
export const owedNotices: Oracle = {
  id: 'owed-notices',
  title: 'every change of a subscribed leg is notified, with all that changed',
  // FLA-CB-022 and FLA-SUB-011 are judged by other oracles as well.
  verifies: [
    ...['FLA-CB-001', 'FLA-CB-008', 'FLA-CB-009', 'FLA-CB-010', 'FLA-CB-011', 'FLA-CB-012', 'FLA-CB-013'],
    ...['FLA-CB-014', 'FLA-CB-016', 'FLA-CB-018', 'FLA-CB-019', 'FLA-CB-024', 'FLA-CB-033'],
    ...['FLA-CB-080'],
  ],
  operations: ['fla.lookup', 'fla.subscribe', 'wci.subscribe'],
  needs: 'everything',
  createWatch: () => {
    const blame = new Blame();
    const said: Sample[] = [];
    const say: Say = (rule, wrong, evidence) =>
      said.push({ ...sampleOf(rule, { status: 'violated', ...wrong }), evidence });
    const world = new OwedNotices({
      isTold: (due) => isTold(changedLegOf(due)),
      judge: (due) => judge(due, blame, say),
      emptied: ({ delivery }, failed) =>
        say('FLA-CB-020', { code: 'empty', at: 'changes', ...emptied }, [delivery, failed.delivery]),
      stayed: () => blame.show('FLA-CB-016'),
      followed: (notice, { by }) =>
        say('FLA-CB-016', { code: 'known:followed', at: 'callback', ...redirected }, [notice, by]),
    });
    const own = new Set(owedNotices.verifies);
    const take = () => {
      const kept = samplesKept(blame, own);
      return said.length === 0 ? kept : [...said.splice(0), ...kept];
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
        const silent = blame.end().map(sampleOfViolation);
        return [...take(), ...silent];
      },
      forgotten: () => world.forgotten,
    };
  },
};

type Say = (rule: string, wrong: Wrong, evidence: NonNullable<Sample['evidence']>) => unknown;

const emptied = { want: text('those of the delivery that failed'), got: text('none') };

const redirected = {
  want: text('a notification to the registered URL alone'),
  got: text('one to another address, after a redirect'),
};

function judge(due: Due, blame: Blame, say: Say): void {
  const changed = changedLegOf(due);
  const paths = changedPaths(changed);
  const untold = due.changes.filter((change) => isSilent(change, due));
  const silent = due.isOver ? untold : [];
  for (const change of silent) {
    const told = pathsOf(change).filter((path) => paths.includes(path) || !toldPaths.includes(path));
    if (told.length === 0) continue;
    blame.accuse(suspectsOf(change, due, blame), 'callback', {
      code: 'known:silence',
      at: 'changes',
      want: `a notification of ${told.join(', ')}`,
      got: `${due.subscriber.notices.length} of other changes`,
      because: [due.subscriber.by],
    });
  }
  for (const change of due.changes) if (!untold.includes(change)) blame.keep(only(...traitsOf(change)));
  // Of changes that come close together, one notice may tell of another than it seems.
  if (paths.length === 0 || silent.length > 0 || due.changes.length > 1) return;
  const findings = new Findings();
  const shortened = isShortened(changed);
  if (shortened) findings.break('FLA-CB-009', shortened);
  else judgeChange(changed, findings);
  const { notices, by } = due.subscriber;
  const shown = notices.map(({ delivery }) => delivery).slice(0, 3);
  for (const [rule, wrong] of findings.all)
    if (wrong === null) blame.show(rule);
    else if (typeof wrong === 'object') say(rule, { ...wrong, code: `known:${wrong.code}` }, [...shown, by]);
}

/** The leg before and after some changes, at the paths where it is surely shown as upstream has it. */
function changedLegOf({ subscriber, changes, doubtful }: Due): ChangedLeg {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) throw new Error('there is no change');
  const { before: upstream, shown: seen } = first;
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
  // A change of form alone may be told with the next one.
  const unsaid = subscriber.unsaid.flatMap((change) =>
    toldPaths.filter((path) => !isUnchanged(change, path)),
  );
  const paths = reliablePaths(after, last.after).filter(
    (path) =>
      reliable.includes(path) &&
      !forms.includes(path) &&
      !unsaid.includes(path) &&
      !overwritten.includes(path) &&
      (now !== null || !isCleared(valueAt(after, path))),
  );
  const { registered, notices, earlier } = subscriber;
  // One that tells nothing of these is of the next change.
  const mine = doubtful.filter(({ changes: told }) =>
    toldIn(told).some((path) => tells(path, toldAt(told, path), valueAt(after, path))),
  );
  return {
    ...{ before: shown, after, paths, registered },
    ...{ notices: [...notices, ...mine], earlier: [...earlier, ...doubtful] },
  };
}

function isCleared(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** A delivery that failed comes again with a part of what it told: a field that is missing counts as unchanged. */
function isShortened(changed: ChangedLeg): Wrong | null {
  const { notices, earlier, paths } = changed;
  const due = new Set(changedPaths(changed));
  const told = [...earlier, ...notices].map(({ delivery, changes }) => ({
    delivery,
    // What is due now may have been told once before.
    isDue: toldIn(changes).every((path) => due.has(path)),
    fields: toldIn(changes).map((path) => `${path} ${JSON.stringify(toldAt(changes, path))}`),
  }));
  for (const [at, again] of told.entries()) {
    if (at < earlier.length) continue;
    const first = told
      .slice(again.isDue ? earlier.length : 0, at)
      .find(
        ({ delivery, fields }) =>
          !delivery.answer.startsWith('2') &&
          again.fields.length > 0 &&
          again.fields.length < fields.length &&
          again.fields.every((field) => fields.includes(field)),
      );
    if (first && paths.length > 0) {
      const want = text(`${first.fields.join(', ')}, as in the delivery answered ${first.delivery.answer}`);
      const got = text(`${again.fields.join(', ')} alone when it was repeated`);
      return { code: 'shortened', at: 'changes', want, got };
    }
  }
  return null;
}

/** Nothing that came tells a value of a change, nor is it about what changed and news. */
function isSilent(change: Owed, { subscriber, changes: { length: changesCount }, doubtful }: Due): boolean {
  const { notices, earlier } = subscriber;
  const paths = pathsOf(change);
  const isRight = ({ changes }: FlightNotice) =>
    paths.some((path) => {
      const [told, made] = [toldAt(changes, path), valueAt(change.after, path)];
      // Some show a blank text for what upstream has as null, and tell it so.
      return tells(path, told, made) || (told !== undefined && isCleared(told) && isCleared(made));
    });
  // What was refused may come again; what was accepted is a value that is told anew, right or wrong.
  const isNews = (notice: FlightNotice) =>
    paths.some((path) => isAbout(notice, path)) &&
    !earlier.some(({ changes, delivery }) => {
      const isOther = delivery !== notice.delivery && delivery.answer.startsWith('2');
      return !isOther && isDeepStrictEqual(changes, notice.changes);
    });
  const isEmpty = ({ changes }: FlightNotice) => changesCount === 1 && toldIn(changes).length === 0;
  return ![...notices, ...doubtful].some(isRight) && !notices.some((one) => isNews(one) || isEmpty(one));
}

/** Whether it tells something of a path, if only as a text in place of what it is in. */
function isAbout({ changes }: FlightNotice, path: string): boolean {
  const whole = changes[path.split('.')[0] ?? path];
  return toldAt(changes, path) !== undefined || (whole !== undefined && !isObject(whole));
}

/** A callback that was notified before, and is no more after a single request, lacks it for that. */
function suspectsOf(change: Owed, { subscriber: { earlier } }: Due, blame: Blame): Suspects {
  const [since, ...more] = change.since;
  const isSingle = since !== undefined && more.length === 0 && earlier.length > 0;
  return isSingle && !blame.hasKept(since) ? only(since) : owed(...traitsOf(change));
}

function traitsOf(change: Owed): readonly Trait[] {
  return [
    'FLA-CB-001',
    ...change.traits,
    ...(change.failed === null ? [] : [`FLA-CB-080 ${change.failed}`]),
    ...(change.isPast ? ['FLA-CB-033'] : []),
    ...(change.failingMs > 0 && change.failed === null ? ['FLA-CB-001 behind retry'] : []),
    ...(textOf(change.before.status).includes('arrival') ? ['FLA-CB-001 after arrival'] : []),
  ];
}

/** The paths at which a change differs from what was before. */
function pathsOf({ before, after }: LegChange): readonly string[] {
  return changedPaths({ before, after, paths: toldPaths });
}
