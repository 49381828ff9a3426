const word =
  '(?:redacted|removed|hidden|masked|secret|filtered|sanitized|scrubbed|stripped|omitted|not recorded)';

const forms: readonly RegExp[] = [
  /^\s*$/,
  /^[*•xX.…\-_#]+$/,
  new RegExp(`^${word}$|^(?:key|unknown credential) .*$`, 'i'),
  // Such words in brackets or among stars: `[Authorization redacted]`, `***REDACTED***`.
  new RegExp(
    String.raw`^(?:[[<({‹]|\*\*)[^\p{Cc}]*(?<!\p{L})${word}(?!\p{L})[^\p{Cc}]*(?:[\])>}›]|\*\*)$`,
    'iu',
  ),
  // Names of variables in place of their values: `{{apiKey}}`, `${API_KEY}`, `%API_KEY%`, `<your key>`.
  /^(?:\{\{[^{}]+\}\}|\$\{?[A-Za-z_]\w*\}?|%[A-Za-z_]\w*%|<[^<>]+>|‹[^‹›]+›)$/,
];

/** What recorders and careful people write in place of a secret. */
export function isPlaceholder(value: string): boolean {
  return value.length < 200 && forms.some((form) => form.test(value));
}
