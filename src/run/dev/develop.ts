/** What starts a run in `dev`: the server restarted, or a key was pressed. */
export type DevEvent = 'changed' | 'all' | 'failed' | 'open' | 'quit';

/** The result of one run of a selection. */
export interface DevRun {
  /** Ids of requirements that failed. */
  readonly failed: readonly string[];
  /** Whether it was judged at all: false if the server was out of reach. */
  readonly isJudged: boolean;
}

/** One of the runs that follow each other as long as nothing fails. */
export interface DevStep {
  readonly name: 'failed' | 'near' | 'all';
  /** Patterns of `--only`; empty for all. */
  readonly only: readonly string[];
}

export interface DevPorts {
  /** Resolves to the next event; never rejects. */
  readonly next: () => Promise<DevEvent>;
  /** Runs a selection to its end, or until it is aborted. */
  readonly run: (step: DevStep, signal: AbortSignal) => Promise<DevRun>;
  /** Called if nothing is left to run: the developer decides what comes next. */
  readonly waiting: (failed: readonly string[], isJudged: boolean) => void;
  readonly open: () => Promise<void>;
  /** Called if the developer asks for failed checks, but nothing failed. */
  readonly noneFailed: () => void;
}

/**
 * Runs first what failed last, then related checks, then the rest, each only if the one before found nothing; and again whenever
 * the server has changed. Ends when the developer quits.
 */
export async function develop(ports: DevPorts, failedBefore: readonly string[]): Promise<void> {
  const memory = new Memory(failedBefore);
  for (let steps = memory.steps(); ;) {
    const stop = new AbortController();
    const running = runSteps(steps, { ...ports, memory, signal: stop.signal });
    let event = await ports.next();
    for (; isBeside(event, memory); event = await ports.next())
      if (event === 'open') await ports.open();
      else ports.noneFailed();
    stop.abort(new Error('another run begins'));
    await running;
    if (event === 'quit') return;
    steps = event === 'all' ? [everything] : event === 'failed' ? memory.failedStep() : memory.steps();
  }
}

/** Whether an event is handled without interrupting a running run. */
function isBeside(event: DevEvent, { failed }: Memory): boolean {
  return event === 'open' || (event === 'failed' && failed.length === 0);
}

const everything: DevStep = { name: 'all', only: [] };

interface Steps extends DevPorts {
  readonly memory: Memory;
  readonly signal: AbortSignal;
}

async function runSteps(steps: readonly DevStep[], { run, waiting, memory, signal }: Steps): Promise<void> {
  let isJudged = true;
  for (const step of steps) {
    const result = await run(step, signal);
    if (signal.aborted) return;
    memory.learn(step, result);
    ({ isJudged } = result);
    if (!isJudged || result.failed.length > 0) break;
  }
  waiting(memory.failed, isJudged);
}

/** The last known state of the server. */
class Memory {
  failed: readonly string[];
  /** What failed since everything last passed: related checks are run as well. */
  #suspects: ReadonlySet<string>;

  constructor(failed: readonly string[]) {
    this.failed = failed;
    this.#suspects = new Set(failed);
  }

  learn({ name }: DevStep, { failed, isJudged }: DevRun): void {
    if (!isJudged) return;
    this.failed = failed;
    const isAllWell = name === 'all' && failed.length === 0;
    this.#suspects = isAllWell ? new Set() : new Set([...this.#suspects, ...failed]);
  }

  steps(): readonly DevStep[] {
    const near = [...new Set([...this.#suspects].map(areaOf))];
    return [
      ...this.failedStep(),
      ...(near.length > 0 ? [{ name: 'near', only: near } as const] : []),
      everything,
    ];
  }

  failedStep(): readonly DevStep[] {
    return this.failed.length === 0 ? [] : [{ name: 'failed', only: this.failed }];
  }
}

/** The rows of the same part of the documents: `WCI-UPD-*` for WCI-UPD-034. */
function areaOf(id: string): string {
  return id.replace(/\d+$/, '*');
}
