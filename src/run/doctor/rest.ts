import type { Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import { budgetsOf } from '../../plan/budgets.ts';
import { capabilitiesOf, hintFor } from '../../plan/capabilities.ts';
import type { Capability } from '../../plan/check.ts';
import { minutesText } from '../../engine/clock/clockNotice.ts';
import type { OpenRun } from '../../engine/session/openRun.ts';
import type { Sink } from '../../receive/sink.ts';
import { protocolStates } from '../../target/openTarget.ts';
import { atHandOf } from '../planRun.ts';
import { fail, ok, warn, type DoctorLine } from './render.ts';
import type { Patient } from './patient.ts';

/** With larger differences, dates near midnight and the six hours of lead time turn out differently for people. */
const muchMs = 30_000;

/** How far the target's clock is off, by the `Date` headers of its answers, and how far it was moved. */
export function lookAtClock(patient: Patient): readonly DoctorLine[] {
  const { movedMs } = patient.serverClock;
  const byDates = lookAtDates(patient);
  if (Math.abs(movedMs) <= muchMs) return [byDates];
  const text = `its state handler moved it by ${minutesText(movedMs)} before; a run allows for it`;
  return [byDates, warn('clock', 'moved', text, 'Restart the target to set it back.')];
}

function lookAtDates({ serverClock, dates }: Patient): DoctorLine {
  if (dates() === 0) {
    const todo = 'Nothing needs doing: times are then judged as if both clocks agreed.';
    return warn('clock', 'Date', 'no answer carried a Date header', todo);
  }
  const offset = serverClock.offset();
  const seconds = (Math.abs(offset) / 1000).toFixed(1);
  if (offset === 0)
    return ok(
      'clock',
      'Date',
      "its Date header agrees with this machine's clock; a run judges its timestamps",
    );
  const text = `the target is ${seconds} s ${offset > 0 ? 'ahead' : 'behind'}`;
  if (Math.abs(offset) <= muchMs) return ok('clock', 'Date', `${text}; a run allows for it`);
  return warn('clock', 'Date', `${text}; a run allows for it`, 'Set one of the two clocks by NTP.');
}

const clockParts = ['rate-limits', 'lead-time', 'dates', 'check-in-window', 'callbacks'];

/** Who answers `capabilities` need not name it. */
const offerable = protocolStates.filter((state) => state !== 'capabilities');

/** Which states the state handler offers. */
export function lookAtStates({ target, settings }: OpenRun): readonly DoctorLine[] {
  const handler = target.stateHandler;
  const { states, clock } = handler;
  if (settings.readOnly && target.kind === 'url' && settings.stateHandler !== null)
    return [ok('state handler', 'states', 'only asked, since --read-only lets nothing be changed')];
  if (states.length === 0) {
    const todo = 'Name one with --state-handler; docs/state-handler.md describes it.';
    return settings.stateHandler === null
      ? [warn('state handler', 'states', 'there is none', todo, 'stateHandler.url')]
      : [warn('state handler', 'states', 'it offers nothing', todo)];
  }
  const missing = offerable.filter((state) => !handler.offers(state));
  const text = `${offerable.length - missing.length} of ${offerable.length} offered`;
  const fixed = clockParts.filter((part) => !clock.has(part));
  return [
    missing.length === 0
      ? ok('state handler', 'states', text)
      : warn(
          'state handler',
          'states',
          `${text}, without ${missing.join(', ')}`,
          'Offer them, to judge more.',
        ),
    ...(handler.offers('clock.advance') && fixed.length > 0
      ? [
          warn(
            'state handler',
            'clock',
            `clock.advance does not move ${fixed.join(', ')}`,
            'Move them, to judge more.',
          ),
        ]
      : []),
  ];
}

/** How callbacks of each API reach the sink. */
export function lookAtSink({ sink, settings, target }: OpenRun): readonly DoctorLine[] {
  if (sink === null)
    return [ok('sink', 'none', 'not stood up, since --read-only lets nothing be subscribed')];
  return settings.apis.map((api) => {
    const url = sink.urls[api];
    if (url === null) return unreached(api, sink, settings);
    if (settings.sink.publicUrl !== null) return ok('sink', api, `${url} leads to the sink`);
    return target.stateHandler.offers('callbacks.route')
      ? ok('sink', api, 'the state handler routes callbacks to the sink')
      : ok('sink', api, `${url}, where the sink listens`);
  });
}

function unreached(api: Api, sink: Sink, settings: Settings): DoctorLine {
  const [text, todo] = splitHint(
    sink.unreached?.[api] ?? hintFor(api === 'webcheckin' ? 'sink' : 'public-sink'),
  );
  // A given address that does not lead here is a mistake; having none is a choice.
  const isMistake = settings.sink.publicUrl !== null && Object.values(sink.urls).every((url) => url === null);
  return isMistake ? fail('sink', api, text, todo) : warn('sink', api, text, todo, 'sink.publicUrl');
}

/** Whether a run knows what the target can book and look up. */
export function lookAtKnown({ settings, target }: OpenRun): readonly DoctorLine[] {
  // Who has a state handler has a test environment, where bookings are made up.
  if (target.kind === 'embedded' || target.stateHandler.states.length > 0) return [];
  const { itineraries, flights, apis } = settings;
  const hasBookings = Object.values(itineraries).some((one) => one !== null);
  const lines: DoctorLine[] = [];
  if (apis.includes('webcheckin') && !hasBookings)
    lines.push(
      warn(
        'known data',
        'itineraries',
        'none given: a run tries bookings of its own, and skips most checks of web check-in if none is accepted',
        'Name bookings that the target supports as itineraries in the config.',
        'itineraries',
      ),
    );
  if (apis.includes('flight-alerts') && flights.length === 0)
    lines.push(
      warn(
        'known data',
        'flights',
        'none given, and no state handler makes some: a run tries flights of its own, and skips what needs one that is known',
        'Name flights that the target serves as flights in the config.',
        'flights',
      ),
    );
  return lines;
}

/** `What is wrong: what to do.` */
function splitHint(hint: string): readonly [string, string] {
  const at = hint.lastIndexOf(': ');
  if (at < 0) return ['callbacks cannot reach the sink', hint];
  const todo = hint.slice(at + 2);
  return [hint.slice(0, at), `${todo.charAt(0).toUpperCase()}${todo.slice(1)}`];
}

/** Whether the capabilities of `--require` are available. */
export function lookAtGate(run: OpenRun): readonly DoctorLine[] {
  const { settings } = run;
  const there = capabilitiesOf(settings, budgetsOf(settings), atHandOf(run));
  return settings.require.map((name) =>
    there.has(name as Capability)
      ? ok('gate', name, 'there, as --require demands')
      : fail('gate', name, 'required, and not there', hintFor(name as Capability)),
  );
}
