import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/evidence.ts';
import { memberOf, responseOf } from '../../judge/kernel/body.ts';
import { holds, differs } from '../../judge/kernel/judgement.ts';
import { sampleOf, type Sample } from '../../judge/kernel/sample.ts';
import * as is from '../../spec/kernel/value.ts';
import type { LastStates } from '../journeys/lastStates.ts';

interface StateAudit {
  /** Ids of records of the load. */
  readonly records: readonly string[];
  readonly pushed: LastStates;
  /** Whether the deployment says that no webhook is still to come; only then is a difference certain. */
  readonly isQuiet: boolean;
  readonly clock: Clock;
  readonly read: (checkinId: string) => Promise<Exchange>;
}

const requirement = 'WCI-CB-020';
/** A status may come from a copy that is not up to date; two looks so far apart must both differ. */
const lagMs = 5000;

/**
 * Reads records once all is quiet: what oracles say of such an answer, they say by themselves. Here the state that is
 * polled is held against the one that was pushed last, since each further change would have been pushed as well.
 */
export async function auditStates(audit: StateAudit): Promise<readonly Sample[]> {
  const first = await look(audit, audit.records);
  if (!audit.isQuiet) return [];
  const differing = first.filter(({ judgement }) => judgement.status === 'violated');
  if (differing.length === 0) return first;
  await audit.clock.sleep(lagMs);
  const again = await look(
    audit,
    differing.map(({ record }) => record),
  );
  return [...first.filter((one) => !differing.includes(one)), ...again];
}

type Look = Sample & { readonly record: string };

async function look({ pushed, read }: StateAudit, records: readonly string[]): Promise<readonly Look[]> {
  const looks: Look[] = [];
  for (const record of records) {
    const exchange = await read(record);
    // A webhook may have come while the answer was under way.
    const last = pushed.of(record);
    const status = memberOf(exchange, 'status');
    if (last === null || responseOf(exchange)?.status !== 200 || typeof status !== 'string') continue;
    const note = 'as the last webhook said, with nothing more pending';
    const want = is.noted(is.value(last.status), note);
    const because = [last.delivery, exchange];
    const judgement =
      last.status === status ? holds : differs('not-pushed', 'status', want, is.value(status), because);
    looks.push({ ...sampleOf(requirement, judgement), evidence: [exchange, last.delivery], record });
  }
  return looks;
}

/** So many of them, evenly over all. */
export function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] as T);
}
