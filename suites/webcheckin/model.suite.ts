import {
  type CheckContext,
  type JsonObject,
  type OwnRecord,
  isAccepted,
  list,
  memberOf,
  objectsAt,
  property,
  recordOf,
  status,
  subscribe,
  suite,
  update,
  without,
} from '../checks.ts';
import { bookingNumber, isNumbered } from '../support/checkin.ts';
import {
  type Command,
  type ModelStage,
  Attempts,
  keyFor,
  sequences,
  stepsPerSequence,
} from '../support/checkinModel.ts';
import { newEnterprise } from '../support/enterprises.ts';

export default suite('Sequences of operations', [
  property({
    id: 'wci.model.sequences',
    title: 'every answer of a sequence of operations is what the operations before it make it',
    verifies: [
      ...['WCI-SUB-002', 'WCI-SUB-015', 'WCI-SUB-016', 'WCI-SUB-017', 'WCI-SUB-020'],
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
      'WCI-SCP-007',
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
  const places = stage.attempts.places;
  return Array.from({ length: stepsPerSequence - sent }, (_, index) => ({
    ...closing,
    do: index % 3 === 2 ? 'list' : 'read',
    ...places[index % Math.max(1, places.length)],
  }));
}

/** One request a step, and a state step before it where automation goes on; where there is no attempt yet, every step but a list makes one. */
async function step(t: CheckContext, stage: ModelStage, command: Command): Promise<void> {
  const record = stage.attempts.get(command);
  const options = { key: keyFor(stage, command) };
  if (command.do === 'list') await t.send(list({ limit: '100' }, options));
  else if (!record || command.do === 'subscribe') await subscribed(t, stage, command);
  else if (command.do === 'replace')
    await t.send(update({ ...nameOf(record, command), passengers: passengersOf(record, command) }, options));
  else if (command.do === 'intrude') await intrude(t, stage, command);
  else {
    const checkin_id = record.checkinId;
    if (command.do === 'progress') await t.state.set('checkin.progress', { checkin_id, status: command.to });
    await t.send(status({ checkin_id }, options));
  }
}

/** Whether a booking whose attempt has ended is subscribed anew is open: then the latest one is followed. */
async function subscribed(t: CheckContext, stage: ModelStage, command: Command): Promise<void> {
  const body = stage.bodies[command.booking] ?? {};
  const exchange = await t.send(subscribe(body, { key: keyFor(stage, command) }));
  const known = stage.attempts.get(command);
  if (!known || (isAccepted(exchange) && memberOf(exchange, 'checkin_id') !== known.checkinId))
    stage.attempts.set(command, recordOf(body, exchange));
}

/** The other enterprise looks for it, or sends an update of it. */
async function intrude(t: CheckContext, stage: ModelStage, command: Command): Promise<void> {
  const record = stage.attempts.get(command);
  if (!record) return;
  const key = keyFor(stage, { ...command, enterprise: command.enterprise === 0 ? 1 : 0 });
  const checkin_id = record.checkinId;
  if (command.complete) await t.send(status({ checkin_id }, { key }));
  else await t.send(update({ checkin_id, passengers: passengersOf(record, command) }, { key }));
}

function nameOf(record: OwnRecord, { by }: Command): JsonObject {
  if (by === 'booking_id' && isNumbered(record)) return { booking_id: bookingNumber(record) };
  return { [by === 'booking_id' ? 'checkin_id' : by]: record.checkinId };
}

function passengersOf({ body }: OwnRecord, { complete }: Command): readonly JsonObject[] {
  return objectsAt(body, 'passengers').map((one) => (complete ? one : without(one, 'passport')));
}
