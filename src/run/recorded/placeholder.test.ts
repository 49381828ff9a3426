import { expect, test } from 'vitest';
import { isPlaceholder } from './placeholder.ts';

test.each([
  ...['', '****', 'XXXXXXXX', 'redacted', 'REDACTED', '[REDACTED]', '<hidden>', 'key one'],
  ...[
    '[Authorization redacted]',
    '***REDACTED***',
    '**removed by proxy**',
    '(value not recorded)',
    '[API_KEY_REDACTED]',
  ],
  ...['{{apiKey}}', '${API_KEY}', '$API_KEY', '%API_KEY%', '<your api key>'],
])('%j stands in place of a secret', (value) => {
  expect(isPlaceholder(value)).toBe(true);
});

test.each([
  'wrong',
  'not-a-secret-key',
  'gk_live_removed42',
  'secret1',
  '$2b$10$abc',
  '[abc]',
  '{"a":1}',
  '50%',
])('%j may be a credential that was sent', (value) => {
  expect(isPlaceholder(value)).toBe(false);
});
