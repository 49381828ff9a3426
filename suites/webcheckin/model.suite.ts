import {
  type CheckContext,
  type Exchange,
  accepted,
  all,
  answered,
  equalMembers,
  generate,
  hasMember,
  holds,
  isAccepted,
  lacksNothing,
  lacksSomething,
  memberOf,
  notFound,
  objectOf,
  objectsAt,
  ok,
  property,
  recordOf,
  responseOf,
  status,
  subscribe,
  suite,
  update,
  without,
  ofAnother,
} from '../checks.ts';
import { bookingNumber, isNumbered, judgeUpdated, readAfter, readUntil } from '../support/checkin.ts';
import {
  type Attempt,
  type Command,
  Attempts,
  sequences,
  stepsPerSequence,
} from '../support/checkinModel.ts';
import { newEnterprise } from '../support/enterprises.ts';
import { type ModelStage, asModelled, judgeList, keyFor } from '../support/modelReads.ts';

export default suite('Sequences of operations', [
  property({
    id: 'wci.model.sequences',
    title: 'every answer of a sequence of operations is what the operations before it make it',
    verifies: [
      ...['WCI-SUB-002', 'WCI-SUB-015', 'WCI-SUB-016', 'WCI-SUB-017', 'WCI-SUB-019', 'WCI-SUB-020'],
      ...[
        'WCI-STS-001',
        'WCI-STS-007',
        'WCI-STS-008',
        'WCI-STS-013',
        'WCI-UPD-001',
        'WCI-UPD-002',
        'WCI-UPD-003',
      ],
      ...[
        'WCI-UPD-027',
        'WCI-UPD-029',
        'WCI-UPD-044',
        'WCI-UPD-047',
        'WCI-SCP-001',
        'WCI-SCP-002',
        'WCI-SCP-006',
      ],
      ...['WCI-SCP-007', 'WCI-SCP-010'],
    ],
    needs: ['state:enterprise.create', 'state:automation.set', 'state:checkin.progress'],
    uses: ['complete-record'],
    exclusive: true,
    mostPerCase: { requests: stepsPerSequence, quota: 4 },
    maxCases: 60,
    run: async (t) => {
      const units = 4 * (t.cases + 60);
      const pools = [
        await newEnterprise(t, units, keysPerEnterprise),
        await newEnterprise(t, units, keysPerEnterprise),
      ];
      let played = 0;
      await t.state.set('automation.set', { mode: 'manual' });
      // Set as soon as a sequence fails: while it is shrunk, only what it needs is sent.
      const broken: unknown[] = [];
      try {
        await t.forAll('a sequence of operations', sequences, async (commands) => {
          const bodies = [await t.fixtures.booking(), await t.fixtures.booking()];
          // Two keys a sequence, and other two for the next one, so that none of them has to wait for its limit.
          const first = (2 * played++) % keysPerEnterprise;
          const keys = pools.map((pool) => pool.slice(first, first + 2));
          const stage = { keys, bodies, attempts: new Attempts() };
          await play(t, stage, commands).catch((error: unknown) => {
            broken.push(error);
            throw error;
          });
          // Every sequence sends the same number of requests, so that a plan can count them.
          if (broken.length === 0) await play(t, stage, closingReads(stage, commands.length));
        });
      } finally {
        await t.state.set('automation.set', { mode: 'auto' });
      }
    },
  }),
]);

const keysPerEnterprise = 24;

const closing: Command = {
  do: 'read',
  booking: 0,
  enterprise: 0,
  key: 0,
  complete: true,
  by: 'checkin_id',
  to: 'IN_PROGRESS',
};

async function play(t: CheckContext, stage: ModelStage, commands: readonly Command[]): Promise<void> {
  for (const command of commands) await step(t, stage, command);
}

/** What a sequence left, read until the longest sequence's number of requests is sent. */
function closingReads(stage: ModelStage, sent: number): readonly Command[] {
  const places = stage.attempts.all();
  return Array.from({ length: stepsPerSequence - sent }, (_, index) => ({
    ...closing,
    do: index % 3 === 2 ? 'list' : 'read',
    enterprise: places[index % Math.max(1, places.length)]?.enterprise ?? 0,
    booking: places[index % Math.max(1, places.length)]?.booking ?? 0,
  }));
}

