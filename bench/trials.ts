// `node bench/trials.ts PROOF CURVE`: the table of what trials missed, for docs/proof.md, from what `gatecheck prove` and
// `gatecheck prove --curve` wrote of these mistakes; `node bench/trials.ts` prints their options.
import { readFileSync } from 'node:fs';
import type { EngineCheck } from '../src/engine/suite.ts';
import { readSuites } from '../src/engine/session/suites.ts';
import { callbackForms } from '../suites/support/fids.ts';

interface Kind {
  readonly title: string;
  /** Checks that send its forms. */
  readonly checks: readonly string[];
  /** Forms that one of them sends without naming each a case. */
  readonly more?: number;
  readonly defects: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    title: 'error pages, headers of clients',
    checks: [
      ...['wci.clients.headers', 'fla.clients.headers', 'wci.clients.percent', 'fla.clients.percent'],
      ...['wci.clients.oversized', 'fla.clients.oversized'],
    ],
    defects: ['escape-page', 'accept-not-acceptable', 'error-page-for-browsers', 'range-of-answer'],
  },
  {
    title: 'multipart as clients write it',
    checks: ['wci.multipart.framing', 'wci.multipart.files', 'wci.clients.chunked'],
    defects: [
      ...['boundary-lower-cased', 'part-names-in-quotes', 'parts-from-the-start', 'file-empty-500'],
      'chunked-body-empty',
    ],
  },
  {
    title: 'numbers and digits',
    checks: [
      ...['wci.list.out-of-bounds', 'wci.list.over-a-page'],
      ...['fla.input.lookup', 'fla.input.subscribe-odd'],
    ],
    defects: [
      ...['page-of-other-digits-500', 'limit-fraction-500', 'date-other-digits'],
      'total-pages-of-unclamped-limit',
    ],
  },
  {
    title: 'texts rewritten on their way',
    checks: ['wci.callbacks.forms'],
    more: callbackForms.length,
    defects: [
      'notify-fid-as-date',
      'notify-fid-composed',
      'webhook-url-query-sorted',
      'webhook-spaces-folded',
    ],
  },
  {
    title: 'later elements, combinations',
    checks: ['wci.datetime.later-leg', 'wci.datetime.refused-later-leg', 'wci.subscribe.refused-later-leg'],
    defects: ['clock-later-z-converted', 'passengers-nested-flattened', 'clock-suffixes-must-agree'],
  },
  {
    title: 'calendars',
    checks: ['fla.lookup.calendar', 'wci.datetime.odd-hours', 'wci.passenger.dates'],
    defects: ['passport-beyond-2038-500', 'clock-repeated-hour-500', 'lookup-leap-day-missing'],
  },
  {
    title: 'texts that break a store',
    checks: ['wci.unusual.ids', 'wci.unusual.members', 'wci.readiness.invalid-pnr'],
    defects: ['pnr-zero-character-500', 'webcheckin-id-quote-500', 'flight-number-long-500'],
  },
  {
    title: 'limits to the second',
    checks: ['shared.limits.minute', 'shared.limits.retry-after', 'shared.limits.hour'],
    defects: [
      'minute-of-59.9-seconds',
      'retry-after-second-short',
      'minute-never-freed',
      'limit-per-process-of-2',
    ],
  },
  {
    title: 'keys that one node knows for long',
    checks: ['shared.keys.revoked', 'wci.auth.revoked', 'fla.auth.revoked'],
    defects: ['key-revoked-cached', 'key-disabled-cached', 'key-revoked-for-a-day'],
  },
  {
    title: 'caches',
    checks: ['fla.legs.cleared'],
    defects: [
      'lookup-cached-for-two-minutes',
      'lookup-unknown-for-two-minutes',
      'subscribed-snapshot-for-two-minutes',
    ],
  },
  {
    title: 'queues',
    checks: ['wci.callbacks.retries', 'wci.callbacks.retried-soon', 'fla.callbacks.gone'],
    defects: ['webhook-retry-of-newest-state', 'webhook-lost-behind-retry', 'webhook-ended-by-410'],
  },
  {
    title: 'emails that are valid',
    checks: ['wci.readiness.international', 'wci.readiness.malformed-email'],
    defects: ['email-plus-invalid', 'email-capital-invalid', 'email-long-domain-invalid'],
  },
];

interface Found {
  readonly id: string;
  readonly requests: number | null;
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const [proofFile, curveFile] = process.argv.slice(2);
if (proofFile === undefined || curveFile === undefined)
  process.stdout.write(
    `${kinds.flatMap(({ defects }) => defects.map((id) => `--defect ${id}`)).join(' ')}\n`,
  );
else {
  const proof = read(proofFile) as {
    defects: readonly { id: string; requestsToFirstFinding: number | null }[];
  };
  const all = proof.defects.map(({ id, requestsToFirstFinding: requests }) => ({ id, requests }));
  const { rows: one } = read(curveFile) as { rows: readonly Found[] };
  process.stdout.write(`${await table(all, one)}\n`);
}

async function table(all: readonly Found[], one: readonly Found[]): Promise<string> {
  const checks = new Map((await readSuites()).map((check) => [check.id, check]));
  const lines = kinds.map(({ title, checks: senders, more = 0, defects }, index) => {
    const forms = senders.reduce((sum, id) => sum + casesOf(checks.get(id)), more);
    const found = (rows: readonly Found[]) =>
      defects.map((id) => textOf(rows.find((row) => row.id === id))).join(', ');
    const ids = defects.map((id) => `\`${id}\``).join(', ');
    return `| ${[index + 1, title, forms, ids, found(one), found(all)].join(' | ')} |`;
  });
  return [
    '| no. | kind | cases | mistakes | one key | all means |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** The rows of a table; a fixed check is one scenario. */
function casesOf(check: EngineCheck | undefined): number {
  if (check === undefined) throw new Error('a check of the table does not exist');
  return check.rows?.all ?? 1;
}

/** The request that shows a mistake first. */
function textOf(row: Found | undefined): string {
  if (row === undefined) throw new Error('a mistake of the table was not judged');
  return row.requests === null ? '–' : String(row.requests);
}
