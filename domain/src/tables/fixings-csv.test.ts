import { describe, expect, it } from 'vitest';
import { mergeFixings, readFixings } from './fixings-csv.ts';

const fixing = (title: string, date: string, rate: string) => ({ title, isRetired: false, date, rate });
const errorsOf = (text: string) => {
  const read = readFixings(text);
  return read.ok ? [] : read.errors.map(({ line, message }) => `${line}: ${message}`);
};

describe('fixings as CSV', () => {
  it.each([
    ['commas', 'SOFR,2026-10-30,4.31\nSONIA,2026-10-30,3.97'],
    [
      'semicolons, decimal commas and a head',
      'Date;Base rate;Rate\r\n2026-10-30;sofr;4,31\r\n\r\n2026-10-30;SONIA;3,97 %\r\n',
    ],
    ['tabs, as a spreadsheet copies cells', 'SOFR\t2026-10-30\t4.31%\nSONIA\t2026-10-30\t3.97'],
    ['quotes and a byte-order mark', '\uFEFF"SOFR","2026-10-30","4.31"\n"SONIA","2026-10-30","3.97"'],
  ])('are read with %s', (_, text) => {
    expect(readFixings(text)).toEqual({
      ok: true,
      fixings: [fixing('SOFR', '2026-10-30', '4.31'), fixing('SONIA', '2026-10-30', '3.97')],
    });
  });

  it('names every line that is wrong, and reads none of them', () => {
    expect(
      errorsOf(
        'SOFR,2026-10-30,4.31\nEURIBOR,2026-10-30,3\nSOFR,31.10.2026,4\n\nSOFR,2026-11-01,high\nSOFR,2026-11-02\nSOFR,2026-11-03,101',
      ),
    ).toEqual([
      '2: "EURIBOR" is not one of SOFR, SONIA, LABOR',
      '3: "31.10.2026" is not a date as YYYY-MM-DD, for example 2026-10-31',
      '5: "high" is not a rate in percent, for example 4.31',
      '6: has 2 values instead of base rate, date and rate',
      '7: the rate 101 must be from -10 to 100 percent',
    ]);
  });

  it('may have each base rate once a day', () => {
    expect(errorsOf('SOFR,2026-10-30,4.31\nSOFR,2026-10-30,4.32')).toEqual(['2: repeats the fixing of line 1']);
  });

  it('are bounded in characters, lines and listed errors', () => {
    expect(errorsOf('x'.repeat(1_000_001))).toEqual(['1: is too long: at most 1000000 characters']);
    expect(errorsOf('a\n'.repeat(10_001))).toEqual(['10001: is beyond the limit of 10000 fixings']);
    expect(readFixings('a\n'.repeat(10_000))).toMatchObject({ ok: false, errorCount: 10_000, errors: { length: 50 } });
  });

  it.each(['', ' \n ', 'Base rate,Date,Rate'])('are required: %j', (text) => expect(errorsOf(text)).toHaveLength(1));
});

it('an import adds days, and replaces the rate of a day that is there', () => {
  const stored = [fixing('SOFR', '2026-10-29', '4.30'), fixing('SOFR', '2026-10-30', '4.31')];
  const imported = [
    fixing('SOFR', '2026-10-30', '4.32'),
    fixing('SOFR', '2026-10-29', '4.30'),
    fixing('SONIA', '2026-10-30', '3.97'),
  ];
  expect(mergeFixings(stored, imported)).toEqual({
    values: [
      fixing('SOFR', '2026-10-30', '4.32'),
      fixing('SONIA', '2026-10-30', '3.97'),
      fixing('SOFR', '2026-10-29', '4.30'),
    ],
    added: 1,
    changed: 1,
    unchanged: 1,
  });
});
