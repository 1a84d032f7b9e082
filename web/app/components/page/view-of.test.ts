import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { describe, expect, test } from 'vitest';
import { viewOf } from './view-of.ts';

const VIEWS = ['overview', 'history'] as const;
const at = (search: string) => viewOf(new URL(`http://localhost/funds/1${search}`), VIEWS);
const codeOf = (search: string): unknown => {
  try {
    return at(search);
  } catch (error) {
    return isRefusal(error) ? error.code : error;
  }
};

describe('the tab of an address', () => {
  test('is the first one without a view', () => {
    expect([at(''), at('?skip=50')]).toEqual(['overview', 'overview']);
  });

  test('is the one that the address names', () => {
    expect([at('?view=overview'), at('?view=history&skip=50')]).toEqual(['overview', 'history']);
  });

  test('is not found if there is none of that name', () => {
    expect([codeOf('?view=terms'), codeOf('?view='), codeOf('?view=History')]).toEqual(Array(3).fill('notFound'));
  });
});
