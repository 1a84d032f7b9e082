import { z } from 'zod';
import { readReport } from './report.ts';

/** How many checks and tests passed, failed or were skipped. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of vitest's JSON report that is needed for counting. */
const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/**
 * Counts one suite. A file that could not be loaded has no failed test and counts as one failure. So does a suite that
 * ran no tests, left no readable report, or exited with an error although every test passed (an unhandled error).
 */
export function tallySuite(reportText: string | null, exitCode: number): Tally {
  const report = readReport(reportSchema, reportText);
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + brokenFiles;
  const ranNothing = passed + failed === 0;
  const hiddenFailure = failed === 0 && exitCode !== 0;
  return {
    passed,
    failed: failed + (ranNothing || hiddenFailure ? 1 : 0),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const tally of tallies) {
    sum.passed += tally.passed;
    sum.failed += tally.failed;
    sum.skipped += tally.skipped;
  }
  return sum;
}

/** The final line: `12 passed, 0 failed`, followed by `, 1 skipped` if any were skipped. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
