import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts, type Limits } from './accounts.ts';
import { CheckInApi, type Asked } from './checkinApi.ts';
import { CheckIns } from './checkins.ts';
import { MovableClock } from './clock.ts';
import type { Conventions } from './conventions.ts';
import { Deliveries } from './deliveries.ts';
import { Flights } from './flights.ts';
import { readBytes, readJson, readPayload, readQuery, readUtf8 } from './reading.ts';
import { errorBody, invalid, Refusal } from './refusal.ts';
import { answerUnread, closeLate } from './sockets.ts';
import { setState, type Deployment } from './states.ts';
import { type Answer, write } from './writing.ts';

interface Operation {
  method: 'GET' | 'POST';
  jsonParts: readonly string[];
  run: (asked: Asked) => unknown;
  /** Of its answers without error. */
  headers?: Record<string, string>;
  /** Where it does not follow the conventions of the server. */
  repeatedQuery?: Conventions['repeatedQuery'];
}

function operationsOf({ checkInApi, flights }: Deployment): Record<string, Operation> {
  const checkIn = '/extPartner/api/webcheckin';
  const alerts = '/extPartner/api/flight-alerts';
  const noStore = { 'cache-control': 'no-store' };
  return {
    [`${checkIn}/subscribe`]: {
      method: 'POST',
      jsonParts: ['flights', 'passengers', 'callbackData'],
      run: (asked) => checkInApi.subscribe(asked),
    },
    [`${checkIn}/update`]: {
      method: 'POST',
      jsonParts: ['passengers', 'payload'],
      run: (asked) => checkInApi.update(asked),
    },
    [`${checkIn}/status`]: { method: 'GET', jsonParts: [], run: (asked) => checkInApi.status(asked) },
    [`${checkIn}/requests`]: { method: 'GET', jsonParts: [], run: (asked) => checkInApi.requests(asked) },
    [alerts]: {
      method: 'GET',
      jsonParts: [],
      run: ({ query }) => flights.lookup(query),
      headers: noStore,
      repeatedQuery: 'refuse',
    },
    [`${alerts}/subscribe`]: {
      method: 'POST',
      jsonParts: [],
      run: ({ enterprise, body }) => flights.subscribe(enterprise, body),
    },
  };
}

class Server {
  readonly #of: Deployment;
  readonly #using: Conventions;
  readonly #operations: Record<string, Operation>;

