import { expect, test } from 'vitest';
import { checkFailure, failedFiles, failedTests, listFailures, passedTests, suiteFailures } from './failures.ts';

const passed = { status: 'passed', title: 'adds', ancestorTitles: [], failureMessages: [] };
const failed = {
  status: 'failed',
  title: 'rounds half to even',
  ancestorTitles: ['money'],
  failureMessages: [
    'AssertionError: expected 3 to be 2\n\n    at /home/me/money.test.ts:3:4\n    at run (/home/me/node_modules/vitest/a.js:1:1)',
    'another',
  ],
};
const report = (...testResults: object[]) => JSON.stringify({ testResults });
const file = (name: string, change: object = {}) => ({
  name: `/home/me/${name}`,
  status: 'passed',
  message: '',
  assertionResults: [passed],
  ...change,
});
const quiet = { exitCode: 1, unhandled: [], tail: ['one', 'two'] };

test('a failed test is named by its file, group and title, with the first lines of each error', () => {
  const text = report(
    file('sum.test.ts'),
    file('money.test.ts', { status: 'failed', assertionResults: [passed, failed] }),
  );
  expect(failedTests(text, '/home/me')).toEqual([
    {
      name: 'money.test.ts > money > rounds half to even',
      lines: ['AssertionError: expected 3 to be 2', '    at /home/me/money.test.ts:3:4', 'another'],
    },
  ]);
});

test('the files to repeat are those that failed, and a file counts as passed only as a whole', () => {
  const text = report(
    file('sum.test.ts'),
    file('money.test.ts', { status: 'failed', assertionResults: [passed, failed] }),
    file('broken.test.ts', { status: 'failed', message: 'Cannot find module', assertionResults: [] }),
  );
  expect(failedFiles(text, '/home/me')).toEqual(['money.test.ts', 'broken.test.ts']);
  expect(failedFiles(null, '/home/me')).toEqual([]);
  expect([...passedTests(text, '/home/me')]).toEqual(['sum.test.ts', 'sum.test.ts > adds', 'money.test.ts > adds']);
});

test('a file that cannot be loaded is named with what it said', () => {
  const broken = file('broken.test.ts', { status: 'failed', message: 'Cannot find module', assertionResults: [] });
  expect(failedTests(report(broken), '/home/me')).toEqual([{ name: 'broken.test.ts', lines: ['Cannot find module'] }]);
});

test('only a few lines of an error are shown, without colours, and none without end', () => {
  const long = `\u001b[31mfirst\u001b[39m\n${'x'.repeat(500)}\n${'more\n'.repeat(30)}`;
  const text = report(file('a.test.ts', { assertionResults: [{ ...failed, failureMessages: [long] }] }));
  const lines = failedTests(text, '/home/me')?.[0]?.lines ?? [];
  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe('first');
  expect(lines[1]).toHaveLength(201);
});

test('a suite that ended well has no failures, and one that ended badly always has one', () => {
  expect(suiteFailures('unit', { ...quiet, exitCode: 0, report: report(file('a.test.ts')) }, '/home/me')).toEqual([]);
  expect(suiteFailures('unit', { ...quiet, report: null }, '/home/me')).toEqual([
    { name: 'unit tests', lines: ['one', 'two'] },
  ]);
  expect(suiteFailures('unit', { ...quiet, report: '{"half' }, '/home/me')).toHaveLength(1);
});

test('errors outside of every test stand beside the failed tests', () => {
  const run = {
    ...quiet,
    report: report(file('m.test.ts', { assertionResults: [failed] })),
    unhandled: ['Error: late'],
  };
  expect(suiteFailures('unit', run, '/home/me').map(({ name }) => name)).toEqual([
    'm.test.ts > money > rounds half to even',
    'unit tests > an error outside of every test',
  ]);
});

test('the list has one block for each failure', () => {
  const failures = [checkFailure('types', ['', 'a.ts(1,2): error', '']), { name: 'unit tests', lines: [] }];
  expect(listFailures(failures)).toBe('FAILED types\n    a.ts(1,2): error\nFAILED unit tests');
});
