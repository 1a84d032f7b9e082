import type { DocumentTitle } from '@tapeline/db/operations/history/document-titles.ts';
import type { Change } from '@tapeline/db/operations/history/history.ts';
import { differencesOf } from '@tapeline/domain/history/differences.ts';
import type { UpdatedField } from '@tapeline/domain/history/history.schema.ts';
import { describe, expect, it } from 'vitest';
import { changeView, lineText } from './change-view.ts';

const FUND = 'f'.repeat(24);
const COMPANY = 'c'.repeat(24);

const title = (text: string, currency: string | null = null): DocumentTitle => ({
  resource: 'funds',
  title: text,
  currency,
  code: 1,
  isStored: true,
  isRemoved: false,
});
const TITLES = new Map([
  [FUND, title('Harbour Credit Fund', 'USD')],
  [COMPANY, title('Northwind')],
]);

const change = (
  resource: string,
  updatedFields: UpdatedField[],
  operation: Change['operation'] = 'Update',
): Change => ({
  id: 'a'.repeat(24),
  resource,
  documentId: FUND,
  operation,
  updatedFields,
  differences: [...differencesOf(updatedFields)],
  changedBy: {
    agent: null,
    ip: null,
    locale: null,
    timestamp: '2026-11-20T09:14:05.120Z',
    entity: { id: 'd'.repeat(24), firstName: 'Mara', lastName: 'Holt' },
  },
  changedAt: new Date('2026-11-20T09:14:05.120Z'),
  recordedAt: new Date('2026-11-20T09:14:05.131Z'),
});

const lines = (field: string, old: unknown, now: unknown, resource = 'funds') =>
  changeView(change(resource, [{ field, old, new: now }]), TITLES, 20).lines.map(lineText);

describe('a change in words', () => {
  it.each([
    ['hardCap', '50000000', '60000000', ['Hard cap: 50,000,000 → 60,000,000 USD']],
    ['closingDate', null, '2026-12-31', ['Closing date: 31 Dec 2026 added']],
    ['publishedAt', '2026-10-31T08:00:00.000Z', null, ['Published at: 31 Oct 2026, 08:00 UTC removed']],
    ['companyId', FUND, COMPANY, ['Borrower: Harbour Credit Fund → Northwind']],
    ['gpIds', [], [COMPANY], ['General partners: Northwind added']],
    ['managerId', null, COMPANY, ['Belongs to: Northwind added']],
    ['fundId', null, 'b'.repeat(24), ['Fund: one that is not shown added']],
    ['type', 'SMA', 'ComingleFund', ['Type: SMA → Commingled fund']],
    ['isRetired', null, false, ['Added: not retired']],
    ['isRetired', null, true, ['Is retired: yes added']],
    ['isConfirmedUserDetails', false, true, ['Confirmed their details: no → yes']],
    ['description', 'Old', '', ['Description: Old → empty']],
    [
      'banks',
      [{ title: 'Main account', IBAN: 'DE1' }],
      [
        { title: 'Main account', IBAN: 'DE2' },
        { title: 'Escrow', IBAN: 'DE3' },
      ],
      ['Banks, Main account, IBAN: DE1 → DE2', 'Banks, Escrow: title Escrow, IBAN DE3 added'],
    ],
    ['domains', ['a.example', 'b.example'], ['b.example'], ['Domains: a.example removed']],
    [
      'maxCommitments',
      [{ currency: 'USD', limit: { sum: '1000', currency: 'USD' } }],
      [{ currency: 'USD', limit: { sum: '2000.5', currency: 'USD' } }],
      ['Maximum commitments, USD, Limit: 1,000 → 2,000.5 USD'],
    ],
    [
      'body',
      { advanceRate: { defaultRatePercent: 80 } },
      { advanceRate: { defaultRatePercent: 85 } },
      ['Terms, Advance rate, Default rate percent: 80 → 85%'],
    ],
    ['LPs', [COMPANY], [COMPANY, FUND], ['Investors: Harbour Credit Fund added']],
  ])('%s', (field, old, now, expected) => {
    expect(lines(field, old, now)).toEqual(expected);
  });

  it('keeps both currencies where the change replaced the currency', () => {
    const view = changeView(
      change('funds', [
        { field: 'currency', old: 'USD', new: 'EUR' },
        { field: 'hardCap', old: '50', new: '60' },
      ]),
      TITLES,
      20,
    );
    expect(view.lines.map(lineText)).toEqual(['Currency: USD → EUR', 'Hard cap: 50 USD → 60 EUR']);
  });

  it('counts the lines that it does not show, and leaves out what means nothing to a reader', () => {
    const fields = ['one', 'two', 'three', 'fence'].map((field) => ({ field, old: 'a', new: 'b' }));
    const view = changeView(change('funds', fields), TITLES, 2);
    expect(view.lines).toHaveLength(2);
    expect(view.more).toBe(1);
  });

  it('shows each entry of a list that appeared', () => {
    const banks = [
      { title: 'Main account', IBAN: 'DE1' },
      { title: 'Escrow', IBAN: 'DE2' },
    ];
    const expected = [
      'Banks, Main account: title Main account, IBAN DE1 added',
      'Banks, Escrow: title Escrow, IBAN DE2 added',
    ];
    expect(lines('banks', [], banks)).toEqual(expected);
    expect(lines('banks', null, banks)).toEqual(expected);
  });

  it('shortens long lists and texts', () => {
    const [line] = lines(
      'industries',
      null,
      Array.from({ length: 15 }, (_, n) => `Industry ${n}`),
    );
    expect(line).toMatch(/Industry 11 and 3 more added$/);
    expect(lines('description', null, 'x'.repeat(1000))[0]!.length).toBeLessThan(350);
  });

  it('carries the name and the number of each field as the API writes them', () => {
    const fields = [
      { field: 'gpIds', old: [], new: [COMPANY] },
      { field: 'hardCap', old: '50000000', new: '60000000.25' },
      { field: 'timeline', old: [{ date: '2026-01-31' }], new: [{ date: '2026-02-28' }] },
    ];
    const view = changeView(change('funds', fields), TITLES, 20);
    expect(view.lines.map(({ field, numbers }) => [field, numbers.old, numbers.new])).toEqual([
      ['GPs[0]', null, null],
      ['hardCap', '50000000', '60000000.25'],
      ['timeline[0]', null, null],
      ['timeline[0]', null, null],
    ]);
  });

  it('names who made the change, and says so if the document is not available', () => {
    expect(changeView(change('funds', []), new Map(), 5)).toMatchObject({
      by: { name: 'Mara Holt', userId: 'd'.repeat(24) },
      title: 'Fund that is not shown',
      collection: 'Fund',
      isStored: false,
    });
    const program = change('funds', []);
    const byProgram = { ...program, changedBy: { ...program.changedBy, entity: { apiName: 'Importer' } } };
    expect(changeView(byProgram, TITLES, 5).by).toEqual({ name: 'Importer', userId: null });
  });

  it('is a sentence for tapes', () => {
    const view = changeView(change('loanTapes', [{ field: 'failure', old: null, new: 'Cancelled' }]), TITLES, 5);
    expect(view.sentence).toBe('Stopped: Cancelled');
  });
});
