/** The time of the deployment, which its state handler may move, and what is due by it. */
export class MovableClock {
  #moved = 0;
  #due: { at: number; run: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  now(): number {
    return Date.now() + this.#moved;
  }

  move(ms: number): void {
    this.#moved += ms;
    this.#arm();
  }

  after(ms: number, run: () => void): void {
    this.#due.push({ at: this.now() + ms, run });
    this.#due.sort((one, other) => one.at - other.at);
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#due = [];
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#due[0];
    if (!next) return;
    const wait = Math.min(Math.max(next.at - this.now(), 0), 2 ** 31 - 1);
    this.#timer = setTimeout(() => this.#fire(), wait);
  }

  #fire(): void {
    while (this.#due[0] && this.#due[0].at <= this.now()) this.#due.shift()?.run();
    this.#arm();
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

/** The instants at which the clocks of a zone show this time: none in a gap, two in a repeated hour. */
export function instantsOf(wall: number, zone: string): number[] {
  const guesses = new Set([-86_400_000, 86_400_000].map((away) => wall - offsetAt(zone, wall + away)));
  return [...guesses].filter((instant) => instant + offsetAt(zone, instant) === wall).sort((a, b) => a - b);
}
