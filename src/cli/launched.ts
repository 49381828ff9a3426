// What the launcher starts: the program, as a process that ends with the launcher, even if that is killed.
import { watchForOrphan } from './orphanWatch.ts';

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// A launcher that was killed before this line cannot be heard leaving.
if (!process.connected) process.kill(process.pid, 'SIGTERM');
process.channel?.unref();
watchForOrphan();
await import('./main.ts');
