import { describe, expect, it } from 'vitest';
import { sampleFinding, sampleResult } from '../../test/support/sampleResult.ts';
import { movedClockText } from './movedClock.ts';
import { nextStep } from './next.ts';
import { placeOf } from './placeOf.ts';
import { countedIn, storyOf } from './story.ts';
import { gapsOf, grouped } from './page/findingStory.ts';
import { decisiveOf, momentsOf } from './page/moments.ts';
import { causesOf } from './causes.ts';
import type { Finding } from '../engine/findings/finding.ts';
import { counted } from '../spec/kernel/value.ts';
import type { StateLine } from './page/pageData.ts';

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `x${from + index}`);

describe('the story of a finding', () => {
  it('is all of a short case', () => {
    expect(storyOf(sampleFinding({ exchanges: ids(1, 40), decisive: 'x3' }))).toEqual(ids(1, 40));
  });

  it('is the window that was counted, and a little of what came after it', () => {
    const finding = sampleFinding({
      exchanges: ids(1, 400),
      decisive: 'x192',
      actual: '61 requests (x132 … x192) within 0.0 s are more than 60 allow',
    });
    expect(storyOf(finding)).toEqual(ids(132, 194));
    const hour = { ...finding, exchanges: ids(1, 2000), decisive: 'x1500' };
    const told = storyOf({ ...hour, got: counted('1001 requests', ['x500', 'x1500']) as Finding['got'] });
    expect([told.length, told[0], told.at(-1)]).toEqual([130, 'x500', 'x1502']);
  });
});

describe('what is counted', () => {
  const line = (id: string, path: string, status: number) => ({
    ...{
      type: 'exchange',
      id,
      check: 'c',
      operation: null,
      enterprise: null,
      key: 'issued#1',
      durationMs: 1,
    },
    ...{ startedAt: `2026-01-31T10:00:00.${id.slice(1).padStart(3, '0')}Z`, failure: null },
    request: { method: 'GET', url: `http://t/${path}`, headers: [], body: null },
    response: { status, headers: [], body: { text: '{}' }, truncated: false },
  });
  const lines = Object.fromEntries(
    ids(1, 80).map((id, index) => [
      id,
      line(id, index % 3 === 0 ? 'list' : 'flight', index < 61 ? 200 : 429) as never,
    ]),
  );
  const finding = sampleFinding({
    ...{ exchanges: ids(1, 80), decisive: 'x61' },
    actual: '61 requests (x1 … x61) within 0.1 s are more than 60 allow',
  });

  it('is alike whatever it asks for, up to the one that is too many; the rest is said', () => {
    const states = [
      {
        type: 'event',
        at: '2026-01-31T09:59:00.000Z',
        name: 's',
        data: { state: 'flights.put', params: '{}' },
      },
    ] as never;
    const moments = momentsOf(finding, { lines, states });
    const groups = grouped(moments, decisiveOf(finding, moments), {
      isCounted: countedIn(finding).length > 0,
    });
    expect(groups.map((group) => [group.moments.length, group.isDecisive])).toEqual([
      [60, false],
      [1, true],
      ...[1, 1].map((size) => [size, false]),
    ]);
    expect(groups.map(gapsOf)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 17],
    ]);
  });

  it('is not what few requests show', () => {
    expect(countedIn(sampleFinding({ exchanges: ids(1, 3), actual: 'x3: HTTP 200' }))).toEqual([]);
  });
});

describe('the operation of a finding', () => {
  const step = (target: string, status: number, key: string | null = 'unknown') => ({
    ...{ operation: 'wci.update', method: 'POST', target, key, body: null, status, code: null },
  });
  const finding = (actual: string, steps: readonly object[], whole = false) =>
    sampleFinding({ actual, case: { check: 'c', caseName: '', whole, steps } as never });

  it('is the one that was answered as the finding says, with its key', () => {
    const steps = [step('/a?x=1', 200), step('/b', 200, null), step('/c', 401)];
    expect(placeOf(finding('HTTP 200 message SCHEDULED', steps))).toBe('POST /b, no key');
    expect(placeOf(finding('HTTP 404', steps))).toBeNull();
  });

  it('is the first of what an oracle saw, and none of several requests that are counted together', () => {
    const steps = [step('/a?x=1', 200), step('/b', 200)];
    expect(placeOf(finding('sub_status "X"', steps, true))).toBe('POST /a?x=1, key unknown');
    expect(placeOf(finding('61 requests', steps))).toBeNull();
  });
});

describe('what to do next', () => {
  const next = (...findings: Parameters<typeof sampleFinding>[0][]) => {
    const result = sampleResult({ findings: findings.map((one) => sampleFinding(one)) });
    return nextStep(result, causesOf(result));
  };

  it('names no target where the command line of the run named none', () => {
    const base = sampleResult({ findings: [sampleFinding({})] });
    const result = { ...base, run: { ...base.run, command: 'gatecheck run --yes' } };
    expect(nextStep(result, causesOf(result))?.command).toBe('gatecheck run --only-failed');
    const of = (command: string) =>
      nextStep({ ...result, run: { ...result.run, command } }, causesOf(result))?.command;
    // A recording stays as it is; a proxy sees other traffic.
    expect(of('gatecheck judge traffic.har')).toBeNull();
    expect(of('gatecheck proxy --target http://x')).toBe('gatecheck proxy --target http://x');
  });

  it('counts what failed and no warning, and names program, reports, target and options as they were', () => {
    const reproduce = {
      seed: 1,
      path: null,
      curl: null,
      command: 'node bin/gatecheck.js replay A --from b --api webcheckin',
    };
    const warning = { fingerprint: 'SHR-AUT-001.00000000', requirement: 'SHR-AUT-001', check: 'other' };
    expect(next({ reproduce }, { ...warning, severity: 'warn', exchanges: ['x9'] })).toMatchObject({
      count: 'One cause explains what failed.',
      command: 'node bin/gatecheck.js run --only-failed b --target https://qa.example --api webcheckin',
    });
    expect(next({ reproduce: { ...reproduce, command: 'gatecheck replay A' } })?.command).toBe(
      'gatecheck run --only-failed --target https://qa.example',
    );
    expect(next({ severity: 'warn' })?.count).toBe('One cause explains the warnings.');
    expect(next({ baselined: true })).toBeNull();
  });
});

it('says how far the clock of the server had been moved by then', () => {
  const state = (at: string, seconds: unknown): StateLine => ({
    ...{ type: 'event', at, name: 'state-set' },
    data: { state: 'clock.advance', params: JSON.stringify({ seconds }), error: null },
  });
  const states = [state('2026-01-31T10:00:00.000Z', 61.9), state('2026-01-31T10:00:10.000Z', 340)];
  const at = (second: number) => movedClockText(states, Date.UTC(2026, 0, 31, 10, 0, second));
  expect(at(-1)).toBeNull();
  expect(at(5)).toContain('ahead by 1 min 2 s');
  expect(at(20)).toContain('ahead by 6 min 42 s');
  expect(movedClockText([state('2026-01-31T10:00:00.000Z', 'x')], Date.now())).toBeNull();
});
