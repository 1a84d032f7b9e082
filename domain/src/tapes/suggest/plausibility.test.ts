import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { describe, expect, test } from 'vitest';
import { rulesSchema } from '../rule.schema.ts';
import type { SampleCell } from './column-summary.ts';
import { type SampleColumn, suggestMapping } from './suggest-mapping.ts';

const ROWS = 40;
type Value = string | number | null;
const column = (header: string, value: (row: number) => Value, more: Partial<SampleColumn> = {}): SampleColumn => ({
  header,
  cells: Array.from({ length: ROWS }, (_, row): SampleCell => {
    const written = value(row);
    if (written === null) return { tag: CellTag.blank, value: '' };
    return { tag: typeof written === 'number' ? CellTag.number : CellTag.text, value: String(written) };
  }),
  ...more,
});
const ID = column('Loan ID', (row) => `L${row}`);
const AMOUNT = column('Original Amount', (row) => 10_000 + row * 100);
const STATUS = column('Loan Status', (row) => (row % 8 === 0 ? 'Late (31-120 days)' : 'Current'));
const suggested = (target: string, ...columns: SampleColumn[]) =>
  suggestMapping({ columns: [ID, ...columns] }).find(({ rule }) => rule.targetCol === target);

describe('a suggestion that the data contradict is off, less sure, and says why', () => {
  test('a balance above the original amount', () => {
    const found = suggested(
      'sums.outstandingSum',
      AMOUNT,
      column('Total Current Balance', (row) => 90_000 + row),
    );
    expect(found).toMatchObject({ isOn: false });
    expect(found!.confidence).toBeLessThan(0.5);
    expect(found!.reason).toContain('above the original principal in 40 of 40 rows');
    const sound = suggested(
      'sums.outstandingSum',
      AMOUNT,
      column('Current Balance', (row) => 9_000 + row),
    );
    expect(sound).toMatchObject({ isOn: true });
  });

  test('the balance of an earlier loan, which most rows do not have', () => {
    const balance = column('Principal Outstanding', (row) => (row % 5 === 0 ? 1_200 : null));
    const found = suggested('sums.outstandingPrincipal', AMOUNT, balance);
    expect(found).toMatchObject({ isOn: false });
    expect(found!.reason).toContain('only 8 of 40 rows have a value');
    expect(
      suggested(
        'sums.outstandingPrincipal',
        AMOUNT,
        column('Previous Principal Balance', () => 900),
      )?.isOn,
    ).not.toBe(true);
  });

  test('amounts that a credit bureau calls delinquent, of loans that are current', () => {
    const found = suggested(
      'sums.arrears',
      AMOUNT,
      STATUS,
      column('AmountDelinquent', (row) => (row % 5 ? 0 : 700)),
    );
    expect(found).toMatchObject({ isOn: false });
    expect(found!.reason).toContain('7 of the 8 loans with an amount are not past due');
    const own = column('Past Due Amount', (row) => (row % 8 === 0 ? 700 : 0));
    expect(suggested('sums.arrears', AMOUNT, STATUS, own)).toMatchObject({ isOn: true });
  });

  test('arrears above the balance, and a remaining term above the term', () => {
    const balance = column('Current Balance', (row) => 5_000 + row);
    const arrears = suggested(
      'sums.arrears',
      AMOUNT,
      balance,
      column('Amount in Arrears', () => 9_000),
    );
    expect(arrears?.reason).toContain('above the current balance in 40 of 40 rows');
    const term = column('Loan Term', () => 60);
    const remaining = suggested(
      'remainingTerm',
      term,
      column('Months to Maturity', () => 72),
    );
    expect(remaining).toMatchObject({ isOn: false });
    expect(remaining!.reason).toContain('above the term in 40 of 40 rows');
    expect(
      suggested(
        'remainingTerm',
        term,
        column('Months to Maturity', () => 48),
      ),
    ).toMatchObject({ isOn: true });
  });

  test('values outside the plausible range of the field', () => {
    const found = suggested(
      'daysPastDue',
      AMOUNT,
      column('Days Past Due', () => 9_999),
    );
    expect(found).toMatchObject({ isOn: false });
    expect(found!.reason).toContain('40 of 40 values are outside 0 to 3,650');
  });

  test('and its field goes to the next column', () => {
    const wrong = column('Balance', (row) => 90_000 + row);
    const right = column('Net balance', (row) => 9_000 + row);
    expect(suggested('sums.outstandingSum', AMOUNT, wrong, right)).toMatchObject({
      isOn: true,
      rule: { originCol: 'Net balance' },
    });
  });
});

