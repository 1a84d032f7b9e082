import { expect, test } from 'vitest';
import { classNameOf, classTitle } from './class-title.ts';

test('the word class is not repeated', () => {
  expect(['A', 'Class A', 'Founder class', 'First-class', 'Classic'].map(classTitle)).toEqual([
    'class A',
    'Class A',
    'Founder class',
    'First-class',
    'class Classic',
  ]);
});

test('a class is named by its name, a removed one by its key unless that was generated', () => {
  const classes = [{ name: 'Class A', uniqueKey: 'HCF2-A' }];
  expect(classNameOf(classes, 'HCF2-A')).toBe('Class A');
  expect(classNameOf(classes, 'HCF2-B')).toBe('HCF2-B');
  expect(classNameOf(classes, '65f0c0ffee0000000000000a')).toBe('Removed class');
  expect(classNameOf(classes, null)).toBeNull();
});
