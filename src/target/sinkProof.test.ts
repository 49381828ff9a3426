import { describe, expect, it } from 'vitest';
import { resolveSettings, type Config } from '../index.ts';
import { noStateHandler } from './stateHandler.ts';
import { chooseSinkWay } from './sinkProof.ts';

const routing = { ...noStateHandler, offers: (state: string) => state === 'callbacks.route' };
const foreign = { target: 'https://qa.example.com' };
const local = { target: 'http://localhost:8080' };
const sinkHost = { listen: '172.18.0.1', name: 'host.gatecheck.internal' };

interface Given {
  readonly config: Config;
  readonly routes?: boolean;
  readonly container?: boolean;
}

function wayOf({ config, routes = false, container = false }: Given) {
  const settings = resolveSettings(
    { target: 'embedded', keys: { primary: 'env:KEY' }, ...config },
    { env: { KEY: 'k-123456' } },
  );
  const stateHandler = routes ? routing : noStateHandler;
  const { kind, listenHost, host } = chooseSinkWay(settings, {
    stateHandler,
    ...(container ? { sinkHost } : {}),
  });
  return [kind, listenHost, host];
}

describe('the way of callbacks to the sink', () => {
  it.each<[string, Given, readonly string[]]>([
    ['the embedded target', { config: {}, routes: true }, ['routed', '127.0.0.1', '127.0.0.1']],
    ['a target of this machine', { config: local }, ['direct', '127.0.0.1', '127.0.0.1']],
    ['one that routes', { config: local, routes: true }, ['routed', '127.0.0.1', '127.0.0.1']],
    ['a target elsewhere', { config: foreign }, ['none', '127.0.0.1', '127.0.0.1']],
    ['one elsewhere that routes', { config: foreign, routes: true }, ['none', '127.0.0.1', '127.0.0.1']],
    [
      'an address that the user gives, before a route',
      { config: { ...foreign, sink: { publicUrl: 'https://sink.example.org' } }, routes: true },
      ['public', '127.0.0.1', '127.0.0.1'],
    ],
    [
      'a target elsewhere that reaches an address of this machine',
      { config: { ...foreign, sink: { listen: '10.0.0.5:9000' } } },
      ['direct', '10.0.0.5', '10.0.0.5'],
    ],
    [
      'a sink on all addresses, for a target of this machine',
      { config: { ...local, sink: { listen: '0.0.0.0:9000' } } },
      ['direct', '0.0.0.0', '127.0.0.1'],
    ],
    ['a container', { config: local, container: true }, ['direct', '172.18.0.1', 'host.gatecheck.internal']],
    [
      'a container that routes, and a sink on all addresses',
      { config: { ...local, sink: { listen: '0.0.0.0:0' } }, container: true, routes: true },
      ['routed', '0.0.0.0', 'host.gatecheck.internal'],
    ],
  ])('of %s', (_name, given, expected) => {
    expect(wayOf(given)).toEqual(expected);
  });
});