test('rules of an earlier mapping are what new suggestions are held against', () => {
  const earlier = rulesSchema.parse([
    { originCol: 'Principal at start', targetCol: 'sums.sum', serializations: [{ type: 'SerializedSum' }] },
  ]);
  const columns = [ID, column('Principal at start', () => 10_000), column('Total Current Balance', () => 90_000)];
  const found = suggestMapping({ columns, earlier: [earlier] });
  expect(found.find(({ rule }) => rule.targetCol === 'sums.outstandingSum')).toMatchObject({
    isOn: false,
    reason: expect.stringContaining('above the original principal in 40 of 40 rows'),
  });
  expect(found.find(({ rule }) => rule.targetCol === 'sums.sum')).toMatchObject({ isOn: true });
});

describe('columns that only sound like a field', () => {
  const isOn = (target: string, ...columns: SampleColumn[]) => suggested(target, ...columns)?.isOn ?? false;

  test.each([
    ['the principal of a month as outstanding principal', 'sums.outstandingPrincipal', 'scheduledPrincipalAmount', 250],
    ['the amortization term as term', 'term', 'Amortization Term', 360],
    ['what is left of it as remaining term', 'remainingTerm', 'Remaining Amortization Term', 300],
    ['the kind of an asset number as asset type', 'assetType', 'assetTypeNumber', 'SPONSOR'],
    ['regions as state', 'address.state', 'Region', 'South East'],
    ['kinds of loans as asset type', 'assetType', 'Asset Type', 'Credit line'],
  ])('%s', (_, target, header, value) => {
    expect(
      suggestMapping({ columns: [ID, AMOUNT, column(header, () => value)] }).filter(
        ({ rule, isOn }) => isOn && rule.targetCol === target && rule.originCol === header,
      ),
    ).toEqual([]);
  });

  test('but states and provinces by name or code are states', () => {
    expect(
      isOn(
        'address.state',
        column('State', (row) => (row % 2 ? 'Bavaria' : 'Hesse')),
      ),
    ).toBe(true);
    expect(
      isOn(
        'address.state',
        column('Province', (row) => (row % 2 ? 'ON' : 'QC')),
      ),
    ).toBe(true);
  });
});

describe('ids are judged by all rows that were read', () => {
  const loans = (counted: SampleColumn['counted']) => column('Loan Number', (row) => `N${row}`, { counted });

  test('values that repeat below the first rows tell no assets apart', () => {
    const found = suggestMapping({ columns: [loans({ filled: 10_000, different: 3_674 }), AMOUNT] }).find(
      ({ rule }) => rule.originCol === 'Loan Number' && rule.targetCol === 'assetId',
    );
    expect(found).toMatchObject({ isOn: false });
    expect(found!.reason).toContain('only 3,674 of 10,000 values are different');
  });

  test('and then several columns together are the id', () => {
    const columns = [
      loans({ filled: 10_000, different: 3_674 }),
      column('Cut-off', (row) => 45_000 + (row % 20)),
      AMOUNT,
    ];
    const id = suggestMapping({ columns }).find(({ rule, isOn }) => isOn && rule.targetCol === 'assetId');
    expect(id?.rule.serializations.map(({ type }) => type)).toEqual(['text', 'concat', 'trim']);
  });

  test('a few that come twice are errors of the tape, not of the column', () => {
    const found = suggestMapping({ columns: [loans({ filled: 10_000, different: 9_998 }), AMOUNT] });
    expect(found.find(({ rule }) => rule.targetCol === 'assetId')).toMatchObject({ isOn: true });
  });

  test('a column is not taken for an id because its first rows differ', () => {
    const branch = column('Booking ref', (row) => `B${row}`, { counted: { filled: 10_000, different: 60 } });
    expect(suggestMapping({ columns: [branch, AMOUNT] }).find(({ rule }) => rule.originCol === 'Booking ref')).toBe(
      undefined,
    );
  });
});
