import { gzipSync } from 'node:zlib';

interface Field {
  readonly name: string;
  readonly value: string;
}

interface Content {
  readonly size: number;
  readonly text?: string;
  readonly encoding?: string;
  readonly [more: string]: unknown;
}

export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Field[];
    readonly postData?: Content;
    readonly [more: string]: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly Field[];
    readonly content: Content;
    readonly [more: string]: unknown;
  };
  readonly [more: string]: unknown;
}

/** How a tool writes what a plain proxy has seen: its name, its entries, and what it writes besides. */
interface Recorder {
  readonly creator: string;
  readonly entry: (entry: HarEntry, index: number) => HarEntry;
  /** Entries of its own, such as tunnels. */
  readonly more?: (first: HarEntry) => readonly HarEntry[];
}

const zoned = (at: string, end: string) =>
  new Date(Date.parse(at) + 7_200_000).toISOString().replace('Z', `${end}+02:00`);
const inBase64 = (content: Content): Content =>
  content.encoding === undefined && content.text !== undefined
    ? { ...content, text: Buffer.from(content.text).toString('base64'), encoding: 'base64' }
    : content;
const lowerCase = (fields: readonly Field[]) =>
  fields.map(({ name, value }) => ({ name: name.toLowerCase(), value }));
const without = (fields: readonly Field[], names: RegExp) => fields.filter(({ name }) => !names.test(name));
const hostOf = (url: string) => ({ name: 'Host', value: new URL(url).host });

const changed = (
  entry: HarEntry,
  { request = {}, response = {}, ...rest }: { request?: object; response?: object; [more: string]: unknown },
): HarEntry => ({
  ...{ ...entry, ...rest },
  request: { ...entry.request, ...request },
  response: { ...entry.response, ...response },
});

/** Unknown sizes, and names of pages and connections. */
const unknown = { headersSize: -1, bodySize: -1, cookies: [], httpVersion: 'HTTP/1.1' };
const coded: Field = { name: 'content-encoding', value: 'br' };

/** A tunnel through a proxy, before what is inside. */
const tunnel = (first: HarEntry): readonly HarEntry[] => [
  changed(first, {
    request: { method: 'CONNECT', url: new URL(first.request.url).origin, headers: [], postData: undefined },
    response: { status: 200, headers: [], content: { size: 0 } },
  }),
];

