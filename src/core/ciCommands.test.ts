import { describe, expect, test } from 'vitest';
import { commandsIn } from '../../test/support/ciCommands.ts';
import { createCommandBreaker, withoutCommands } from './ciCommands.ts';

const hostile = [
  '::error::x',
  'body\n::stop-commands::x',
  'body\r::add-mask::x',
  ' \t\u00a0\u2028\u0085::set-env name=x::y',
  '\n\n  ::warning file=a::b',
  'a ##[error]x',
  'a ##[group]b ##[endgroup]',
  '##vso[task.setvariable variable=x]y',
  'in a line ##VSO[task.complete result=Succeeded]',
  "##teamcity[buildStatus text='x']",
];

describe('commands of CI services', () => {
  test.each(hostile)('%j is one, and is none when it is broken', (text) => {
    expect(commandsIn(text)).not.toEqual([]);
    expect(commandsIn(withoutCommands(text))).toEqual([]);
  });

  test.each(hostile)('%j is none in whatever pieces it is printed', (text) => {
    for (const size of [1, 2, 3, 7]) {
      const breakUp = createCommandBreaker();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(commandsIn(pieces.map(breakUp).join(''))).toEqual([]);
    }
  });

  test('the place is shown, and the value of a JSON text stays the same', () => {
    expect(withoutCommands('  ::error::a')).toBe(String.raw`  :\u003aerror::a`);
    const json = JSON.stringify({ body: '##[error]\n::debug::##vso[x]' });
    expect(JSON.parse(withoutCommands(json))).toEqual(JSON.parse(json));
  });

  test.each(['a::b', 'http://[::1]:80/', '## [x]', '# [x]', 'std::vector\n:x'])(
    '%j stays as it is',
    (text) => {
      expect(withoutCommands(text)).toBe(text);
    },
  );
});
