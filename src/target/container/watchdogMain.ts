// A separate process: waits for the end of the run that started it, then removes what is left of that run.
import { finished } from 'node:stream/promises';

const [runId = ''] = process.argv.slice(2);
await finished(process.stdin.resume()).catch(() => undefined);

// Only imported now: most runs end properly, and this process then costs next to nothing.
const [{ connectEngine }, { removeRun }] = await Promise.all([import('./engine.ts'), import('./engine.ts')]);
const engine = await connectEngine();
await removeRun(engine, runId);
// A container that was being created at that moment exists by now.
await new Promise((resolve) => setTimeout(resolve, 2000));
await removeRun(engine, runId);
process.exit(0);
