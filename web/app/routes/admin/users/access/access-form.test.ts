import { expect, test } from 'vitest';
import { listsOf } from './access-form.ts';

test('choices become entries, and entries for documents are kept', () => {
  const document = `funds/${'a'.repeat(24)}`;
  const kept = { exclusiveResources: ['LPs/read', document], inclusiveResources: ['funds/write'] };
  expect(listsOf(['', '+repayments/write', '-users/read', ''], kept)).toEqual({
    exclusiveResources: [document, 'users/read'],
    inclusiveResources: ['repayments/write'],
  });
  expect(listsOf([], kept)).toEqual({ exclusiveResources: [document], inclusiveResources: [] });
});