  constructor(of: Deployment, using: Conventions) {
    this.#of = of;
    this.#using = using;
    this.#operations = operationsOf(of);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/su);
    try {
      write(request, response, await this.#respond(request, path, query), this.#using);
    } catch (error) {
      if (!(error instanceof Refusal))
        process.stderr.write(`${String(error instanceof Error ? error.stack : error)}\n`);
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'An unexpected error.');
      const body = errorBody(refusal, path, this.#of.clock.now(), this.#using);
      write(request, response, { status: refusal.status, body, headers: refusal.headers }, this.#using);
    }
  }

  async #respond(request: IncomingMessage, path: string, query: string): Promise<Answer> {
    const bytes = await readBytes(request, this.#using);
    if (this.#using.latencyMs > 0) await sleep(this.#using.latencyMs * (0.5 + Math.random()));
    const { operation, redirect } = this.#route(path);
    if (redirect)
      return { status: redirect.status, headers: { location: redirect.path + (query && `?${query}`) } };
    if (!operation && this.#using.unknownPath === 'before auth')
      throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path.');
    const early = operation && this.#otherMethod(request.method ?? '', operation);
    if (early) return early;
    const { enterprise, headers } = this.#of.accounts.admit(this.#keyOf(request));
    if (!operation) throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path.', { headers });
    try {
      const asked = this.#read(request, operation, bytes, query);
      return {
        status: 200,
        body: operation.run({ ...asked, enterprise }),
        headers: { ...headers, ...operation.headers },
      };
    } catch (error) {
      if (error instanceof Refusal) Object.assign(error.headers, headers);
      throw error;
    }
  }

  #keyOf(request: IncomingMessage): string | undefined {
    const value = request.headers['x-api-key'];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  #read(
    request: IncomingMessage,
    operation: Operation,
    bytes: Buffer,
    query: string,
  ): Omit<Asked, 'enterprise'> {
    if (operation.method === 'GET') {
      const { repeatedQuery = this.#using.repeatedQuery } = operation;
      const read = readQuery(query, { ...this.#using, repeatedQuery });
      const hasNul = [...read.values()].some((value) => value.includes('\0'));
      if (hasNul && this.#using.nulBytes === 400) throw invalid('query', 'The query has a NUL.');
      return { query: read, body: {}, files: new Set() };
    }
    const type = request.headers['content-type'];
    const isForm = operation.jsonParts.length > 0;
    const payload = readPayload(
      bytes,
      isForm || !/multipart/iu.test(type ?? '') ? type : 'text/plain',
      operation.jsonParts,
      this.#using,
    );
    return { query: new Map(), ...payload };
  }

  #route(path: string): { operation?: Operation | undefined; redirect?: { status: number; path: string } } {
    const { slash, pathCase } = this.#using;
    const wanted = slash === 'unknown' ? path : path.replace(/(?<=.)\/$/u, '');
    const found = Object.entries(this.#operations).find(([each]) =>
      pathCase === 'exact' ? each === wanted : each.toLowerCase() === wanted.toLowerCase(),
    );
    if (found && wanted !== path && typeof slash === 'number')
      return { redirect: { status: slash, path: wanted } };
    return { operation: found?.[1] };
  }

  #otherMethod(method: string, operation: Operation): Answer | undefined {
    const { head, options, wrongMethod } = this.#using;
    const allow = { allow: operation.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS' };
    if (method === operation.method || (method === 'HEAD' && operation.method === 'GET' && head === 'get'))
      return undefined;
    if (method === 'OPTIONS' && options === 401) return undefined;
    if (method === 'OPTIONS' && (options === 200 || options === 204))
      return { status: options, headers: allow };
    const statuses: Record<string, number> = {
      OPTIONS: options,
      HEAD: operation.method === 'GET' && head !== 'get' ? head : wrongMethod,
    };
    const status = statuses[method] ?? wrongMethod;
    throw status === 404
      ? new Refusal(404, 'NOT_FOUND', 'There is nothing for this method.')
      : new Refusal(405, 'METHOD_NOT_ALLOWED', `${method} is not allowed.`, { headers: allow });
  }
}

export interface Running extends AsyncDisposable {
  url: string;
  stateHandler: string;
  keys: {
    primary: string[];
    other: string[];
    revoked: string;
    disabled: string;
    noEntitlement: string;
    suspended: string;
    exhausted: string;
  };
  of: Deployment;
}

export interface Starting {
  conventions: Conventions;
  limits?: Limits;
  keys?: number;
  port?: number;
}

/** Starts a deployment of both APIs on loopback, with its state handler at `/_state`. */
export async function start({
  conventions,
  limits = { perMinute: 60, perHour: 1_000 },
  keys = 2,
  port = 0,
}: Starting): Promise<Running> {
  const clock = new MovableClock();
  const deliveries = new Deliveries(clock, conventions);
  const accounts = new Accounts(clock, conventions, limits);
  const checkIns = new CheckIns(clock, conventions, deliveries);
  const checkInApi = new CheckInApi(checkIns, clock, conventions);
  const flights = new Flights(clock, conventions, deliveries);
  const of = { clock, accounts, checkIns, checkInApi, flights, deliveries };
  serveFlights(of);
  const server = new Server(of, conventions);
  const http = createServer(
    { keepAliveTimeout: conventions.keepAliveMs || 1, keepAliveTimeoutBuffer: 0 } as object,
    (request, response) => {
      if (request.url === '/_state') void answerState(of, request, response);
      else void server.answer(request, response);
    },
  );
  if (conventions.closingMs > 0) closeLate(http, conventions);
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerUnread(error, socket, conventions),
  );
  await new Promise<void>((go) => http.listen(port, '127.0.0.1', go));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    of,
    stateHandler: `${url}/_state`,
    keys: issueKeys(accounts, keys),
    async [Symbol.asyncDispose]() {
      clock.stop();
      deliveries.stop();
      http.closeAllConnections();
      await new Promise((go) => http.close(go));
    },
  };
}

function issueKeys(accounts: Accounts, count: number): Running['keys'] {
  const [mine, other] = [accounts.create(), accounts.create()];
  const revoked = accounts.issue(mine);
  const disabled = accounts.issue(mine);
  for (const key of [revoked, disabled]) Object.assign(accounts.find(key) ?? {}, { active: false });
  return {
    primary: Array.from({ length: count }, () => accounts.issue(mine)),
    other: [accounts.issue(other)],
    revoked,
    disabled,
    noEntitlement: accounts.issue(accounts.create({ status: 'none' })),
    suspended: accounts.issue(accounts.create({ status: 'suspended' })),
    exhausted: accounts.issue(accounts.create({ included_units: 3, consumed_units: 3 })),
  };
}

/** Flights that are there without a state handler: GC101 with one leg, GC202 with two, for a month. */
function serveFlights({ flights, clock }: Deployment): void {
  const leg = (from: string, to: string, date: string): Record<string, unknown> => ({
    status: 'schedule',
    departure: { airportIata: from, utcOffsetSeconds: 14_400, scheduledTime: `${date} 09:30:00` },
    arrival: { airportIata: to, scheduledTime: `${date} 16:45:00` },
  });
  for (let day = 0; day < 31; day += 1) {
    const date = new Date(clock.now() + day * 86_400_000).toISOString().slice(0, 10);
    flights.put('GC101', date, [leg('DXB', 'LHR', date)]);
    flights.put('GC202', date, [leg('LHR', 'JFK', date), leg('DXB', 'LHR', date)]);
  }
}

async function answerState(
  of: Deployment,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  let body: unknown;
  try {
    body = readJson(readUtf8(Buffer.concat(chunks)));
  } catch {
    body = undefined;
  }
  const answer = setState(of, body);
  response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
}
