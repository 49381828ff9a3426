import { expect, test } from 'vitest';
import { renderCommandLine } from './commandText.ts';

const redactor = { redact: (text: string) => text.replaceAll('s3cret', '‹key›') };

test.each([
  [['run', '--seed', '7'], 'gatecheck run --seed 7'],
  [['run', '--only', 'WCI-STS-*'], "gatecheck run --only 'WCI-STS-*'"],
  [['run', '--only', "it's"], "gatecheck run --only 'it'\\''s'"],
  [['run', '--state-handler', 'https://a/_s?token=1'], "gatecheck run --state-handler 'https://a/_s?…'"],
  [['run', '--state-handler=https://a/_s?token=1'], "gatecheck run '--state-handler=https://a/_s?…'"],
  [['run', '--report-dir', 's3cret'], 'gatecheck run --report-dir ‹key›'],
])('%j reads %s', (args, text) => {
  expect(renderCommandLine(args, redactor)).toBe(text);
});
