import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/**
 * Writes errors that belong to no test to the file in UNHANDLED_ERRORS_FILE, because vitest's JSON report omits them.
 */
export default class UnhandledErrorsReporter implements Reporter {
  onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const file = process.env.UNHANDLED_ERRORS_FILE;
    if (!file) return;
    writeFileSync(file, JSON.stringify(errors.map((error) => error.stack ?? String(error.message))));
  }
}
