import { checkinOperations } from '../../../core/operations.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import { nothingKnown, type Known, type Oracle } from '../../kernel/oracle.ts';
import { ofRecords, place, type ShownRecord } from '../records.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { clockSlackMs } from '../clockSlack.ts';
import { creationOf, CreationTimes, type Creation } from './creationTime.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** The latest last_updated, and when the first answer with it was received. */
interface Latest {
  readonly value: number;
  readonly knownSince: number;
}

/** What is remembered of a record. */
interface Memory {
  createdAt: number | null;
  /** As lists show it, which may be made from another copy than the rest, and as the other answers do. */
  listed: Latest | null;
  told: Latest | null;
  /** The last_updated that was shown first. */
  firstUpdated: number | null;
  /** What moves last_updated, and this itself, as the latest answer other than a list showed them. */
  state: State | null;
  /** The time according to the answer that created it, if this run created it. */
  creation: Creation | null;
}

/** The precision of the deployment's times. */
interface Grain {
  /** Whether a last_updated was seen that is not a whole second. */
  isFine: boolean;
  /** The least and the greatest difference of created_at from our clock: far apart if machines differ. */
  readonly offset: { least: number; most: number };
}

/** The clock of one machine differs from ours by the same amount each time, apart from the network delay. */
const oneClockMs = 300;

/** A record as one answer shows it, and what is remembered of it. */
interface Sight {
  readonly exchange: Exchange;
  readonly shown: ShownRecord;
  readonly memory: Memory;
}

interface State {
  readonly status: string;
  /** How many boarding passes it has: their URLs may be made anew for each answer. */
  readonly passes: number;
  readonly updatedAt: number;
  /** When the request was sent that this answer belongs to. */
  readonly asked: number;
}

/** A read that is as much later than another answer, and does not know what that showed, goes back. */
const lateReadMs = 10_000;

/** The timestamps of one record over all answers that show it. */
export const recordHistory: Oracle = {
  id: 'record-history',
  title:
    'created_at is the creation and never changes, last_updated never goes back and moves with the status and the boarding passes',
  verifies: ['WCI-LST-027', 'WCI-DT-028', 'WCI-DT-029', 'WCI-DT-035'],
  operations: checkinOperations,
  createWatch: (known = nothingKnown) => {
    const memories = new RecentMap<string, Memory>();
    const seen = {
      ...{ known, creations: new CreationTimes() },
      grain: { isFine: false, offset: { least: Infinity, most: -Infinity } },
    };
    return {
      exchange: (exchange) => {
        seen.creations.leads.see(exchange);
        return ofRecords(exchange, (shown, samples) => {
          const memory = memoryOf(memories, exchange, shown);
          if (memory) samples.push(...judgeRecord({ exchange, shown, memory }, seen));
        });
      },
      end: () => seen.creations.end(),
      forgotten: () => memories.forgotten,
    };
  },
};

function memoryOf(
  memories: Map<string, Memory>,
  { enterprise }: Exchange,
  { record }: ShownRecord,
): Memory | null {
  const id = record.checkin_id;
  if (enterprise === null || typeof id !== 'string') return null;
  const name = `${enterprise}/${id}`;
  let memory = memories.get(name);
  if (!memory) {
    memory = { createdAt: null, listed: null, told: null, firstUpdated: null, state: null, creation: null };
    memories.set(name, memory);
  }
  return memory;
}

interface Seen {
  readonly known: Known;
  readonly creations: CreationTimes;
  readonly grain: Grain;
}

function judgeRecord(sight: Sight, seen: Seen): readonly Sample[] {
  const { exchange, shown, memory } = sight;
  const createdAt = parseTimestamp(shown.record.created_at);
  const lastUpdated = parseTimestamp(shown.record.last_updated);
  if (shown.by === 'subscribe' && shown.record.message === 'SCHEDULED')
    memory.creation ??= creationOf(exchange, seen.known);
  const samples: Sample[] = [];
  if (createdAt !== null) {
    if (memory.createdAt !== null) samples.push(judgeConstancy(shown, createdAt, memory.createdAt));
    else if (memory.creation && shown.by === 'list') {
      const sample = seen.creations.judge(exchange, shown, createdAt, memory.creation);
      if (sample) samples.push(sample);
      note(seen.grain.offset, createdAt - memory.creation.byOurs);
    }
    memory.createdAt ??= createdAt;
  }
  if (lastUpdated !== null) {
    memory.firstUpdated ??= lastUpdated;
    samples.push(...judgeUpdated(sight, lastUpdated));
    if (lastUpdated % 1000 !== 0) seen.grain.isFine = true;
    samples.push(...judgeMoved(sight, lastUpdated, seen.grain));
  }
  return samples;
}

