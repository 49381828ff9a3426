/** What makes a developer's run begin: the server came again, or a key. */
export type DevEvent = 'changed' | 'all' | 'failed' | 'open' | 'quit';

/** What one run of a selection came to. */
export interface DevRun {
  /** Ids of requirements that failed. */
  readonly failed: readonly string[];
  /** Whether it was judged at all: false where the server was out of reach. */
  readonly isJudged: boolean;
}

/** One of the runs that follow each other as long as nothing fails. */
export interface DevStep {
  readonly name: 'failed' | 'near' | 'all';
  /** As of `--only`; empty for all. */
  readonly only: readonly string[];
}

export interface DevPorts {
  /** Resolves to what happens next; never rejects. */
  readonly next: () => Promise<DevEvent>;
  /** Runs a selection until its end, or until it is cut short. */
  readonly run: (step: DevStep, signal: AbortSignal) => Promise<DevRun>;
  /** Nothing is left to run: what comes next is up to the developer. */
  readonly waiting: (failed: readonly string[], isJudged: boolean) => void;
  readonly open: () => Promise<void>;
  /** The developer asks for what failed, and nothing did. */
  readonly noneFailed: () => void;
}

/**
 * Runs what failed last first, then what is near it, then the rest, each only where the one before found nothing; and
 * again whenever the server has changed. Ends when the developer does.
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

/** What is answered beside the run that may be under way. */
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

/** What is known of the server as it was last. */
class Memory {
  failed: readonly string[];
  /** What failed since all was well for the last time: what is near it is run as well. */
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

/** The rows of the same part of the documents: `WCI-UPD-*` of WCI-UPD-034. */
function areaOf(id: string): string {
  return id.replace(/\d+$/, '*');
}
