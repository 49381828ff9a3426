import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfigFile } from './configFile.ts';

test('a file that is too large to be a config file is refused by its size, and not read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-config-'));
  const path = join(folder, 'large.json');
  try {
    writeFileSync(path, JSON.stringify({ note: 'a'.repeat(2 << 20) }));
    await expect(readConfigFile(path)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('expected a config file of at most 1048576 bytes; got 2097') as string,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
