import { type JsonObject, type Part, generate, objectsAt, without } from '../checks.ts';

const strangeCallback: JsonObject = {
  callbackUrl: 'https://example.com/gatecheck/hook',
  auth_header: 'X-Custom: gatecheck',
  clientId: 'gatecheck',
  clientName: 'Gatecheck',
};

/** Parts that are broken or missing, as texts in place of those of a booking; null leaves one out. */
export const brokenParts: readonly {
  readonly rule: string;
  readonly name: string;
  readonly texts: (body: JsonObject) => Readonly<Record<string, string | null>>;
}[] = [
  { rule: 'WCI-MP-004', name: 'passengers that are no JSON', texts: () => ({ passengers: '[{' }) },
  // What is more than JSON to some readers.
  {
    rule: 'WCI-MP-004',
    name: 'flights with a comma behind the last one',
    texts: ({ flights }) => ({ flights: JSON.stringify(flights).replace(/\]$/, ',]') }),
  },
  {
    rule: 'WCI-MP-004',
    name: 'passengers in single quotes',
    texts: ({ passengers }) => ({ passengers: JSON.stringify(passengers).replaceAll('"', "'") }),
  },
  {
    rule: 'WCI-MP-004',
    name: 'callbackData that is no JSON',
    texts: () => ({ callbackData: '{"callbackUrl":' }),
  },
  {
    rule: 'WCI-MP-003',
    name: 'callbackData with another header',
    texts: () => ({ callbackData: JSON.stringify(strangeCallback) }),
  },
  {
    rule: 'WCI-MP-003',
    name: 'callbackData without header',
    texts: () => ({ callbackData: JSON.stringify(without(strangeCallback, 'auth_header')) }),
  },
  { rule: 'WCI-MP-005', name: 'no flights', texts: () => ({ flights: null }) },
  { rule: 'WCI-MP-005', name: 'no passengers', texts: () => ({ passengers: null }) },
  { rule: 'WCI-MP-005', name: 'empty passengers', texts: () => ({ passengers: '[]' }) },
  { rule: 'WCI-MP-005', name: 'empty flights', texts: () => ({ flights: '[]' }) },
  {
    rule: 'WCI-MP-005',
    name: 'a flight without origin',
    texts: (body) => ({ flights: JSON.stringify(withoutOrigin(body)) }),
  },
];

type Encoded = ReturnType<typeof generate.encodeMultipart>;

/** Bodies that cannot be parsed. */
export const unparsableBodies: readonly {
  readonly rule: string;
  readonly name: string;
  readonly change: (whole: Encoded) => Pick<Encoded, 'bytes' | 'contentType'>;
}[] = [
  {
    rule: 'WCI-MP-016',
    name: 'no boundary',
    change: ({ bytes }) => ({ bytes, contentType: 'multipart/form-data' }),
  },
  {
    rule: 'WCI-MP-016',
    name: 'another boundary',
    change: ({ bytes }) => ({ bytes, contentType: 'multipart/form-data; boundary=gatecheck-other' }),
  },
  {
    rule: 'WCI-MP-016',
    name: 'cut off',
    change: ({ bytes, contentType }) => ({
      bytes: bytes.subarray(0, Math.floor(bytes.length / 2)),
      contentType,
    }),
  },
];

/** The JSON parts of a booking as texts. */
export function jsonTexts({ flights, passengers }: JsonObject) {
  return { flights: JSON.stringify(flights), passengers: JSON.stringify(passengers) };
}

/** A part for each text; null leaves one out. */
export function textParts(texts: Readonly<Record<string, string | null>>): readonly Part[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    text === null ? [] : [generate.textPart(name, text)],
  );
}

function withoutOrigin(body: JsonObject): readonly JsonObject[] {
  return objectsAt(body, 'flights').map((flight) => without(flight, 'origin'));
}
