import { createServer } from 'node:net';

/** Whether an address belongs to this machine: a list of interfaces would lack a bridge that is not in use yet. */
export async function isOwn(address: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(0, address, () => probe.close(() => resolve(true)));
  });
}
