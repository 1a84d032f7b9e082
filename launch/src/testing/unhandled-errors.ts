import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** Errors that belong to no test: vitest's JSON report leaves them out. They go to the file that UNHANDLED_ERRORS_FILE names. */
export default class UnhandledErrorsReporter implements Reporter {
  onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const file = process.env.UNHANDLED_ERRORS_FILE;
    if (!file) return;
    writeFileSync(file, JSON.stringify(errors.map((error) => error.stack ?? String(error.message))));
  }
}
