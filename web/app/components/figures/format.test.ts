import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatFigure,
  formatInstant,
  formatPercent,
  formatRate,
  formatShort,
  formatTotal,
  rateDigits,
  shortenName,
  singular,
  withArticle,
} from './format.ts';

describe('counts', () => {
  it('have the noun in its number', () => {
    expect(formatTotal(1, 'investors')).toBe('1 investor');
    expect(formatTotal(2, 'investors')).toBe('2 investors');
    expect(formatTotal(1, 'companies')).toBe('1 company');
    for (const [many, one] of [
      ['classes', 'class'],
      ['borrowing bases', 'borrowing base'],
      ['pool analyses', 'pool analysis'],
      ['service providers', 'service provider'],
      ['NAVs', 'NAV'],
      ['notices', 'notice'],
    ] as const) {
      expect(singular(many)).toBe(one);
    }
  });
  it('are asked for with the right article', () => {
    expect(['fund', 'entity', 'investor', 'user'].map(withArticle)).toEqual([
      'a fund',
      'an entity',
      'an investor',
      'a user',
    ]);
  });
});

describe('figures in full', () => {
  it('groups thousands and keeps every digit, far beyond a double', () => {
    expect(formatFigure('144589166123456789.10')).toBe('144,589,166,123,456,789.10');
  });
  it('leads a negative with a minus sign, not a hyphen', () => {
    expect(formatFigure('-3419525.234', 2)).toBe('−3,419,525.23');
  });
  it('shows no sign on a negative that rounds to nothing', () => {
    expect(formatFigure('-0.001', 2)).toBe('0.00');
  });
  it('pads to the digits asked for', () => {
    expect(formatFigure(5, 2)).toBe('5.00');
  });
  it('reads back to the same number whatever the integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(BigInt(formatFigure(value).replaceAll(',', '').replace('−', '-'))).toBe(value);
      }),
    );
  });
});

describe('short forms', () => {
  it.each([
    ['214880412.36', '214.9M'],
    ['-15900000', '−15.90M'],
    ['8240660.91', '8.24M'],
    ['-131250000.00', '−131.3M'],
    ['61204', '61.20K'],
    ['1500000000', '1.50B'],
    ['999', '999'],
    ['999950', '1.00M'],
    ['0', '0'],
    ['12.5', '12.50'],
  ])('%s is %s', (value, text) => {
    expect(formatShort(value)).toBe(text);
  });
  it('keeps to the digits asked for, so that a column lines up', () => {
    expect(formatShort('131250000', 2)).toBe('131.25M');
  });
});

describe('other words', () => {
  it('says per cent from points', () => expect(formatPercent('84.123', 1)).toBe('84.1%'));
  it('never rounds a stored rate', () => {
    expect(formatRate('9.125')).toBe('9.125%');
    expect(formatRate(9.125)).toBe('9.125%');
    expect(formatRate('8.30000000')).toBe('8.30%');
    expect(formatRate(0)).toBe('0.00%');
    expect(formatRate('-0.00000001')).toBe('−0.00000001%');
  });
  it('gives the rates of a column one precision', () => {
    expect(rateDigits('8.3', 9.125, null)).toBe(3);
    expect(rateDigits('85', '90.00000000')).toBe(2);
    expect(rateDigits()).toBe(2);
  });
  it('counts with the right noun', () => {
    expect(formatCount(1, 'row')).toBe('1 row');
    expect(formatCount(14650, 'row')).toBe('14,650 rows');
    expect(formatCount(2, 'entry', 'entries')).toBe('2 entries');
  });
  it('sizes files by 1024', () => {
    expect(formatBytes(6710886)).toBe('6.4 MB');
    expect(formatBytes(51200)).toBe('50.0 KB');
    expect(formatBytes(12)).toBe('12 B');
  });
  it('says how long something took', () => {
    expect(formatDuration(1234)).toBe('1.2 s');
    expect(formatDuration(72_000)).toBe('1 min 12 s');
    expect(formatDuration(7_500_000)).toBe('2 h 5 min');
  });
  it('writes an instant in UTC, so that server and browser agree', () => {
    expect(formatInstant('2026-11-02T09:14:31Z')).toBe('2 Nov 2026, 09:14');
  });
  it('cuts a long name at 30 characters, counting an emoji as one', () => {
    expect([...shortenName('🏦'.repeat(40))]).toHaveLength(30);
    expect(shortenName('Northwind')).toBe('Northwind');
  });
});
