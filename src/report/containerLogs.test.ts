import { expect, test } from 'vitest';
import { sampleFinding, sampleResult } from '../../test/support/sampleResult.ts';
import { renderContainerLog, withLogs } from './containerLogs.ts';
import { resultSchema } from './result.ts';

const line = (at: number, text: string) => ({ at, container: 'target', text });
const spans = new Map([
  ['x17', { from: 1000, to: 1010 }],
  ['x18', { from: 5000, to: 5010 }],
]);

test('a finding shows the lines that came while its own exchanges were under way', () => {
  const lines = [line(999, 'a'), line(1000, 'b'), line(1110, 'c'), line(1111, 'd'), line(5001, 'e')];
  const result = withLogs(sampleResult({ findings: [sampleFinding()] }), lines, spans);
  expect(result.findings[0]?.logs?.map(({ text }) => text)).toEqual(['b', 'c', 'e']);
  expect(resultSchema.safeParse(result).error).toBeUndefined();
});

test('of very many lines a finding shows the last', () => {
  const lines = Array.from({ length: 100 }, (_, index) => line(1001, String(index)));
  const [finding] = withLogs(sampleResult({ findings: [sampleFinding()] }), lines, spans).findings;
  expect(finding?.logs).toHaveLength(40);
  expect(finding?.logs?.at(-1)?.text).toBe('99');
});

test('a finding without lines stays as it is', () => {
  const result = sampleResult({ findings: [sampleFinding()] });
  expect(withLogs(result, [line(3000, 'between')], spans)).toEqual(result);
});

test('the log file says when a line came and from which container', () => {
  expect(renderContainerLog([line(0, 'ready'), { ...line(1500, 'PONG'), container: 'redis' }])).toBe(
    '1970-01-01T00:00:00.000Z  target  ready\n1970-01-01T00:00:01.500Z  redis  PONG\n',
  );
});
