import { expect, test } from 'vitest';
import { orderProblem, retentionProblem } from './check-temporal.ts';

test('a namespace that keeps workflows for more than 90 days is reported, with the command that corrects it', () => {
  const problemOf = (days: number | null) => retentionProblem(days, { temporalNamespace: 'books' });
  expect([null, 1, 30, 90].map(problemOf)).toEqual([null, null, null, null]);
  expect(problemOf(91)).toContain('temporal operator namespace update --namespace books --retention 30d');
});

/** As servers gave them out: o one tenant’s, a another’s, w urgent. */
const given = (letters: string) =>
  [...letters].map((letter) => ({ o: 'one', a: 'another', w: 'urgent' })[letter] as 'one' | 'another' | 'urgent');

test('a server without priorities or fairness is reported, with the settings that turn them on', () => {
  expect(orderProblem(given('owaoaoaoaoooooooo'))).toBeNull();
  // Several partitions of the queue, each of which is fair for itself.
  expect(orderProblem(given('oaoowaooaooaooooo'))).toBeNull();
  const unfair = orderProblem(given('owooooooooooaoaaa'));
  expect(unfair).toContain('matching.enableFairness: true');
  expect(unfair).not.toContain('useNewMatcher');
  const neither = orderProblem(given('ooooooooooooaaaaw'));
  expect(neither).toContain('priorities (matching.useNewMatcher: true) and fairness (matching.enableFairness: true)');
  expect(orderProblem(given('oow'))).toContain('gave out 3 of 17 tasks within 20 seconds');
});
