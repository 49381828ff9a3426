import { describe, expect, it } from 'vitest';
import { sampleFinding, sampleRequirement, sampleResult } from '../../test/support/sampleResult.ts';
import { proseOf } from '../../test/support/markdownProse.ts';
import { elementsOf } from '../../test/support/wellFormedXml.ts';
import { renderConsole } from './renderConsole.ts';
import { renderHtml } from './renderHtml.ts';
import { renderJUnit } from './renderJUnit.ts';
import { renderMarkdown } from './renderMarkdown.ts';
import type { RunResult } from './result.ts';

// What a target may send, and what may therefore occur anywhere in a result.
const nasty = [
  '</script><script>alert(1)</script><!--',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  ']]></failure><testcase name="forged"/>',
  '&amp; &#0; &undefined;',
  '| a | b |\n|---|---|\n# heading\n```\n</details>',
  '`one` ``two`` ```three```',
  '[click](javascript:alert(1)) ![x](https://evil.example/x.png) https://evil.example @team',
  '\u0000\u0001\b\u000b\u001b[2J\u001b]0;title\u0007\u007f\u009b31m',
  'lone \ud800 and \udc00, not \ud83d\ude00',
  '\u202egnp.exe\u2066\u200b\ufeff\ufffe\uffff\u2028\u2029',
  'carriage\rreturn\r\nand tab\t.',
].join('\n');
const huge = 'x'.repeat(3_000_000);

function resultWith(text: string): RunResult {
  const { run, target, sideEffects, ...rest } = sampleResult();
  return {
    ...rest,
    run: { ...run, command: text },
    target: { ...target, baseUrl: text },
    summary: { ...rest.summary, reasons: [text] },
    requirements: (['fail', 'warn', 'observed', 'skipped', 'inconclusive'] as const).map((verdict) =>
      sampleRequirement({
        id: 'WCI-STS-004',
        verdict,
        title: text,
        reason: text,
        checks: [text],
        source: [{ document: text, section: text }],
      }),
    ),
    openPoints: [{ id: 'WCI-OPN-001', title: text, observed: text, pinned: text }],
    findings: [
      sampleFinding({
        ...{
          check: text,
          message: text,
          expected: text,
          actual: text,
          counterexample: text,
          code: text,
          exchanges: [text],
        },
        reproduce: { seed: 1, path: text, command: text, curl: text },
        case: { body: text },
      }),
    ],
    sideEffects: sideEffects.map((effect) => ({ ...effect, id: text, key: text })),
    limits: { models: [{ name: text, fits: false, contradictions: [text] }], [text]: text },
  };
}

const result = resultWith(nasty);
const tame = resultWith('tame\nwords');

describe('whatever stands in a result', () => {
  it('JUnit stays well-formed XML with the same elements', () => {
    expect(elementsOf(renderJUnit(result))).toEqual(elementsOf(renderJUnit(tame)));
  });

  it('the page keeps its elements, and its JSON comes out as it went in', () => {
    // An id has a place to break after each of its dots.
    const tags = (page: string) => page.match(/<\/?(?!wbr\b)[a-z][a-z0-9]*\b/gi);
    expect(tags(renderHtml(result))).toEqual(tags(renderHtml(tame)));
    const json = /id="result">([\s\S]*?)<\/script>/.exec(renderHtml(result))?.[1];
    expect(JSON.parse(json ?? '')).toEqual(result);
  });

  it('Markdown outside of code keeps its headings, tables, links and tags', () => {
    const marks = (text: string) => proseOf(text).match(/^#+ |[<>|`]|\]\(|!\[|https:\/\//gm);
    expect(marks(renderMarkdown(result))).toEqual(marks(renderMarkdown(tame)));
  });

  it('the terminal gets no control character but line ends, and no more lines', () => {
    const text = renderConsole(result, [nasty]);

    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text.split('\n')).toHaveLength(renderConsole(tame, ['tame\nwords']).split('\n').length);
  });

  it.each([renderJUnit, renderMarkdown, renderHtml, (one: RunResult) => renderConsole(one, [])])(
    'lone surrogates never reach a file (%#)',
    (render) => {
      expect(render(result).isWellFormed()).toBe(true);
    },
  );

  it('a summary stays below the mebibyte of a job page, and the terminal stays readable, however long a text is', () => {
    expect(renderMarkdown(resultWith(huge)).length).toBeLessThan(1 << 20);
    expect(renderConsole(resultWith(huge), []).length).toBeLessThan(10_000);
    expect(renderJUnit(resultWith(huge)).length).toBeLessThan(1 << 20);
  });
});
