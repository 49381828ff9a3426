import { operations, type OperationId } from '../../core/operations.ts';
import type { Answer, Caller, Incoming, Operation } from './call.ts';
import type { DeploymentClock } from './deploymentClock.ts';
import { respond } from './respond.ts';
import type { KeyRegistry } from './keys.ts';
import type { RateLimiter } from './limiter.ts';
import type { Moment } from './moment.ts';
import type { AuthFailure, SharedPolicy } from './policy.ts';
import { Refusal } from './refusal.ts';
import { turn } from './turn.ts';

/** What the gate looks things up in. */
interface GateContext {
  readonly policy: SharedPolicy;
  readonly keys: KeyRegistry;
  readonly limiter: RateLimiter;
  readonly clock: DeploymentClock;
  readonly moment: () => Moment;
}

interface Passage {
  readonly response: Response;
  /** The enterprise that was let in; null where none was. */
  readonly enterprise: string | null;
}

/** Takes a request through key, limits, validation and operation, and turns whatever comes of it into a response. */
export async function passGate(
  context: GateContext,
  operation: Operation<unknown>,
  incoming: Incoming,
): Promise<Passage> {
  const visit = new Passing(context, operation, incoming);
  const answer = await visit.answer();
  return { response: respond(answer, dateOf(context)), enterprise: visit.enterprise };
}

/** What is known of a request besides itself. */
type Around = Pick<Incoming, 'info' | 'tally'> & { readonly policy: SharedPolicy };

/** A request to a documented operation. */
export function incomingOf(
  operation: OperationId,
  request: Request,
  { policy, info, tally }: Around,
): Incoming {
  const start = request.url.indexOf('?');
  const text = start < 0 ? '' : (request.url.slice(start + 1).split('#', 1)[0] ?? '');
  const query = policy.parseQuery(text);
  return { operation, api: operations[operation].api, request, query, info, tally };
}

/** The time that the Date header of an answer tells now. */
export function dateOf({ policy, clock }: Pick<GateContext, 'policy' | 'clock'>): number | null {
  return policy.dateShown(clock.now(), clock.machineNow());
}

class Passing {
  readonly #context: GateContext;
  readonly #operation: Operation<unknown>;
  readonly #incoming: Incoming;
  #caller: Caller | null = null;
  #admittedAt: number | null = null;

  constructor(context: GateContext, operation: Operation<unknown>, incoming: Incoming) {
    this.#context = context;
    this.#operation = operation;
    this.#incoming = incoming;
  }

  get enterprise(): string | null {
    return this.#caller?.enterprise.name ?? null;
  }

  async answer(): Promise<Answer> {
    const answer = await this.#attempt();
    this.#settle(answer);
    return answer;
  }

  async #attempt(): Promise<Answer> {
    try {
      return await this.#proceed();
    } catch (error) {
      if (error instanceof KeyRefusal) {
        if (this.#context.policy.refusesKeyLate(this.#incoming)) await this.#carryOut();
        return this.#unauthorized(error.failure);
      }
      const refusal = error instanceof Refusal ? error : unexpected(error);
      return this.#refused(refusal);
    }
  }

