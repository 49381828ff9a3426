import { exitCodes } from '../../core/errors.ts';
import { importing } from '../../core/optionalPackage.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { words } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import { addSecrets } from '../../settings/secrets.ts';
import { command, settingsOf } from '../command.ts';
import { ownedHostRow } from '../load/table.ts';
import { redisRow, redisSecrets, refuseNoRedis } from '../load/workers.ts';
import { readSettings } from '../readSettings.ts';

/** `worker`: sends parts of loads that are driven over several processes or machines. */
export const workerCommand = command({
  name: 'worker',
  about: 'work for load or run with --workers: take parts and shards over Redis until stopped',
  settings: settingsOf('target', 'config', 'budgets.maxQuota', 'budgets.maxSubscriptions'),
  options: {
    redis: redisRow,
    name: row({
      form: words,
      default: null,
      flag: '--name <name>',
      help: 'the name of this worker in reports',
      usual: 'machine and process',
    }),
    ownedHost: ownedHostRow,
  },
  examples: ['gatecheck worker --redis redis://redis.example.com:6379 --target https://qa.example.com'],
  run: async (call) => {
    const { io } = call;
    const { redis, name, ownedHost } = call.options;
    const redisUrl = redis ?? refuseNoRedis('loads come by');
    addSecrets(io.redactor, redisSecrets(redisUrl), 'redis');
    const settings = await readSettings(call);
    const { runLoadWorker } = await importing('one of the workers', () => import('../../run/loadWorker.ts'));
    const { signal, release } = abortOnInterrupt(io);
    const notice = (text: string) => io.stderr.write(`${io.redactor.redact(text)}\n`);
    try {
      await runLoadWorker(settings, { redisUrl, name, ownedHost, signal, redactor: io.redactor, notice });
    } finally {
      release();
    }
    return exitCodes.ok;
  },
});
