import { mixFormFor, parseMix } from '../../load/plan/mix.ts';
import { parseStages, stagesForm } from '../../load/plan/shape.ts';
import type { NamedStages } from '../../load/plan/loadOptions.ts';
import { thresholdForm, parseThreshold, type Threshold } from '../../load/summary/thresholds.ts';
import { annotate } from '../../settings/annotations.ts';
import { share, textForm } from '../../settings/forms.ts';
import { type SinkManner, sinkMannerForm, readSinkManner } from '../../load/journeys/sinkManner.ts';

export const mix = textForm({ expected: mixFormFor, read: (text) => parseMix(text) ?? undefined });
export const threshold = textForm({
  expected: thresholdForm,
  read: (text) => parseThreshold(text) ?? undefined,
});
export const stages = annotate(textForm<NamedStages>({ expected: stagesForm, read: readStages }), {
  holdsCommas: true,
});

export const judgeShare = textForm({
  expected: 'all, none or a percentage such as 10%',
  read: (text) => (text === 'all' ? 1 : text === 'none' ? 0 : (share.safeParse(text).data ?? undefined)),
});

export const sinkManner = textForm<SinkManner>({ expected: sinkMannerForm, read: readSinkManner });
export const bounds = textForm({
  expected: `comma-separated upper bounds (<) on anything but the rate, each ${thresholdForm}`,
  read: (text) => {
    const read = text.split(',').map(parseThreshold);
    const whole = read.filter(
      (one) =>
        one !== null && one.abortAfterMs === null && one.scope !== 'callbacks' && isHeldByLowRates(one),
    );
    return whole.length === read.length ? whole.filter((one) => one !== null) : undefined;
  },
});

/** A search goes from rates that hold the bound to those that do not: more latency and errors come with more load, and more answers. */
function isHeldByLowRates({ metric, relation }: Threshold): boolean {
  return relation.startsWith('<') && metric !== 'rate';
}

export const journeyChoice = textForm({
  expected: 'journeys with their weights, such as subscribe-and-poll=3,dashboard=1',
  read: (text) => {
    const parts = text
      .split(',')
      .map((part) => /^\s*([a-z0-9][a-z0-9-]*)\s*(?:=\s*(\d{1,6}(?:\.\d+)?))?\s*$/.exec(part));
    const named = parts.flatMap((part) =>
      part?.[1] === undefined ? [] : [{ id: part[1], weight: part[2] }],
    );
    const isWhole =
      named.length === parts.length &&
      named.every(({ weight }) => weight === undefined || Number(weight) > 0);
    return isWhole
      ? named.map(({ id, weight }) => ({ id, weight: weight === undefined ? null : Number(weight) }))
      : undefined;
  },
});

/** `JOURNEY: STAGES`, or stages of everything that has none of its own. */
function readStages(text: string): NamedStages | undefined {
  const [, journey = null, course = ''] = /^\s*(?:([a-z0-9][a-z0-9-]*)\s*:)?(.*)$/s.exec(text) ?? [];
  const read = parseStages(course);
  return read === null ? undefined : { journey, stages: read };
}
