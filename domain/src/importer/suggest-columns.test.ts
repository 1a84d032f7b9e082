import { describe, expect, it } from 'vitest';
import { IMPORT_COLUMNS } from './columns.ts';
import { IMPORT_KINDS } from './kinds.ts';
import { mappingProblems, type SheetHeader, suggestColumns, suggestValues, withValuesBy } from './suggest-columns.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const sheet = (columns: Readonly<Record<string, readonly string[]>>): SheetHeader[] =>
  Object.entries(columns).map(([header, cells], at) => ({ header, cells, letters: LETTERS[at] ?? 'ZZ' }));

describe('suggested columns', () => {
  it.each(IMPORT_KINDS)('are those of the template for %s, in any order', (kind) => {
    const headers = IMPORT_COLUMNS[kind].toReversed().map(({ key, label, example }, at) => ({
      key,
      header: label.toUpperCase(),
      cells: [example],
      letters: `A${LETTERS[at % 26]}${LETTERS[Math.floor(at / 26)]}`,
    }));
    const { mapping, reasons } = suggestColumns(kind, headers);
    expect(mapping).toEqual(Object.fromEntries(headers.map(({ key, letters }) => [key, letters])));
    expect(new Set(Object.values(reasons))).toEqual(new Set(['template']));
  });

  it.each(IMPORT_KINDS)('are those of the payload for %s, in any order', (kind) => {
    const headers = IMPORT_COLUMNS[kind].toReversed().map(({ key, example }, at) => ({
      key,
      header: at % 2 === 0 ? key : key.replace('keyValues.', ''),
      cells: [example],
      letters: `A${LETTERS[at % 26]}${LETTERS[Math.floor(at / 26)]}`,
    }));
    const { mapping, reasons } = suggestColumns(kind, headers);
    expect(mapping).toEqual(Object.fromEntries(headers.map(({ key, letters }) => [key, letters])));
    expect(new Set(Object.values(reasons))).toEqual(new Set(['template']));
  });

  it('keep the tax id as the formal id of an investor whose file has no other, beside the record', () => {
    const register = {
      Name: ['Fjord Pension'],
      'Tax id': ['912345678'],
      LEI: ['506700GE1G29325QX363'],
      KYC: ['passed'],
    };
    const names = { entityName: 'A', formalId: 'B', lei: 'C', kycStatus: 'D' };
    expect(suggestColumns('LPs', sheet(register)).mapping).toEqual(names);
    const { Name, ...others } = register;
    const both = sheet({ Name, 'Formal id': ['1'], ...others });
    expect(suggestColumns('LPs', both).mapping).toMatchObject({ formalId: 'B', taxId: 'C', lei: 'D' });
  });

  it('are found by other names', () => {
    const headers = sheet({
      'Investor Kind': ['LP'],
      'LP ID': ['471'],
      Investor: ['Adeyemi Foundation'],
      Fund: ['3'],
      'Share Class': ['A'],
      'Closing Date': ['2026-10-30'],
      CCY: ['USD'],
      'Commitment Amount': ['1,250,000.00'],
      Remarks: ['first closing'],
      Description: ['First closing'],
    });
    expect(suggestColumns('LPCommitments', headers).mapping).toEqual({
      investorType: 'A',
      investorCode: 'B',
      investorAlso: 'C',
      fundCode: 'D',
      fundClassCode: 'E',
      date: 'F',
      currency: 'G',
      defaultValue: 'H',
      callName: 'J',
    });
  });

  it('are found in a register of funds as people keep it', () => {
    const headers = sheet({
      'Fund No.': ['7'],
      'Fund Name': ['Harbour'],
      Strategy: ['ABL'],
      'Vehicle type': ['SMA', 'Commingled fund'],
      'Share classes': ['A: Class A'],
      CCY: ['USD'],
      Target: ['$50,000,000'],
      'Hard Cap': [''],
      'Registration number': ['NC-1'],
      Jurisdiction: ['US'],
      Remarks: ['flagship'],
      'Inception date': ['31/10/2026'],
    });
    expect(suggestColumns('funds', headers).mapping).toEqual({
      code: 'A',
      title: 'B',
      strategy: 'C',
      type: 'D',
      classes: 'E',
      currency: 'F',
      targetSize: 'G',
      hardCap: 'H',
      entityFormalId: 'I',
      nationalityCountryCode: 'J',
    });
  });

  it('take a name for an investor or a fund, and no date for an amount', () => {
    const headers = sheet({ 'Investor code': ['x'], Fund: ['Harbour Credit'], Amount: ['2026-10-01'] });
    const { mapping } = suggestColumns('navs', headers);
    expect(suggestColumns('navs', sheet({ Investor: ['Fjord Pension'] })).mapping.investorType).toBeUndefined();
    expect(suggestColumns('navs', sheet({ 'Type of investor': ['Limited partner'] })).mapping.investorType).toBe('A');
    expect(mapping.fundCode).toBe('B');
    expect(mapping.defaultValue).toBeUndefined();
    // The header of the template holds whatever is below it: its cells are then named as problems.
    expect(mapping.investorCode).toBe('A');
  });

  it('repeat the latest mapping of a file with the same headers', () => {
    const headers = sheet({ 'Fund code': ['1'], X: ['2'], Currency: ['USD'] });
    const { mapping, reasons } = suggestColumns('navs', headers, { fundCode: 'B', date: 'Q' });
    expect(mapping).toEqual({ fundCode: 'B', currency: 'C' });
    expect(reasons).toEqual({ fundCode: 'earlier', currency: 'template' });
  });
});

