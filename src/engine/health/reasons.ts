import type { Exchange, TransportFailure } from '../../core/evidence.ts';
import { describeResponse } from '../../judge/kernel/answer.ts';
import { headerOf, responseOf } from '../../judge/kernel/body.ts';
import { adviceForFailure } from '../../send/failureAdvice.ts';
import type { SharedLimit } from '../../send/keyBudgets.ts';
import { describeShared } from '../keys/sharedLimits.ts';
import { patience } from './patience.ts';

export const refusedByLimit = 'the target refuses everything by its rate limit';

export const inTrouble = `the target answered ${patience.errors} requests in a row with a server error or not at all, and is left alone`;

/** The reason if no key has room for longer than a run waits; `shared` are the limits that keys were seen to share. */
export function lockedOut(ms: number, shared: readonly SharedLimit[]): string {
  const long = ms < 1e12 ? `for ${Math.ceil(ms / 1000)} s` : 'for ever';
  const [limit] = shared.toSorted((one, other) => other.window.windowMs - one.window.windowMs);
  const why = limit === undefined ? '' : `. The reason: ${describeShared(limit)}`;
  return `${refusedByLimit}, and no key has room ${long}; try again later, or with other keys${why}`;
}

/** What is wrong with the connection to the target, and what to do about it. */
export function describeLoss(address: string, failure: TransportFailure): string {
  const advice = adviceForFailure(failure);
  return `the target did not answer at ${address}: ${failure.message}. ${advice.replace(/\.$/, '')}`;
}

/** Describes what answers instead of the API, and what to do about it; `isLate` if the API answered before. */
export function describeWrongServer(exchange: Exchange, isLate = false): string {
  const { baseUrl } = exchange.request;
  return `what answers at ${baseUrl} is not this API${isLate ? ' any more' : ''}: ${saidBy(exchange)}. ${repeated(baseUrl) ?? adviceOf(exchange)}`;
}

/** The paths of the documents begin with /extPartner, which a target that ends in it would have twice. */
function repeated(address: string): string | null {
  const [end] = /\/extPartner\b.*$/i.exec(address) ?? [];
  return end === undefined ? null : `Leave ${end} out of --target: the paths of the requests begin with it`;
}

function saidBy(exchange: Exchange): string {
  const response = responseOf(exchange);
  const type = response === null ? null : headerOf(response, 'content-type');
  return `${describeResponse(exchange)}${type === null ? '' : ` (${type.slice(0, 60)})`}`;
}

function adviceOf(exchange: Exchange): string {
  const response = responseOf(exchange);
  const status = response?.status ?? 0;
  if (status >= 300 && status < 400) {
    const location = (response && headerOf(response, 'location')?.slice(0, 120)) ?? 'nowhere';
    return `It redirects to ${location}, which is not followed: if that is the API, name it as --target`;
  }
  return advice[status] ?? (status >= 500 ? behindGateway : elsewhere);
}

const elsewhere =
  'Check host, port and the path before /extPartner in --target; a login page or another site may answer there';
const behindGateway = 'Check whether the deployment behind that gateway is up';

const advice: Readonly<Record<number, string>> = {
  401: 'A gateway asks for credentials of its own: send them as http.headers in the config',
  403: 'Something in front of the deployment refuses this machine (a firewall, an allow-list): have its address allowed',
  407: 'The proxy asks for credentials: name it with them as http.proxy, env:NAME',
};
