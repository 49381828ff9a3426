import { isObject, type JsonObject } from '../../judge/kernel/body.ts';
import { protocolStates } from '../../target/openTarget.ts';
import { StateHandlerError } from '../../target/stateHandler.ts';
import { postOver } from '../../target/url.ts';
import { fail, ok, warn, type DoctorLine } from './render.ts';
import type { Patient } from './patient.ts';

/** Where the protocol of state handlers is described. */
export const hint = 'See docs/state-handler.md for what it should do.';

const refusals: readonly (readonly [what: string, body: string, status: number, error: string | null])[] = [
  ['a state that nobody knows', '{"state":"gatecheck.unknown","params":{}}', 501, 'UNSUPPORTED_STATE'],
  ['a body that is not JSON', '{"state":', 400, null],
  ['a request without params of the right form', '{"state":"capabilities","params":[]}', 400, null],
];

/** Checks that what the protocol does not allow is refused in the right form. */
export async function lookAtProtocol({
  run: { settings, target, clock },
}: Patient): Promise<readonly DoctorLine[]> {
  if (settings.stateHandler === null) return [];
  const lines = [...(await lookAtRefusals(postOver(settings.stateHandler, settings)))];
  if (lines.some(({ health }) => health === 'fail')) return lines;
  lines.push(...strangeStates(target.stateHandler.states));
  const again: JsonObject | StateHandlerError = await target.stateHandler
    .set('capabilities', {})
    .catch(handlerErrorOf);
  if (again instanceof StateHandlerError) {
    const text = `it said at first what it offers, and then: ${again.message}`;
    return [...lines, fail('state handler', 'protocol', text, hint)];
  }
  if (typeof again.now !== 'string' || Number.isNaN(Date.parse(again.now)))
    lines.push(
      warn(
        'state handler',
        'now',
        'capabilities does not give the time as ISO 8601 UTC',
        `Add now, such as ${new Date(clock.now()).toISOString()}.`,
      ),
    );
  return lines.length > 0
    ? lines
    : [ok('state handler', 'protocol', 'what the protocol does not allow is refused')];
}

/** A warning for each wrong request that is not refused as it should be; a failure, the last line, if one gets no answer. */
async function lookAtRefusals(post: ReturnType<typeof postOver>): Promise<readonly DoctorLine[]> {
  const lines: DoctorLine[] = [];
  for (const [what, body, status, error] of refusals) {
    const answer = await post(body).catch(() => null);
    if (answer === null) return [...lines, silent(what)];
    const json = parse(answer.body);
    const isRight =
      answer.status === status && json?.ok === false && (error === null || json.error === error);
    if (isRight) continue;
    const wanted = `HTTP ${status} {"ok":false,"error":${JSON.stringify(error ?? '…')}}`;
    const said = `HTTP ${answer.status} ${JSON.stringify(answer.body.slice(0, 60))}`;
    const text = `${what}: expected ${wanted}; got ${said}`;
    lines.push(warn('state handler', 'protocol', text, 'Refuse it as the protocol says.'));
  }
  return lines;
}

function strangeStates(states: readonly string[]): readonly DoctorLine[] {
  const strange = states.filter(
    (state) => state !== 'capabilities' && !protocolStates.includes(state as never),
  );
  if (strange.length === 0) return [];
  const text = `it offers ${strange.slice(0, 5).join(', ')}, which nobody asks for`;
  return [warn('state handler', 'protocol', text, 'Look for a typing error.')];
}

function handlerErrorOf(error: unknown): StateHandlerError {
  if (error instanceof StateHandlerError) return error;
  throw error;
}

function silent(what: string): DoctorLine {
  const text = `${what}: expected a refusal; no whole answer came, and nothing else was tried`;
  return fail(
    'state handler',
    'protocol',
    text,
    'Answer every request, within http.responseTimeout and 1 MiB.',
  );
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
