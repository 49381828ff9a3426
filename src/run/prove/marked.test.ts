import { expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import { readSuites } from '../../engine/session/suites.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import { policyOfJob } from './job.ts';
import { judgeReference } from './judgeReference.ts';

/** Mistakes whose findings rest on several requests or callbacks, with the checks that find them. */
const mistakes = [
  { defect: 'content-type-parameters', only: 'wci.clients.media-types' },
  { defect: 'arrival-after-departure', only: 'wci.datetime.date-line' },
  { defect: 'clock-no-leap-day', only: 'wci.datetime.leap-day' },
  { defect: 'repeat-says-scheduled', only: 'wci.*' },
  { defect: 'update-type-upper-case', only: 'wci.update.pnr' },
  { defect: 'webhook-time-of-delivery', only: 'wci.callbacks.retries' },
  { defect: 'webhook-time-of-creation', only: 'wci.callbacks.retries' },
  { defect: 'webhook-retry-of-newest-state', only: 'wci.callbacks.retries' },
  { defect: 'webhook-retry-counted', only: 'wci.callbacks.retries' },
  { defect: 'webhook-old-values', only: 'wci.callbacks.changes' },
];

test.each(mistakes)('a finding of $defect marks what it quotes', async ({ defect, only }) => {
  const { findings, exchanges } = await found(defect, only);
  expect(findings).not.toEqual([]);
  const unmarked = findings.filter((finding) => !isMarked(finding, exchanges));
  expect(unmarked.map(({ requirement, actual, decisive }) => ({ requirement, actual, decisive }))).toEqual(
    [],
  );
});

async function found(defect: string, only: string) {
  const exchanges = new Map<string, Exchange>();
  const { outcomes } = await judgeReference({
    checks: await readSuites(),
    policy: policyOfJob({ dialect: {}, defect }),
    // What is known at the end is said by the specification alone.
    only: [only, '*.passive.*'],
    onExchange: (exchange) => exchanges.set(exchange.id, exchange),
  });
  return { findings: outcomes.flatMap(({ findings }) => findings), exchanges };
}

/** Whether the status and the times that a finding got are those of the exchange or callback that it marks. */
function isMarked(
  { actual, decisive = '', case: stored }: Finding,
  exchanges: ReadonlyMap<string, Exchange>,
): boolean {
  const exchange = exchanges.get(decisive);
  const response = exchange ? responseOf(exchange) : null;
  const deliveries = (stored as { deliveries?: readonly { id: string; body: string }[] }).deliveries ?? [];
  const body =
    deliveries.find(({ id }) => id === decisive)?.body ?? Buffer.from(response?.body ?? []).toString('utf8');
  const status = /^HTTP (\d{3})\b/.exec(actual)?.[1];
  const times = actual.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  return (
    (status === undefined || status === String(response?.status)) &&
    times.every((time) => body.includes(time))
  );
}
