import { isDelivery, type Exchange } from '../../core/evidence.ts';
import { usageError } from '../../core/errors.ts';
import { apis, operations, type Api } from '../../core/operations.ts';
import type { Redactor } from '../../core/redact.ts';
import type { KeyRing } from '../../send/keyRing.ts';
import { isNote } from '../../trace/evidence.ts';
import { evidenceOf, operationOf } from './evidenceOf.ts';
import type { Recorded } from './lineEvidence.ts';
import { Holders } from './holders.ts';
import { readRecording } from './readRecording.ts';
import type { TrafficFile } from './recording.ts';

/** All that recordings show of a deployment. */
interface RecordedTraffic {
  readonly recorded: readonly Recorded[];
  /** The APIs that it addresses. */
  readonly apis: readonly Api[];
  readonly baseUrls: Readonly<Record<Api, string>>;
  /** What a person ought to know of it. */
  readonly notices: readonly string[];
}

interface LoadRecordedOptions {
  readonly files: readonly string[];
  /** Base addresses whose traffic counts; all where there are none. */
  readonly targets: readonly string[];
  readonly isOneEnterprise: boolean;
}

/** Reads recordings of one deployment. Throws a usage error for files that hold nothing of it, or several. */
export async function readRecorded(
  { files, targets, isOneEnterprise }: LoadRecordedOptions,
  keys: KeyRing,
  redactor: Redactor,
): Promise<RecordedTraffic> {
  const recordings: TrafficFile[] = [];
  for (const file of files) recordings.push(await readRecording(file));
  const foreign = recordings.flatMap(({ isOwn, lines }) => (isOwn ? [] : lines));
  const exchanges = foreign.filter((line) => line.type === 'exchange');
  // A webhook may carry its own credential in the same header.
  const asked = exchanges.filter((line) => operationOf(line) !== null);
  const holders = new Holders({ keys, isOneEnterprise, redactor }, asked);
  const all = evidenceOf(recordings, holders);
  const recorded = targets.length === 0 ? all : all.filter((one) => isOf(one, targets));
  const documented = recorded.flatMap(({ evidence }) =>
    isNote(evidence) || isDelivery(evidence) || evidence.operation === null ? [] : [evidence],
  );
  if (documented.length === 0) throw nothingRecorded(recordings, targets);
  return {
    recorded,
    apis: apis.filter((api) => documented.some((one) => apiOf(one) === api)),
    baseUrls: baseUrlsOf(documented),
    notices: noticesOf(recordings, holders),
  };
}

function isOf({ evidence }: Recorded, targets: readonly string[]): boolean {
  return isNote(evidence) || isDelivery(evidence) || targets.includes(evidence.request.baseUrl);
}

function apiOf({ operation }: Exchange): Api | null {
  return operation === null ? null : operations[operation].api;
}

/** Records of one deployment mean nothing in another: traffic of several has to be separated. */
function baseUrlsOf(exchanges: readonly Exchange[]): Readonly<Record<Api, string>> {
  const [webcheckin, flightAlerts] = apis.map((api) => {
    const urls = [
      ...new Set(exchanges.filter((one) => apiOf(one) === api).map(({ request }) => request.baseUrl)),
    ];
    if (urls.length > 1) throw severalTargets(api, urls);
    return urls[0];
  });
  const any = webcheckin ?? flightAlerts ?? '';
  return { webcheckin: webcheckin ?? any, 'flight-alerts': flightAlerts ?? any };
}

function severalTargets(api: Api, urls: readonly string[]) {
  const shown = urls.slice(0, 5).join(', ');
  return usageError(
    'SEVERAL_TARGETS',
    `Expected traffic of one deployment of ${api}; got ${urls.length}: ${shown}${urls.length > 5 ? ', …' : ''}.`,
    'Name the one to judge with --target.',
  );
}

function nothingRecorded(recordings: readonly TrafficFile[], targets: readonly string[]) {
  const left = recordings.flatMap(({ leftOut }) => [...leftOut]);
  const count = recordings.reduce((sum, { lines }) => sum + lines.length, 0);
  const all = left.reduce((sum, [, some]) => sum + some, count);
  const where = targets.length === 0 ? '' : ` to ${targets.join(' or ')}`;
  const why =
    left.length === 0 ? '' : `; left out: ${left.map(([reason, some]) => `${reason} (${some})`).join(', ')}`;
  return usageError(
    'NOTHING_RECORDED',
    `Expected recorded requests to /extPartner/api/…${where}; got ${all} entries, none of which is one${why}.`,
    targets.length === 0
      ? 'Record the traffic between a client and the deployment, with headers and contents.'
      : 'Leave out --target to see all.',
  );
}

function noticesOf(recordings: readonly TrafficFile[], holders: Holders): readonly string[] {
  const left = recordings.flatMap(({ path, leftOut }) =>
    [...leftOut].map(([reason, count]) => `${path}: left out ${reason} (${count}).`),
  );
  if (!holders.isUndecided) return left;
  const undecided =
    'The recording holds several API keys, and nothing says which belong to one enterprise: what depends on it is skipped. ' +
    'Name them in GATECHECK_KEYS_PRIMARY and GATECHECK_KEYS_OTHER, or say --one-enterprise.';
  return [...left, undecided];
}