export const recorders: Readonly<Record<string, Recorder>> = {
  Chrome: {
    creator: 'WebInspector',
    // Exports are sanitized; HTTP/2 has pseudo headers; bodies are decoded below the header of their coding.
    entry: (entry) =>
      changed(entry, {
        ...{ _initiator: { type: 'script' }, _priority: 'High', _resourceType: 'fetch', cache: {} },
        ...{ connection: '443', pageref: 'page_1', serverIPAddress: '127.0.0.1', _connectionId: '12' },
        request: {
          ...unknown,
          headers: [
            { name: ':authority', value: new URL(entry.request.url).host },
            ...lowerCase(without(entry.request.headers, /^(?:authorization|cookie)$/i)),
          ],
        },
        response: {
          ...{ ...unknown, _transferSize: 300, _error: null, fetchedViaServiceWorker: false },
          headers: [...lowerCase(without(entry.response.headers, /^content-(length|encoding)$/i)), coded],
        },
      }),
    more: (first) => [
      changed(first, {
        _resourceType: 'preflight',
        request: { method: 'OPTIONS', headers: [], postData: undefined },
        response: { status: 204, headers: [{ name: 'vary', value: '*' }], content: { size: 0 } },
      }),
    ],
  },
  Firefox: {
    creator: 'Firefox',
    entry: (entry) =>
      changed(entry, {
        ...{ startedDateTime: zoned(entry.startedDateTime, ''), pageref: 'page_1', _securityState: 'secure' },
        request: { ...unknown, headers: [hostOf(entry.request.url), ...entry.request.headers] },
        response: { ...unknown, content: { ...entry.response.content, comment: '' } },
      }),
  },
  Safari: {
    creator: 'WebKit Web Inspector',
    entry: (entry) =>
      changed(entry, {
        ...{ _fetchType: 'Network Load', _priority: 'medium', _serverPort: 443 },
        request: { ...unknown, bodySize: 0 },
        response: { ...unknown, content: { ...entry.response.content, compression: 0 }, _transferSize: 300 },
      }),
  },
  Charles: {
    creator: 'Charles Proxy',
    entry: (entry) =>
      changed(entry, {
        ...{ startedDateTime: zoned(entry.startedDateTime, ''), connection: '7', comment: '' },
        request: { ...unknown, bodySize: entry.request.postData?.size ?? 0 },
        response: { ...unknown, bodySize: entry.response.content.size, _charlesStatus: 'COMPLETE' },
      }),
    more: tunnel,
  },
  Proxyman: {
    creator: 'Proxyman',
    entry: (entry, index) =>
      changed(entry, {
        ...{ _id: String(index), _name: 'app', comment: '', serverIPAddress: '127.0.0.1' },
        response: { ...unknown, content: inBase64(entry.response.content) },
      }),
  },
  Fiddler: {
    creator: 'Fiddler',
    entry: (entry, index) =>
      changed(entry, {
        startedDateTime: zoned(entry.startedDateTime, '0000'),
        ...{ comment: `[#${index + 1}]`, connection: 'ClientPort:51000;EgressPort:51001', cache: {} },
        request: { ...unknown, headers: [hostOf(entry.request.url), ...entry.request.headers] },
        response: { ...unknown, content: { ...entry.response.content, compression: 0 } },
      }),
    more: tunnel,
  },
  mitmproxy: {
    creator: 'mitmproxy exporthar',
    // The size is that of the compressed bytes, of which a short text has more.
    entry: (entry) => {
      const { text = '', encoding } = entry.response.content;
      const bytes = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
      const size = gzipSync(bytes).length;
      const headers = [
        ...without(entry.response.headers, /^content-(length|encoding)$/i),
        { name: 'content-encoding', value: 'gzip' },
        { name: 'content-length', value: String(size) },
      ];
      return changed(entry, {
        ...{ startedDateTime: entry.startedDateTime.replace('Z', '123+00:00'), timings: { ssl: null } },
        response: {
          headers,
          ...{ ...unknown, bodySize: size, _error: null },
          content: { ...entry.response.content, size, compression: bytes.length - size },
        },
      });
    },
  },
  Insomnia: {
    creator: 'Insomnia REST Client',
    entry: (entry) =>
      changed(entry, {
        request: { ...unknown, settingEncodeUrl: true },
        response: { ...unknown, content: { ...entry.response.content, mimeType: 'application/json' } },
      }),
  },
  Newman: {
    creator: 'newman',
    // The query stands apart from the address.
    entry: (entry) => {
      const { origin, pathname, searchParams } = new URL(entry.request.url);
      const queryString = [...searchParams].map(([name, value]) => ({ name, value }));
      return changed(entry, {
        _item: 'a request of a collection',
        request: { ...unknown, url: `${origin}${pathname}`, queryString },
        response: { ...unknown },
      });
    },
  },
  Playwright: {
    creator: 'Playwright',
    entry: (entry) =>
      changed(entry, {
        ...{ pageref: 'page@1', _frameref: 'frame@2', _monotonicTime: 12.5, _apiRequest: true },
        request: { ...unknown, headers: lowerCase(entry.request.headers) },
        response: { ...unknown, _transferSize: -1, _failureText: null },
      }),
  },
};

/** The entries of a plain proxy as the HAR of a recorder. */
export function asWrittenBy(name: string, entries: readonly HarEntry[]): object {
  const recorder = recorders[name];
  const [first] = entries;
  if (!recorder || !first) throw new Error(`no recorder ${name}, or nothing to record`);
  const creator = { name: recorder.creator, version: '1', comment: '' };
  const written = entries.map((entry, index) => recorder.entry(entry, index));
  return {
    log: { version: '1.2', creator, pages: [], entries: [...(recorder.more?.(first) ?? []), ...written] },
  };
}
