import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayAndSecond, isoToSerial, serialToIso } from './date-serial.ts';

test.each([
  [1900, 0, '1899-12-31'],
  [1900, 1, '1900-01-01'],
  [1900, 59, '1900-02-28'],
  [1900, 61, '1900-03-01'],
  [1900, 46_203, '2026-06-30'],
  [1900, 46_203.5, '2026-06-30 12:00:00'],
  [1900, 2_958_465, '9999-12-31'],
  [1904, 0, '1904-01-01'],
  [1904, 44_741, '2026-06-30'],
  [1904, 2_957_003, '9999-12-31'],
] as const)('in the %i system serial %d is %s', (epoch, serial, iso) => {
  expect(serialToIso(serial, epoch)).toBe(iso);
  expect(isoToSerial(iso.replace(' ', 'T'), epoch)).toBe(serial);
});

test('serial 60 of the 1900 system is shown as 29 February 1900, which no ISO date converts to', () => {
  expect(serialToIso(60, 1900)).toBe('1900-02-29');
  expect(isoToSerial('1900-02-29', 1900)).toBeUndefined();
  expect(serialToIso(60, 1904)).toBe('1904-03-01');
});

test('a serial just below a day is that day', () => {
  expect(serialToIso(42_988.999_999_999_99, 1900)).toBe('2017-09-11');
  expect(dayAndSecond(42_988.999_999_999_99)).toEqual({ day: 42_989, second: 0 });
  expect(dayAndSecond(42_988.999_99)).toEqual({ day: 42_988, second: 86_399 });
  expect(serialToIso(2_958_465.999_999_999, 1900)).toBeUndefined();
});

test('serials outside the calendar are not dates', () => {
  expect([-1, 2_958_466, Number.NaN, Number.POSITIVE_INFINITY].map((serial) => serialToIso(serial, 1900))).toEqual(
    Array(4).fill(undefined),
  );
  expect(serialToIso(2_957_004, 1904)).toBeUndefined();
  for (const text of ['2026-02-30', '2026-13-01', '30/06/2026', '', '1899-12-30']) {
    expect(isoToSerial(text, 1900), text).toBeUndefined();
  }
  expect(isoToSerial('1903-12-31', 1904)).toBeUndefined();
});

test('property: a serial to the second can be shown and read back', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1900 as const, 1904 as const),
      fc.integer({ min: 61, max: 2_957_003 }),
      fc.integer({ min: 0, max: 86_399 }),
      (epoch, days, seconds) => {
        const shown = serialToIso(days + seconds / 86_400, epoch)!;
        expect(isoToSerial(shown, epoch)).toBeCloseTo(days + seconds / 86_400, 9);
      },
    ),
  );
});
