import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { reportFiles } from '../../src/report/reportDir.ts';
import { writeReports } from '../../src/report/writeReports.ts';
import type { ExchangeLine } from '../../src/send/journalLine.ts';
import { sampleFinding, sampleRequirement, sampleResult } from './sampleResult.ts';

export interface LargeSizes {
  readonly requirements: number;
  readonly findings: number;
  readonly exchanges: number;
}

const operations = [
  'wci.subscribe',
  'wci.update',
  'wci.status',
  'wci.list',
  'fla.lookup',
  'fla.subscribe',
] as const;
const statuses = [200, 200, 200, 400, 404, 422] as const;

/** Writes the report of a run as large as is promised; returns the path of its page. */
export async function writeLargeReport(sizes: LargeSizes, dir: string): Promise<string> {
  const journal = createWriteStream(join(dir, reportFiles.evidence));
  for (let index = 1; index <= sizes.exchanges; index += 1)
    if (!journal.write(`${JSON.stringify(exchange(index))}\n`)) await once(journal, 'drain');
  journal.end();
  await once(journal, 'finish');
  await writeReports(result(sizes), dir);
  return join(dir, reportFiles.html);
}

const idOf = (index: number) =>
  `WCI-${['SUB', 'UPD', 'STS', 'LST'][index % 4] ?? 'SUB'}-${String(index).padStart(4, '0')}`;

function result({ requirements, findings, exchanges }: LargeSizes): ReturnType<typeof sampleResult> {
  const failing = (index: number) => index < Math.floor(findings / 2);
  return sampleResult({
    requirements: Array.from({ length: requirements }, (_, index) =>
      sampleRequirement({
        id: idOf(index),
        title: `Rule ${index}: a member of the answer to subscribe holds what the record of the booking holds, whatever was sent.`,
        verdict: failing(index) ? 'fail' : 'pass',
        reason: failing(index) ? `member_${index} is "x${index}"` : null,
        checks: [`wci.check-${index % 300}`],
      }),
    ),
    findings: Array.from({ length: findings }, (_, index) =>
      sampleFinding({
        fingerprint: `${idOf(index % requirements)}.${index.toString(16).padStart(8, '0')}`,
        requirement: idOf(Math.floor(index / 2) % requirements),
        check: `wci.check-${index % 300}`,
        code: `case-${index}`,
        expected: index % 3 === 0 ? 'HTTP 400 VALIDATION_ERROR' : `member_${index} is a number`,
        actual: index % 3 === 0 ? 'HTTP 200' : `member_${index} is "x${index}"`,
        exchanges: [0, 1, 2].map((step) => `x${1 + ((index * 20 + step) % exchanges)}`),
        decisive: `x${1 + ((index * 20 + 2) % exchanges)}`,
      }),
    ),
  });
}

function exchange(index: number): ExchangeLine {
  const status = statuses[index % 7] ?? 200;
  const passenger = {
    first_name: 'Testa',
    last_name: 'Gatecheck',
    email: `p${index}@example.com`,
    nationality: 'AE',
  };
  const body = {
    pnr: `P${index}`,
    flights: [{ airline: 'EK', flight_number: '3', origin: 'DXB' }],
    passengers: [passenger],
  };
  const answer = {
    success: status === 200,
    booking_id: index,
    checkin_id: `wci_${index}`,
    status: 'SCHEDULED',
    missing_info: [],
  };
  return {
    type: 'exchange',
    id: `x${index}`,
    check: `wci.check-${index % 300}`,
    operation: operations[index % operations.length] ?? null,
    enterprise: 'primary',
    key: `issued#${index % 60}`,
    startedAt: new Date(Date.UTC(2026, 0, 31, 10) + index * 7).toISOString(),
    durationMs: 4.2,
    request: {
      method: 'POST',
      url: `https://qa.example/extPartner/api/webcheckin/subscribe?n=${index}`,
      headers: [['content-type', 'application/json']],
      body: { text: JSON.stringify(body) },
    },
    response: {
      status,
      headers: [['content-type', 'application/json; charset=utf-8']],
      body: { text: JSON.stringify(answer) },
      truncated: false,
    },
    failure: null,
  };
}
