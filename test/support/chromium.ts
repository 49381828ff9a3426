import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** Why pages are not tested on this machine; null where they are. */
export const whyNoBrowser = executablePath === undefined ? 'skipped: there is no Chromium in /usr/bin' : null;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
}
