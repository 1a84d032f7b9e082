import { expect, test } from 'vitest';
import { futureWarning } from './warnings.ts';

test.each([
  // At 09:59 UTC, it is still the 26th everywhere.
  ['2026-11-26T09:59:59Z', '2026-11-26', null],
  ['2026-11-26T09:59:59Z', '2026-11-27', 'The tape of 27 Nov 2026 is in the future.'],
  ['2026-11-26T10:00:00Z', '2026-11-27', null],
  ['2026-11-26T10:00:00Z', '2026-11-28', 'The tape of 28 Nov 2026 is in the future.'],
])('at %s, a tape of %s: %s', (now, day, warning) => {
  expect(futureWarning('The tape', day, new Date(now))).toBe(warning);
});