describe('the columns of registers', () => {
  it('“Amount” and the like are not taken for the commitment, and are for what is called', () => {
    for (const header of ['Amount', 'Total amount', 'Value', 'Betrag', 'Montant', 'Balance']) {
      const headers = sheet({ Investor: ['Tern'], [header]: ['100'] });
      expect([header, suggestColumns('LPCommitments', headers).mapping.defaultValue]).toEqual([header, undefined]);
    }
    for (const header of ['Commitment', 'Commitment amount', 'Kapitalzusage', 'Engagement'])
      expect([header, suggestColumns('LPCommitments', sheet({ [header]: ['100'] })).mapping.defaultValue]).toEqual([
        header,
        'A',
      ]);
    expect(suggestColumns('contributions', sheet({ Amount: ['100'] })).mapping.defaultValue).toBe('A');
  });

  it('distinguish the date of the notice from the due date', () => {
    const dates = { 'Notice date': ['2026-09-01'], 'Due date': ['2026-09-15'] };
    expect(suggestColumns('contributions', sheet(dates)).mapping).toMatchObject({ date: 'A', dueDate: 'B' });
    // A distribution is paid on its date.
    expect(suggestColumns('distributions', sheet({ 'Payment date': ['2026-09-15'] })).mapping.date).toBe('A');
  });

  it('distinguish a code from a name, and a column of IBANs or account numbers from one of IBANs', () => {
    const headers = sheet({ Investor: ['Tern'], 'Ext. code': ['TPF-01'] });
    expect(suggestColumns('navs', headers).mapping).toMatchObject({ investorCode: 'A', investorAlso: 'B' });
    expect(suggestColumns('LPs', sheet({ 'IBAN / account': ['000123'] })).mapping).toEqual({
      'bank.ibanOrAccount': 'A',
    });
    expect(suggestColumns('LPs', sheet({ IBAN: ['DE89'] })).mapping).toEqual({ 'bank.IBAN': 'A' });
  });
});

describe('a mapping', () => {
  it('needs no column that another one replaces, or whose values depend on another column', () => {
    const has = (...letters: string[]) => new Set(letters);
    const users = { fullName: 'A', email: 'B', LPCode: 'C' };
    expect(mappingProblems('users', users, has('A', 'B', 'C'))).toEqual({});
    const calls = { investorAlso: 'A', dueDate: 'B', callName: 'C', defaultValue: 'D' };
    const values = { investorType: 'LP', currency: 'EUR' };
    expect(Object.keys(mappingProblems('contributions', calls, has('A', 'B', 'C', 'D'), values))).toEqual(['fundCode']);
    const by = withValuesBy(values, { fundCode: {} });
    expect(mappingProblems('contributions', calls, has('A', 'B', 'C', 'D'), by)).toEqual({});
  });

  const known = new Set(['A', 'B', 'C', 'D']);
  const complete = { firstName: 'A', lastName: 'B', email: 'C', LPCode: 'D' };

  it('is complete if every required column is read', () => {
    expect(mappingProblems('users', complete, known)).toEqual({});
    const { email: _, ...rest } = complete;
    expect(mappingProblems('users', rest, known)).toEqual({ email: 'is required: choose the column of the file' });
  });

  it('can have one value for all rows instead of a column', () => {
    const { LPCode: _, ...rest } = complete;
    expect(mappingProblems('users', rest, known, { LPCode: '12' })).toEqual({});
    const ofNavs = { ...Object.fromEntries(IMPORT_COLUMNS.navs.map(({ key }) => [key, key])) };
    const { investorType: __, ...navs } = ofNavs;
    const all = new Set(Object.values(ofNavs));
    expect(mappingProblems('navs', navs, all, { investorType: 'lp' })).toEqual({});
    expect(mappingProblems('navs', navs, all, { investorType: 'bank' })).toEqual({
      investorType: 'must be one of fund, LP',
    });
    expect(suggestValues('navs', navs)).toEqual({ investorType: 'LP' });
    expect(suggestValues('navs', ofNavs)).toEqual({});
    expect(suggestValues('users', {})).toEqual({});
  });

  it('reads each column of the file once', () => {
    expect(mappingProblems('users', { ...complete, LPCode: 'A' }, known)).toEqual({
      LPCode: 'is read from the same column as First name',
    });
    expect(mappingProblems('users', { ...complete, LPCode: 'E' }, known)).toEqual({
      LPCode: 'is not a column of the file',
    });
  });
});
