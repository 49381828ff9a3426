import type { Exchange } from '../core/evidence.ts';
import { describeResponse, hasApiBody } from '../judge/kernel/answer.ts';
import { bodyOf, headerOf, isObject, objectOf, responseOf } from '../judge/kernel/body.ts';

/** Top-level members of a successful answer of either API. */
const members = ['data', 'pagination', 'checkin_id', 'latest_status_snapshot', 'quota'];

/** Whether an answer looks like one of the two APIs, with whatever mistakes. */
export function isOfTheApi(exchange: Exchange): boolean {
  const response = responseOf(exchange);
  if (!response) return false;
  if (hasApiBody(exchange)) return true;
  const body = bodyOf(response);
  if (body.kind === 'none') return false;
  if (response.status === 200)
    return Array.isArray(body.value) || members.some((name) => objectOf(exchange)?.[name] !== undefined);
  // Another server does not know such a path, and so does not find fault with a request to it.
  return [400, 401, 422].includes(response.status) && isObject(body.value);
}

/** Describes what answers instead of the API, and what to do about it. */
export function describeWrongServer(exchange: Exchange, address: string): string {
  return `what answers at ${address} is not this API: ${saidBy(exchange)}. ${repeated(address) ?? adviceOf(exchange)}`;
}

/** The same if the API answered before. */
export function describeLateWrongServer(exchange: Exchange, address: string): string {
  return `what answers at ${address} is not this API any more: ${saidBy(exchange)}. ${adviceOf(exchange)}`;
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
