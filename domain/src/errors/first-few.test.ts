import { expect, test } from 'vitest';
import { firstFew } from './first-few.ts';

test.each([
  [['Alpha', 'Beta'], { most: 2 }, 'Alpha, Beta'],
  [['Alpha', 'Beta', 'Gamma'], { most: 2 }, 'Alpha, Beta and 1 more'],
  [['Alpha', 'Beta', 'Gamma'], { most: 2, separator: '; ' }, 'Alpha; Beta; and 1 more'],
  [['Alpha', 'Beta', 'Gamma'], { most: 2, separator: '\n' }, 'Alpha\nBeta\nand 1 more'],
  [['Alpha', 'Beta'], { most: 2, total: 2 }, 'Alpha, Beta'],
  [['Alpha', 'Beta'], { most: 2, total: 1_202 }, 'Alpha, Beta and 1,200 more'],
  [[], { most: 2 }, ''],
])('of %j, %j are named: %s', (items, list, text) => {
  expect(firstFew(items, list)).toBe(text);
});
