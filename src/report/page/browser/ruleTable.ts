import type { RunResult } from '../../result.ts';
import { stateOf } from '../../states.ts';
import { csvOf } from '../csv.ts';
import { renderRule } from '../ruleView.ts';
import { arrive, button, byId, say, valuesOf } from './dom.ts';
import { download } from './download.ts';
import { GrowingList } from './growingList.ts';
import { lazily } from './lazily.ts';
import { evidence, result } from './pageResult.ts';

type RuleRow = RunResult['requirements'][number];

const findingsOf = Map.groupBy(result.findings, ({ requirement }) => requirement);
const links = {
  findingsOf: (id: string) => findingsOf.get(id) ?? [],
  hasEvidence: evidence.index.length > 0,
};
const ruleList = new GrowingList(byId('rules'), button('more-rules'), (row: RuleRow) =>
  renderRule(row, links),
);
const texts = lazily(() =>
  result.requirements.map((row) =>
    JSON.stringify([row.id, row.title, row.source, row.reason, row.checks]).toLowerCase(),
  ),
);

/** The filter of the requirements. */
export const ruleForm = byId('rule-filter') as HTMLFormElement;

/** Shows the requirements that match the filter. */
export function filterRules(): void {
  const rows = shownRules();
  ruleList.show(rows);
  say(ruleForm, `${rows.length} of ${result.requirements.length} shown`);
}

function shownRules(): RunResult['requirements'] {
  const { verdict = '', level = '', api = '', section = '', words = '' } = valuesOf(ruleForm);
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return result.requirements.filter((row, index) => {
    return (
      (verdict === '' || stateOf(row) === verdict) &&
      (level === '' || row.level === level) &&
      (api === '' || row.api === api) &&
      (section === '' || row.source.some((one) => `${one.document}: ${one.section}` === section)) &&
      sought.every((word) => texts()[index]?.includes(word))
    );
  });
}

/** Saves the requirements that are shown as CSV. */
export function saveRules(): void {
  const rows = shownRules().map(
    ({ id, level, title, reason, checks, samples, ...row }) =>
      [id, stateOf(row), level, title, reason ?? '', checks.join(' '), samples] as const,
  );
  const head = ['requirement', 'verdict', 'level', 'rule', 'reason', 'checks', 'samples'];
  download('requirements.csv', 'text/csv', csvOf([head, ...rows]));
}

/** Scrolls to a requirement; the filter is cleared, since it may hide it. */
export function goToRule(id: string): void {
  ruleForm.reset();
  filterRules();
  ruleList.reach(result.requirements.findIndex((row) => row.id === id));
  arrive(document.getElementById(id));
}
