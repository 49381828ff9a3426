import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleResult } from '../../test/support/sampleResult.ts';
import { renderHtml } from './renderHtml.ts';

const page = renderHtml(sampleResult());

/** The text of the report without tags, for looking at its words. */
const words = page
  .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
  .replace(/<[^>]*>/g, ' ')
  .replace(/\s+/g, ' ');

describe('the HTML report', () => {
  it('loads nothing', () => {
    expect(page).not.toMatch(/<(link|img|iframe|object|embed|base)\b|\bsrc=|@import|\burl\(/i);
    expect(page).toContain("default-src 'none'");
  });

  it('lets only its own style and script run', () => {
    const hashes = [/<style>([\s\S]*?)<\/style>/, /<script>([\s\S]*?)<\/script>/].map((part) =>
      createHash('sha256')
        .update(part.exec(page)?.[1] ?? '')
        .digest('base64'),
    );
    expect(page).toContain(`style-src 'sha256-${hashes[0]}'; script-src 'sha256-${hashes[1]}'`);
    expect(page).not.toMatch(/\son\w+=|\sstyle=/);
  });

  it('says on the first screen what was got and expected', () => {
    const [{ expected, actual } = { expected: '', actual: '' }] = sampleResult().findings;
    const head = words.slice(0, words.indexOf('musts judged'));
    expect(head).toContain(`got ${actual} , expected ${expected}`);
  });

  it('tells verdict, coverage, findings, open points and what was left behind', () => {
    expect(words).toContain(
      'nonconformant, gate not met: 1 requirement failed The target does not keep to the documents. Next:',
    );
    expect(words).toContain(
      '2 of 6 musts judged (33 %), 1 not applicable, 1 cannot be observed from outside',
    );
    expect(words).toContain('Reproduce gatecheck replay WCI-STS-004.997d5a67 curl -H');
    expect(words).toContain('Which airline-code length is enforced two alphanumeric characters');
    expect(words).toContain('needs revoked-key: set GATECHECK_KEY_REVOKED');
    expect(words).toContain('wci_8Zk2');
  });

  it('holds findings and requirements also for those who run no script', () => {
    const plain = [...page.matchAll(/<noscript>([\s\S]*?)<\/noscript>/g)].map(([, part]) => part).join();
    expect(plain).toContain('id="finding-WCI-STS-004.997d5a67"');
    expect(plain.match(/<tr\s+id="[A-Z-]+\d+"/g)).toHaveLength(sampleResult().requirements.length);
  });

  it('names in the first screen what to do next, and leads from each count and section to its list', () => {
    expect(words).toContain(
      'Next: One cause explains what failed. Start with WCI-STS-004: Status of an unknown',
    );
    expect(page).toContain('href="#requirements?verdict=fail"');
    expect(page).toContain('href="#requirements?section=web-check-in%3A%20Authentication"');
  });

  it('holds the result as JSON', () => {
    const json = /<script type="application\/json" id="result">([\s\S]*?)<\/script>/.exec(page)?.[1];
    expect(JSON.parse(json ?? '')).toEqual(sampleResult());
  });

  it('leaves out what is empty, and draws the limits where they ran', () => {
    expect(page).not.toContain('id="limits"');
    const limits = {
      models: [{ name: 'rolling log', fits: true, contradictions: [] }],
      timelines: [
        {
          title: 'Burst',
          limit: 1,
          windowMs: 60_000,
          requests: [
            { atMs: 0, admitted: true },
            { atMs: 500, admitted: false },
          ],
        },
      ],
      documented: '60 per minute',
    };
    const drawn = renderHtml(sampleResult({ limits }));
    expect(drawn).toContain('Burst: 1 request admitted, 1 refused in 500 ms; the limit is 1 in 1 min');
    expect(drawn).toContain('✓ fits');
    expect(drawn).toContain('60 per minute');
  });
});