function judgeConstancy(shown: ShownRecord, createdAt: number, before: number): Sample {
  if (createdAt === before) return sampleOf('WCI-LST-027', holds);
  return sampleOf(
    'WCI-LST-027',
    violated(
      'changed',
      `created_at is ${iso(before)}, as before`,
      `${place(shown, 'created_at')} is ${iso(createdAt)}`,
    ),
  );
}

/** Against created_at of the same answer or of an earlier one, and against what earlier answers had shown. */
function judgeUpdated(sight: Sight, value: number): readonly Sample[] {
  const { createdAt } = sight.memory;
  const before = knownTo(sight);
  remember(sight, value);
  const tooEarly = (code: string, bound: string) => {
    const actual = `${place(sight.shown, 'last_updated')} is ${iso(value)}`;
    return [sampleOf('WCI-DT-029', violated(code, `a time not before ${bound}`, actual))];
  };
  if (createdAt !== null && value < createdAt - clockSlackMs)
    return tooEarly('before-creation', `created_at, ${iso(createdAt)}`);
  if (before !== null && value < before - clockSlackMs)
    return tooEarly('backwards', `the ${iso(before)} of an earlier answer`);
  return createdAt === null && before === null ? noSamples : [sampleOf('WCI-DT-029', holds)];
}

/**
 * Some keep whole seconds, on nodes whose clocks differ; two other times are the same only where nothing was written, and so
 * are any two of a deployment that keeps milliseconds.
 */
const settledMs = (value: number, { isFine }: Grain) =>
  isFine || value % 1000 !== 0 ? 50 : 1000 + clockSlackMs;

/** Another status with the last_updated of the one before, which had been shown well before that changed. */
function judgeMoved(sight: Sight, value: number, grain: Grain): readonly Sample[] {
  const { exchange, shown, memory } = sight;
  const { timings } = exchange;
  const { by, record } = shown;
  const { status, boarding_passes: shownPasses } = record;
  if (by === 'list' || typeof status !== 'string') return noSamples;
  const before = memory.state;
  // The answer to a subscribe shows no passes.
  const passes = Array.isArray(shownPasses) ? shownPasses.length : (before?.passes ?? 0);
  memory.state = { status, passes, updatedAt: value, asked: timings.sent };
  const moved = before ? movementOf(before, memory.state) : null;
  if (!before || moved === null) return noSamples;
  if (before.updatedAt !== value) return [sampleOf('WCI-DT-035', holds)];
  const known = [memory.listed, memory.told].filter((one) => one?.value === value);
  const since = Math.min(...known.map((one) => one?.knownSince ?? Infinity));
  if (before.asked - since < settledMs(value, grain)) return noSamples;
  const { least, most } = grain.offset;
  if (value === memory.firstUpdated && most - least > oneClockMs && isYoung(sight)) return noSamples;
  const actual = `last_updated is ${iso(value)} with ${moved.to}, as with ${moved.from}`;
  return [sampleOf('WCI-DT-035', violated('stays', 'a last_updated that moves with the record', actual))];
}

/** How the later state differs from the earlier one, in words; null where it does not. */
function movementOf(before: State, after: State): { readonly from: string; readonly to: string } | null {
  if (before.status !== after.status)
    return { from: `status ${before.status}`, to: `status ${after.status}` };
  const [from, to] = [before, after].map(({ passes }) => `${passes} boarding passes`);
  return before.passes === after.passes || from === undefined || to === undefined ? null : { from, to };
}

function note(offset: Grain['offset'], value: number): void {
  offset.least = Math.min(offset.least, value);
  offset.most = Math.max(offset.most, value);
}

/** Soon after its creation, a machine whose clock is behind may keep to the time of that. */
function isYoung({ exchange, memory: { creation } }: Sight): boolean {
  return creation !== null && exchange.timings.receivedAt < creation.byOurs + clockSlackMs;
}

/** The latest value that whoever answered must have known of; null where none is. A read may be made from a copy that is late. */
function knownTo({ exchange: { timings }, shown: { by }, memory }: Sight): number | null {
  const late = by === 'update' ? 0 : lateReadMs;
  const knew = (one: Latest | null, slack: number) =>
    one && timings.sent > one.knownSince + slack ? one.value : -Infinity;
  const latest = Math.max(knew(memory.listed, by === 'list' ? 0 : late), knew(memory.told, late));
  return latest === -Infinity ? null : latest;
}

function remember({ exchange: { timings }, shown, memory }: Sight, value: number): void {
  const member = shown.by === 'list' ? 'listed' : 'told';
  if (value > (memory[member]?.value ?? -Infinity)) memory[member] = { value, knownSince: timings.received };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
