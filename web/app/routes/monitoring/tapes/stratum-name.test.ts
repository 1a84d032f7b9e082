import type { Field } from '@tapeline/domain/filters/catalog.ts';
import type { StratumKey } from '@tapeline/domain/pools/stratification.ts';
import { describe, expect, it } from 'vitest';
import { stratumName, stratumShortName } from './stratum-name.ts';
import { vintageName } from './vintage-name.ts';

const RATE: Field = { path: 'interestRate', label: 'Interest rate', type: 'decimal', unit: '%' };
const DATE: Field = { path: 'dateFinanced', label: 'Origination date', type: 'date' };
const band = (from: string | null, below: string | null): StratumKey => ({
  kind: 'band',
  index: 0,
  band: { from, below },
});
const value = (of: string | boolean): StratumKey => ({ kind: 'value', index: 0, value: of });

describe('the name of a stratum', () => {
  it.each([
    [null, '5', 'Under 5', 'Under 5'],
    ['5', '7.5', '5 to under 7.5', '5–7.5'],
    ['10000', '12500', '10K to under 12,500', '10K–12,500'],
    ['-5', '0', '−5 to under 0', '−5–0'],
    ['1000000', null, '1M and over', '1M+'],
    [null, null, 'Known', 'Known'],
  ])('of numbers from %s to %s', (from, below, long, short) => {
    expect([stratumName(band(from, below), RATE), stratumShortName(band(from, below), RATE)]).toEqual([long, short]);
  });

  it.each([
    ['2024-01-01', '2025-01-01', '2024'],
    ['2024-04-01', '2024-07-01', 'Q2 2024'],
    ['2024-05-01', '2024-06-01', 'May 2024'],
    ['2024-01-01', '2026-01-01', '2024–2025'],
    ['2024-05-15', '2024-06-15', '15 May 2024 to before 15 Jun 2024'],
    [null, '2024-01-01', 'Before 1 Jan 2024'],
    ['2026-01-01', null, 'From 1 Jan 2026'],
  ])('of dates from %s to %s is %s', (from, below, name) => {
    expect(stratumName(band(from, below), DATE)).toBe(name);
    expect(stratumShortName(band(from, below), DATE)).toBe(name);
  });

  it('of values is what people call them', () => {
    const status: Field = { path: 'assetStatus', label: 'Asset status', type: 'text', values: ['prePaid'] };
    const type: Field = { path: 'interestRate.kind', label: 'Kind', type: 'text', values: ['fix', 'variable'] };
    const currency: Field = { path: 'currency', label: 'Currency', type: 'text', values: ['USD'] };
    const state: Field = { path: 'address.state', label: 'State', type: 'text' };
    expect(stratumName(value('prePaid'), status)).toBe('Prepaid');
    expect(stratumName(value('variable'), type)).toBe('Variable');
    expect(stratumName(value('fix'), type)).toBe('Fixed');
    expect(stratumName(value('USD'), currency)).toBe('USD');
    expect(stratumName(value('small_town'), state)).toBe('small_town');
    expect(stratumName(value(true), { path: 'isDelinquent', label: 'Late', type: 'boolean' })).toBe('Yes');
    expect(stratumName({ kind: 'other', index: 3, values: 1 }, state)).toBe('Other (1 value)');
    expect(stratumName({ kind: 'other', index: 3, values: 1234 }, state)).toBe('Other (1,234 values)');
    expect(stratumName({ kind: 'missing', index: 4 }, state)).toBe('Missing');
  });
});

it.each([
  ['all', 'All'],
  ['2024', '2024'],
  ['2024-Q3', 'Q3 2024'],
  ['2024-03', 'Mar 2024'],
])('the vintage %s is called %s', (vintage, name) => expect(vintageName(vintage)).toBe(name));
