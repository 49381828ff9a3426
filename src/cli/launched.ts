// What the launcher starts: the program, as a process that ends with the launcher, even if that is killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
await import('./main.ts');

export {};
