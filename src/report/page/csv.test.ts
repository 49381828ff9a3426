import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('a table as CSV keeps commas, quotes and line ends in their cells, and nothing is a formula', () => {
  const rows = [
    ['id', 'title'],
    ['a,b', 'says "no"\nand more'],
    ['=1+1', '@x'],
    [-1.5, ''],
  ];
  expect(csvOf(rows)).toBe('id,title\r\n"a,b","says ""no""\nand more"\r\n"\'=1+1","\'@x"\r\n-1.5,\r\n');
});