/** A command for a booking that has an attempt. */
interface At {
  readonly stage: ModelStage;
  readonly command: Command;
  readonly attempt: Attempt;
}

type Followed = Pick<Attempt, 'record'> & Partial<Pick<Attempt, 'earlier'>>;

/** One request a step: where there is no attempt yet, every step but a list makes one. */
async function step(t: CheckContext, stage: ModelStage, command: Command): Promise<void> {
  const attempt = stage.attempts.get(command);
  if (command.do === 'list') return judgeList(t, stage, command);
  if (!attempt) return created(t, stage, command);
  if (command.do === 'subscribe') return repeated(t, { stage, command, attempt });
  if (command.do === 'replace') return replaced(t, { stage, command, attempt });
  if (command.do === 'intrude') return intruded(t, { stage, command, attempt });
  if (command.do === 'progress') {
    await t.state.set('checkin.progress', { checkin_id: attempt.record.checkinId, status: command.to });
    stage.attempts.set(command, { ...attempt, status: command.to, complete: null, blame: 'WCI-STS-013' });
  }
  return read(t, { stage, command, attempt: stage.attempts.get(command) ?? attempt });
}

async function created(t: CheckContext, stage: ModelStage, command: Command): Promise<void> {
  const body = stage.bodies[command.booking] ?? {};
  const exchange = await t.send(subscribe(body, { key: keyFor(stage, command) }));
  t.assume(isAccepted(exchange), 'a booking of a kind that was accepted before is not accepted');
  const shown = objectOf(exchange);
  const record = recordOf(body, exchange);
  const others = stage.attempts.all().map(({ attempt }) => attempt.record.checkinId);
  t.judge(exchange, {
    'WCI-SCP-007': others.includes(record.checkinId)
      ? ofAnother('checkin-id', 'checkin_id', 'attempt', record.checkinId)
      : holds,
  });
  t.judge(exchange, { 'WCI-SUB-002': hasMember(shown, 'message', 'SCHEDULED') });
  follow(stage, command, { record });
}

/** From now on the booking is this attempt, made of a complete body. */
function follow(stage: ModelStage, command: Command, { record, earlier = [] }: Followed): void {
  const known = { status: 'SCHEDULED', complete: true, blame: 'WCI-STS-007' };
  stage.attempts.set(command, { record, madeBy: command.key, ...known, earlier });
}

async function repeated(t: CheckContext, { stage, command, attempt }: At): Promise<void> {
  const exchange = await t.send(subscribe(attempt.record.body, { key: keyFor(stage, command) }));
  const isOther = command.key !== attempt.madeBy;
  const hasEnded = attempt.status !== 'SCHEDULED' && attempt.status !== 'IN_PROGRESS';
  const isAnew = isAccepted(exchange) && memberOf(exchange, 'checkin_id') !== attempt.record.checkinId;
  // Whether a booking whose attempt has ended is subscribed anew is open.
  if (hasEnded && isAnew) {
    const earlier = [...(attempt.earlier ?? []), attempt.record.checkinId];
    follow(stage, command, { record: recordOf(attempt.record.body, exchange), earlier });
    return;
  }
  const again = all(accepted(exchange), hasMember(objectOf(exchange), 'message', 'ALREADY_SUBSCRIBED'));
  t.judge(exchange, { [isOther ? 'WCI-SUB-020' : 'WCI-SUB-015']: again });
  t.judge(exchange, {
    'WCI-SUB-016': equalMembers(exchange, attempt.record.subscribed, ['checkin_id', 'booking_id']),
  });
  const told = memberOf(exchange, 'status');
  if (attempt.status !== null && generate.checkinStatuses.some((one) => one === told))
    t.judge(exchange, { 'WCI-SUB-017': hasMember(objectOf(exchange), 'status', attempt.status) });
  stage.attempts.set(command, { ...attempt, blame: 'WCI-SUB-017' });
}

