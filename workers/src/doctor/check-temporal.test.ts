import { expect, test } from 'vitest';
import { retentionProblem } from './check-temporal.ts';

test('a namespace that keeps workflows for more than 90 days is reported, with the command that corrects it', () => {
  const problemOf = (days: number | null) => retentionProblem(days, { temporalNamespace: 'books' });
  expect([null, 1, 30, 90].map(problemOf)).toEqual([null, null, null, null]);
  expect(problemOf(91)).toContain('temporal operator namespace update --namespace books --retention 30d');
});
