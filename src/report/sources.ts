/** `Web Check-in: Errors, Limits; Flight Alerts: Limits`. */
export function sourceText(
  sources: readonly { readonly document: string; readonly section: string }[],
): string {
  return [...Map.groupBy(sources, ({ document }) => document)]
    .map(([document, own]) => `${documentTitle(document)}: ${own.map(({ section }) => section).join(', ')}`)
    .join('; ');
}

const documentTitles: Readonly<Record<string, string>> = {
  'web-check-in': 'Web Check-in',
  'flight-alerts': 'Flight Alerts',
};

/** The title of a document. */
export function documentTitle(document: string): string {
  return documentTitles[document] ?? document;
}