  #unauthorized(failure: AuthFailure): Answer {
    const { policy, moment } = this.#context;
    const body = policy.unauthorizedBody(failure, this.#incoming, policy.authCodes);
    return {
      status: 401,
      body: policy.noteOnError(body, moment()),
      headers: policy.errorHeaders(this.#incoming.operation),
    };
  }

  async #carryOut(): Promise<void> {
    const caller = this.#context.keys.anonymous();
    await Promise.resolve()
      .then(() => this.#prepare())
      .then((prepared) => this.#operation.run(caller, prepared))
      .catch(() => undefined);
  }

  #refused(refusal: Refusal): Answer {
    const { policy, moment } = this.#context;
    const { operation } = this.#incoming;
    const headers = { ...policy.errorHeaders(operation), ...refusal.headers };
    const body = policy.noteOnError(policy.errorBody(refusal, operation), moment());
    return { status: refusal.status, body, headers };
  }

  async #proceed(): Promise<Answer> {
    const { policy } = this.#context;
    const early = policy.keyFirst(this.#incoming) ? null : { prepared: await this.#prepare() };
    this.#caller = this.#authenticate();
    if (policy.limitsStage === 'first') await this.#admit(this.#caller);
    const { prepared } = early ?? { prepared: await this.#prepare() };
    if (policy.limitsStage === 'validated') await this.#admit(this.#caller);
    const answer = await this.#operation.run(this.#caller, prepared);
    if (policy.limitsStage === 'done') await this.#admit(this.#caller);
    return answer;
  }

  #prepare(): unknown {
    return this.#operation.prepare(this.#incoming);
  }

  #authenticate(): Caller {
    const { policy, keys, clock } = this.#context;
    const presented = policy.presentedKey(this.#incoming.request);
    if (!presented) return this.#withoutKey('missing');
    const key = policy.matchKey(presented, keys, this.#incoming);
    if (!key) return this.#withoutKey('unknown');
    const lives = key.state !== 'active' && policy.outlives(key, clock.now() - key.changedAt, this.#incoming);
    if (!lives && !policy.admitsKey(key, this.#incoming.operation)) {
      throw new KeyRefusal(key.state === 'disabled' ? 'disabled' : 'revoked');
    }
    return { key, enterprise: key.enterprise };
  }

  #withoutKey(failure: AuthFailure): Caller {
    const { policy, keys, limiter, clock } = this.#context;
    if (failure === 'missing' && !policy.needsKey(this.#incoming)) return keys.anonymous();
    if (failure === 'unknown' && policy.throttlesUnknownKeys) {
      const scope = `address ${this.#incoming.info.remoteAddress ?? ''}`;
      this.#refuseBeyond(limiter.look(scope, null, clock.now()));
      limiter.record(scope, null, clock.now());
    }
    throw new KeyRefusal(failure);
  }

  async #admit(caller: Caller): Promise<void> {
    const { policy, limiter, clock } = this.#context;
    const scope = policy.limitScope(caller, this.#incoming);
    const now = clock.now();
    const admission = limiter.look(scope, caller.enterprise.id, now);
    if (!policy.atomicAdmission) await turn();
    const counts = admission.admitted || policy.countsRefused;
    if (counts) limiter.record(scope, caller.enterprise.id, now);
    this.#refuseBeyond(admission.admitted ? admission : limiter.look(scope, caller.enterprise.id, now));
    this.#admittedAt = now;
  }

  #refuseBeyond(admission: ReturnType<RateLimiter['look']>): void {
    const { policy } = this.#context;
    if (admission.admitted || !policy.throttles(this.#incoming)) return;
    const retryAfter = policy.retryAfter(admission.waitMs, admission.windowMs);
    const message = `Rate limit exceeded; wait ${String(retryAfter)} seconds.`;
    const headers = policy.throttleHeaders(retryAfter);
    throw new Refusal(policy.throttleStatus, policy.throttleCode, message, { retryAfter }, headers);
  }

  #settle(answer: Answer): void {
    if (this.#admittedAt === null || !this.#caller) return;
    const { policy, limiter } = this.#context;
    const scope = policy.limitScope(this.#caller, this.#incoming);
    if (!policy.counts(this.#incoming.operation, answer.status, this.#incoming))
      limiter.remove(scope, this.#admittedAt);
    for (let extra = policy.surcharge(this.#incoming.operation, answer.body); extra > 0; extra -= 1)
      limiter.record(scope, this.#caller.enterprise.id, this.#admittedAt);
  }
}

class KeyRefusal extends Error {
  readonly failure: AuthFailure;

  constructor(failure: AuthFailure) {
    super(failure);
    this.failure = failure;
  }
}

function unexpected(error: unknown): Refusal {
  if (process.env.GATECHECK_REFERENCE_DEBUG) console.error(error);
  return new Refusal(500, 'INTERNAL_ERROR', 'An unexpected error occurred.');
}
