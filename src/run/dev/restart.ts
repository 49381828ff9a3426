import { connect } from 'node:net';
import type { Clock } from '../../core/clock.ts';

/** Milliseconds between two looks at the port. */
const lookMs = 50;
const connectMs = 2000;

/** Where a server listens. */
interface Place {
  readonly host: string;
  readonly port: number;
}

/** Checks whether connections are accepted there. */
type Knock = (place: Place) => Promise<boolean>;

/** Calls back each time a port that was closed is open again, until the signal aborts. */
export async function watchRestarts(
  place: Place,
  { clock, signal, onRestart, knock = knockAt }: WatchOptions,
): Promise<void> {
  let wasOpen = await knock(place);
  const isOver = () => signal.aborted;
  while (!isOver()) {
    await clock.sleep(lookMs, signal).catch(() => undefined);
    const isOpen = await knock(place);
    if (isOpen && !wasOpen && !isOver()) onRestart();
    wasOpen = isOpen;
  }
}

interface WatchOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onRestart: () => void;
  readonly knock?: Knock;
}

/** Where the server of an address listens. */
export function placeOf(url: string): Place {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

function knockAt(place: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(connectMs, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
