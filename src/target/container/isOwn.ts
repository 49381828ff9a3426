import { createServer } from 'node:net';

/** Whether an address is one of this machine: a list of interfaces would leave out a bridge that is not used yet. */
export async function isOwn(address: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(0, address, () => probe.close(() => resolve(true)));
  });
}
