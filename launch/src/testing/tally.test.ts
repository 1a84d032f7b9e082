import { expect, test } from 'vitest';
import { addTallies, closingLine, tallySuite } from './tally.ts';

const report = (change: object) =>
  JSON.stringify({
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    ...change,
  });

test('passed, failed and skipped tests are counted as reported', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }];
  expect(tallySuite(report({ numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults }), 1)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 3,
  });
});

test('a file that cannot be loaded is a failure although no test of it failed', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(tallySuite(report({ testResults }), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a suite that ran nothing, left no report or a broken one, or ended badly in silence has failed', () => {
  expect(tallySuite(report({ numPassedTests: 0 }), 0).failed).toBe(1);
  expect(tallySuite(null, 1).failed).toBe(1);
  expect(tallySuite('{"half', 0).failed).toBe(1);
  expect(tallySuite(report({}), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('the closing line adds up all suites and names skipped tests only where there are some', () => {
  const clean = addTallies([
    { passed: 2, failed: 0, skipped: 0 },
    { passed: 40, failed: 0, skipped: 0 },
  ]);
  expect(closingLine(clean)).toBe('42 passed, 0 failed');
  expect(closingLine(addTallies([clean, { passed: 0, failed: 1, skipped: 5 }]))).toBe('42 passed, 1 failed, 5 skipped');
});