async function replaced(t: CheckContext, { stage, command, attempt }: At): Promise<void> {
  const { record } = attempt;
  const passengers = objectsAt(record.body, 'passengers').map((passenger) =>
    command.complete ? passenger : without(passenger, 'passport'),
  );
  const named = {
    checkin_id: record.checkinId,
    webcheckin_id: record.checkinId,
    booking_id: isNumbered(record) ? bookingNumber(record) : record.bookingId,
  };
  const isOther = command.key !== attempt.madeBy;
  // What another key may do is asked of the plain identifier alone.
  const isText = command.by === 'booking_id' && !isNumbered(record);
  const by = isOther || isText ? 'checkin_id' : command.by;
  const body = { [by]: named[by], passengers };
  const exchange = await t.send(update(body, { key: keyFor(stage, command) }));
  const code = responseOf(exchange)?.status;
  if (attempt.status !== 'SCHEDULED') {
    // In which states an update is a conflict is open, and what it does to the state of those that it changes.
    t.assume(code === 200 || code === 409 || code === 422, `an update answered ${code ?? 'nothing'}`);
    const isConflict = code === 409;
    const next = isConflict ? { blame: 'WCI-UPD-047' } : { status: null, complete: null };
    stage.attempts.set(command, { ...attempt, ...next });
    return;
  }
  const isRefused = isOther && responseOf(exchange)?.status === 400;
  t.assume(!isRefused, 'the update was refused for its form, which is another rule');
  t.judge(exchange, { [isOther ? 'WCI-UPD-044' : ruleOf[by]]: accepted(exchange) });
  const blame = command.complete ? 'WCI-UPD-029' : 'WCI-UPD-027';
  const wanted = command.complete ? lacksNothing : lacksSomething;
  const shown = await judgeUpdated(t, exchange, wanted, keyFor(stage, command));
  t.judge(shown.evidence, { [blame]: shown.judgement });
  const status = memberOf(exchange, 'data', 'status');
  // A record that an update completes may move on at once.
  const known = status === 'SCHEDULED' ? 'SCHEDULED' : null;
  stage.attempts.set(command, {
    ...attempt,
    status: known,
    complete: command.complete,
    blame,
    updated: exchange,
  });
}

async function read(t: CheckContext, { stage, command, attempt }: At): Promise<void> {
  const { checkinId } = attempt.record;
  const send = () => t.send(status({ checkin_id: checkinId }, { key: keyFor(stage, command) }));
  const isThere = (one: Exchange) => asModelled(one, attempt).status !== 'violated';
  const { updated } = attempt;
  const exchange = await (updated ? readAfter(t, updated, send, isThere) : readUntil(t, send, isThere));
  const isOther = command.key !== attempt.madeBy;
  t.judge(exchange, { [isOther ? 'WCI-SCP-010' : 'WCI-STS-001']: answered(exchange, ok) });
  t.judge(exchange, { [attempt.blame]: asModelled(exchange, attempt) });
  const shown = memberOf(exchange, 'status');
  stage.attempts.set(command, { ...attempt, status: typeof shown === 'string' ? shown : null });
}

/** The other enterprise finds nothing and changes nothing. */
async function intruded(t: CheckContext, { stage, command, attempt }: At): Promise<void> {
  const { checkinId, body } = attempt.record;
  const key = keyFor(stage, { ...command, enterprise: command.enterprise === 0 ? 1 : 0 });
  const passengers = objectsAt(body, 'passengers').map((passenger) => without(passenger, 'passport'));
  const reads = command.complete;
  const exchange = await t.send(
    reads
      ? status({ checkin_id: checkinId }, { key })
      : update({ checkin_id: checkinId, passengers }, { key }),
  );
  const isForm = !reads && responseOf(exchange)?.status === 400;
  t.assume(!isForm, 'the update was refused for its form, which is another rule');
  t.judge(exchange, { [reads ? 'WCI-SCP-001' : 'WCI-SCP-002']: answered(exchange, notFound) });
  if (!reads) stage.attempts.set(command, { ...attempt, blame: 'WCI-SCP-006' });
}

const ruleOf = {
  checkin_id: 'WCI-UPD-001',
  webcheckin_id: 'WCI-UPD-002',
  booking_id: 'WCI-UPD-003',
} as const;
