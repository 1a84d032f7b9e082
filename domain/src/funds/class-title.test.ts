import { expect, test } from 'vitest';
import { classTitle } from './class-title.ts';

test('the word class is not repeated', () => {
  expect(['A', 'Class A', 'Founder class', 'First-class', 'Classic'].map(classTitle)).toEqual([
    'class A',
    'Class A',
    'Founder class',
    'First-class',
    'class Classic',
  ]);
});
