import type { Exchange, RecordedResponse } from '../../../core/evidence.ts';
import { legMembers, legObjects } from '../../../spec/grammar/legSnapshot.ts';
import { isJsonType, lookupCaching, valuesNamed } from '../../../spec/grammar/headers.ts';
import { Findings } from '../../../spec/kernel/findings.ts';
import * as is from '../../../spec/kernel/value.ts';
import { noObject, wrongType } from '../../../spec/rules/bodyForms.ts';
import { judgeLegForm } from '../../../spec/rules/legForms.ts';
import { shownLegs } from '../../../spec/world/legs.ts';
import { bareObjectOf, bodyOf, headerOf, isObject, responseOf, type Json } from '../../../trace/body.ts';
import { keyIn } from '../../../spec/world/subscriptions.ts';
import { callOf } from '../../../trace/call.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, samplesOfFindings } from '../../kernel/sample.ts';

/** What every lookup and every flight subscribe looks like. */
export const flightAnswers: Oracle = {
  id: 'flight-answers',
  replaces: ['lookup-answer', 'snapshot', 'flight-subscribe'],
  title: 'A lookup and a flight subscribe have the documented form, and so has each leg in them',
  verifies: [
    ...['FLA-GET-002', 'FLA-GET-003', 'FLA-GET-004', 'FLA-SUB-001', 'FLA-SUB-039', 'FLA-SUB-042'],
    ...new Set(legMembers.map(({ rule }) => rule)),
    ...[
      'FLA-SNP-004',
      'FLA-SNP-005',
      'FLA-SNP-012',
      'FLA-SNP-016',
      'FLA-SNP-022',
      'FLA-SNP-026',
      'FLA-SNP-034',
    ],
  ],
  operations: ['fla.lookup', 'fla.subscribe'],
  judges: 'answers',
  createWatch: () => ({
    exchange: (exchange) => {
      const response = responseOf(exchange);
      if (!response) return noSamples;
      const findings = new Findings();
      if (exchange.operation === 'fla.lookup' && response.status === 200) judgeLookup(response, findings);
      if (exchange.operation === 'fla.subscribe') judgeSubscribe(exchange, response, findings);
      for (const { at, leg } of shownLegs(exchange)) judgeLegForm(leg, at, findings);
      return samplesOfFindings(findings);
    },
  }),
};

function judgeLookup(response: RecordedResponse, findings: Findings): void {
  const body = bodyOf(response);
  const isLegs = body.kind === 'json' && Array.isArray(body.value) && body.value.every(isObject);
  if (!response.truncated)
    findings.check('FLA-GET-002', isLegs, () => ({
      ...noObject(body),
      want: is.type('array of objects'),
    }));
  judgeType('FLA-GET-003', response, findings);
  const { name, value } = lookupCaching;
  const caching = valuesNamed(response.headers, name);
  const isStored = !caching
    .join()
    .split(',')
    .some((one) => one.trim().toLowerCase() === value);
  findings.check('FLA-GET-004', !isStored, () => ({
    ...{ code: 'cache-control', at: `header ${name}`, want: is.value(value) },
    got: is.value(caching.length === 0 ? undefined : caching.join(', ')),
  }));
}

function judgeType(rule: string, response: RecordedResponse, findings: Findings): void {
  const type = headerOf(response, 'content-type');
  findings.check(rule, isJsonType(type), () => wrongType(type));
}

function judgeSubscribe(exchange: Exchange, response: RecordedResponse, findings: Findings): void {
  if (response.truncated) return;
  const call = callOf(exchange);
  // A failure of upstream may leave a registration behind (FLA-OPN-019), and then it may return the key.
  if (response.status >= 400 && response.status < 500)
    findings.check('FLA-SUB-042', call === null || keyIn(call) === null, () => ({
      ...{ code: 'key', at: 'callbackApiKey', want: is.absent, got: is.text('a key') },
    }));
  if (response.status !== 200) return;
  const bare = bareObjectOf(exchange);
  findings.check('FLA-SUB-001', bare?.success === true, () => ({
    code: 'shape',
    ...(bare
      ? { at: 'success', want: is.oneOf(true), got: is.value(bare.success) }
      : noObject(bodyOf(response))),
  }));
  if (!bare) return;
  judgeType('FLA-SUB-039', response, findings);
  judgeStructure(bare.latest_status_snapshot, findings);
}

/** The snapshot of a subscribe has the structure of a lookup's element; the types in both are rules of their own. */
function judgeStructure(leg: Json | undefined, findings: Findings): void {
  const at = 'latest_status_snapshot';
  const want = is.pattern(`an object with ${structure.join(', ')}`);
  const missing = isObject(leg) ? structure.find((name) => leg[name] === undefined) : '';
  findings.check('FLA-SNP-022', missing === undefined, () => ({
    ...{ code: 'structure', at, want, got: isObject(leg) ? is.text(`no ${missing ?? ''}`) : is.value(leg) },
  }));
}

const structure = ['flightNumber', ...Object.keys(legObjects)];
