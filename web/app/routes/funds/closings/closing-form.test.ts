import { expect, it } from 'vitest';
import { closingFormDescription } from './closing-form.ts';

it('asks to choose the class of an investor, and to enter what it commits', () => {
  const { chosen } = closingFormDescription;
  expect(chosen).toContain('investors[].Class');
  expect(chosen).not.toContain('investors[].amount');
});
