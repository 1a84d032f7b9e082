import { readdir } from 'node:fs/promises';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { applyFix } from '@tapeline/domain/tapes/check-fixes.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Checker, openChecker } from './testing/checked-file.ts';

const HEADER = 'Loan,Balance,Status,Rate,Opened,Score';
const RULES: RuleInput[] = [
  { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
  {
    originCol: 'Balance',
    targetCol: 'sums.outstandingSum',
    checks: ['Mandatory'],
    serializations: [{ type: 'SerializedSum', currency: 'USD' }],
    validations: [{ kind: 'minNumber', value: 0 }],
  },
  { originCol: 'Status', targetCol: 'assetStatus', serializations: [{ type: 'assetStatus' }] },
  {
    originCol: 'Rate',
    targetCol: 'interestRate',
    serializations: [{ type: 'SerializedInterest', scale: 'zeroTo100' }],
  },
  { originCol: 'Opened', targetCol: 'dateFinanced', serializations: [{ type: 'date', format: 'ISO' }] },
  {
    originCol: 'Score',
    targetCol: 'creditScores.current',
    serializations: [{ type: 'number' }],
    onUnreadable: 'empty',
  },
];
const fine = (at: number) => `L${at},${100 + at},current,5.5,2020-01-31,700`;
const linesOf = (count: number, change: (at: number) => string | null = () => null) => [
  HEADER,
  ...Array.from({ length: count }, (_, at) => change(at) ?? fine(at)),
];

let checker: Checker;
beforeAll(async () => {
  checker = await openChecker();
});
afterAll(() => checker.close());

describe('the check of a file', () => {
  it('counts what every row becomes, with the balance of the assets, and leaves no file', async () => {
    const found = await checker.check(linesOf(100), RULES);
    expect(found).toEqual({
      sheetName: 'CSV',
      rows: 100,
      blankRows: 0,
      assets: 100,
      errored: 0,
      warned: 0,
      groups: [],
      moreGroups: 0,
      balances: [{ sum: '14950', currency: 'USD' }],
    });
    expect((await readdir(checker.folder)).filter((name) => name.startsWith('job-'))).toEqual([]);
  });

  it('groups the same value of a rule, and gives the first rows of it', async () => {
    const lines = linesOf(90, (at) => (at % 3 === 1 ? `L${at},${at},in delay,5,2020-01-31,700` : null));
    const found = await checker.check(lines, RULES);
    expect(found).toMatchObject({ assets: 60, errored: 30, warned: 0 });
    expect(found.groups).toEqual([
      {
        kind: 'error',
        rule: 3,
        column: 'Status',
        target: 'assetStatus',
        label: 'Asset status',
        code: 'notConverted',
        reason: 'is not an asset status',
        value: 'in delay',
        count: 30,
        rows: Array.from({ length: 10 }, (_, at) => ({
          row: 3 + 3 * at,
          value: 'in delay',
          reason: '"in delay" is not an asset status',
        })),
        fixes: [
          { kind: 'omit', value: 'in delay' },
          { kind: 'status', value: 'in delay' },
          { kind: 'leaveEmpty', value: null },
        ],
      },
    ]);
  });

  it('groups many different values by their reason alone', async () => {
    const lines = linesOf(100, (at) => (at % 2 ? `L${at},${at},current,5,on day ${at},700` : null));
    const { groups } = await checker.check(lines, RULES);
    expect(groups).toMatchObject([
      {
        rule: 5,
        code: 'notConverted',
        reason: 'is not a date in the expected format',
        value: null,
        count: 50,
        fixes: [{ kind: 'leaveEmpty', value: null }],
      },
    ]);
    expect(groups[0]?.rows[0]).toEqual({
      row: 3,
      value: 'on day 1',
      reason: '"on day 1" is not a date in the expected format',
    });
  });

  it('tells the commonest values apart, and puts the others together', async () => {
    const lines = linesOf(100, (at) =>
      at < 60 ? `L${at},${at},${at % 2 ? 'late' : 'Odd'},5,2020-01-31,700` : `L${at},${at},s${at},5,2020-01-31,700`,
    );
    const { groups } = await checker.check(lines, RULES);
    expect(groups.map(({ value, count }) => [value, count]).toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      ['Odd', 30],
      ['late', 30],
      [null, 40],
    ]);
    const others = groups.find(({ value }) => value === null);
    expect(others?.rows.map(({ value }) => value)).not.toContain('late');
  });

  it('finds an id twice in different batches, whichever row has it', async () => {
    const found = await checker.check(
      linesOf(100, (at) => (at === 95 ? fine(3) : null)),
      RULES,
    );
    expect(found).toMatchObject({ assets: 99, errored: 1 });
    expect(found.groups).toMatchObject([
      {
        rule: 1,
        code: 'notUnique',
        reason: 'is already used by an earlier row',
        count: 1,
        rows: [{ row: 97, reason: 'Asset id L3 is already used by row 5' }],
        fixes: [],
      },
    ]);
  });

  it('tells a missing value, a failed validation, a row with too many fields and warnings apart', async () => {
    const lines = linesOf(100, (at) => {
      if (at === 10) return 'L10,,current,5,2020-01-31,700';
      if (at === 20) return 'L20,-5,current,5,2020-01-31,700';
      if (at === 30) return 'L30,1,current,5,2020-01-31,700,7,8';
      if (at === 40) return 'L40,1,current,500,2020-01-31,700';
      if (at > 50 && at < 55) return `L${at},1,current,5,2020-01-31,none`;
      return null;
    });
    const found = await checker.check(lines, RULES);
    expect(found).toMatchObject({ rows: 100, assets: 97, errored: 3, warned: 5 });
    const told = found.groups.map(({ kind, rule, code, reason, value, count, fixes }) => ({
      kind,
      rule,
      code,
      reason,
      value,
      count,
      fixes: fixes.map((fix) => fix.kind),
    }));
    expect(told.toSorted((a, b) => a.code.localeCompare(b.code))).toEqual([
      {
        kind: 'warning',
        rule: 4,
        code: 'implausible',
        reason: 'is outside the plausible range (0.25% to 100%, or 0)',
        value: '500',
        count: 1,
        fixes: [],
      },
      {
        kind: 'error',
        rule: 0,
        code: 'misfit',
        reason: 'has more fields than the header: put quotes around a value that holds the delimiter',
        value: null,
        count: 1,
        fixes: [],
      },
      { kind: 'error', rule: 2, code: 'missing', reason: 'is missing', value: null, count: 1, fixes: [] },
      { kind: 'warning', rule: 6, code: 'unread', reason: 'is not a number', value: 'none', count: 4, fixes: ['omit'] },
      { kind: 'error', rule: 2, code: 'validation', reason: 'is below 0', value: '-5', count: 1, fixes: [] },
    ]);
    expect(found.groups.map(({ kind }) => kind)).toEqual(['error', 'error', 'error', 'warning', 'warning']);
  });

  it('blames the column that a step names, and offers no change of the other', async () => {
    const rules: RuleInput[] = [
      RULES[0]!,
      {
        originCol: 'Balance',
        targetCol: 'sums.sum',
        serializations: [{ type: 'SerializedSum', currencyColumn: 'Status' }],
      },
    ];
    const { groups } = await checker.check(linesOf(10), rules);
    expect(groups).toMatchObject([
      { rule: 2, code: 'notConverted', count: 10, value: null, fixes: [{ kind: 'leaveEmpty' }] },
    ]);
  });

  it('refuses a file that cannot be read, has no rows, or lacks a column', async () => {
    await expect(checker.check([HEADER], RULES)).rejects.toSatisfy(isRefusal);
    await expect(checker.check(['Loan,Balance', 'L1,5'], RULES)).rejects.toSatisfy(isRefusal);
  });

  it('lists 200 groups at most, and counts the others', async () => {
    const headers = Array.from({ length: 230 }, (_, at) => `c${at}`);
    const rules: RuleInput[] = [
      RULES[0]!,
      ...headers.map(
        (name): RuleInput => ({ originCol: name, targetCol: `x${name}`, serializations: [{ type: 'number' }] }),
      ),
    ];
    const lines = [
      ['Loan', ...headers].join(),
      ...Array.from({ length: 4 }, (_, at) => [`L${at}`, ...headers.map((name) => `no ${name} ${at}`)].join()),
    ];
    const { groups, moreGroups } = await checker.check(lines, rules);
    expect([groups.length, moreGroups]).toEqual([200, 30]);
  });

  it('stops when its caller leaves, and leaves no file', async () => {
    const gone = new AbortController();
    const stopped = checker.check(linesOf(4_000), RULES, {
      signal: gone.signal,
      onRead: () => gone.abort(new Error('the caller left')),
    });
    await expect(stopped).rejects.toThrow('the caller left');
    expect((await readdir(checker.folder)).filter((name) => name.startsWith('job-'))).toEqual([]);
  });
});

/** A small tape of loans in Africa: some end dates are no dates. */
const NAMIBIA = [
  'Loan,Country,Balance,Currency,Signed,Ends',
  'IB1,NA,1000.50,USD,2025-01-06,2031-05-15',
  'IB2,KE,2000.50,USD,2025-02-05,in delay',
  'IB3,NG,3000.50,USD,2025-03-07,',
  'IB4,NA,4000.50,USD,2025-04-06,2029-11-01',
  'IB5,ZA,5000.50,USD,2025-05-06,in delay',
  'IB6,KE,6000.50,USD,2025-06-05,2030-01-15',
];

it('a cell of an optional field that cannot be read is a warning of its asset', async () => {
  const found = await checker.check(NAMIBIA, [
    { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
    { originCol: 'Country', targetCol: 'address.country', serializations: [{ type: 'text' }] },
    {
      originCol: 'Balance',
      targetCol: 'sums.outstandingSum',
      checks: ['Mandatory'],
      serializations: [{ type: 'SerializedSum', currencyColumn: 'Currency' }],
    },
    {
      originCol: 'Ends',
      targetCol: 'dates.maturityDate',
      serializations: [{ type: 'date', format: 'ISO' }],
      onUnreadable: 'empty',
    },
  ]);
  expect(found).toMatchObject({
    rows: 6,
    assets: 6,
    errored: 0,
    warned: 2,
    balances: [{ sum: '21003', currency: 'USD' }],
    groups: [{ kind: 'warning', code: 'unread', value: 'in delay', count: 2, rows: [{ row: 3 }, { row: 6 }] }],
  });
});

describe('the fix of a group', () => {
  it('corrects all rows of it', async () => {
    const lines = linesOf(90, (at) => {
      if (at % 3 === 1) return `L${at},${at},in delay,5,2020-01-31,nothing`;
      return at % 3 === 2 ? `L${at},${at},current,5,${at % 2 ? 'soon' : '#N/A'},700` : null;
    });
    const before = await checker.check(lines, RULES);
    expect(before).toMatchObject({ errored: 60, warned: 0 });
    const fixes = before.groups.flatMap(({ rule, value, fixes: offered }) =>
      offered.map((fix) => ({ rule, value, fix, status: fix.kind === 'status' ? ('delinquent' as const) : undefined })),
    );
    expect(new Set(fixes.map(({ fix }) => fix.kind))).toEqual(new Set(['omit', 'status', 'leaveEmpty']));
    for (const { rule, value, fix, status } of fixes) {
      const changed = applyFix(RULES[rule - 1], fix, status);
      const fixed = RULES.map((each, index): RuleInput => (index === rule - 1 ? { ...each, ...changed } : each));
      const { groups } = await checker.check(lines, fixed);
      const left = groups.filter((each) => each.kind === 'error' && each.rule === rule && each.value === value);
      expect([fix, left]).toEqual([fix, []]);
    }
  });
});

describe('the counts of untidy files', () => {
  const CELLS = [
    ['L', '', ' ', 'L1', '#N/A'],
    ['100', '1,000.50', '(5)', '-3', '1e400', 'n/a', '', '12 USD', '5%'],
    ['current', 'Paid', 'in delay', '', '#REF!', '30 dpd', 'late', 'CURRENT '],
    ['5', '0.05', '-1', '500', '5%', 'x', ''],
    ['2020-01-31', '31/01/2020', '1850-01-01', '', 'x', '44000', '2020-02-30'],
    ['700', '20', '', 'none', '"7,5"', '1 000'],
  ];
  /** Numbers that look random and are the same in every run. */
  const seeded = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };

  it.each([1, 2, 3, 4, 5, 6])('are those of the tape that is processed (%i)', async (seed) => {
    const random = seeded(seed);
    const any = (cells: readonly string[]) => cells[Math.floor(random() * cells.length)] ?? '';
    const lines = linesOf(300, (at) => {
      if (random() < 0.05) return '';
      if (random() < 0.4) return null;
      const cells = CELLS.map((values, column) => (random() < 0.8 ? (fine(at).split(',')[column] ?? '') : any(values)));
      return [...cells, ...(random() < 0.02 ? ['more', 'still'] : [])].join();
    });
    const rules = RULES.map(
      (rule): RuleInput => ({ ...rule, onUnreadable: random() < 0.5 ? 'empty' : (rule.onUnreadable ?? 'error') }),
    );
    const expected = await checker.processed(lines, rules);
    const { rows, assets, errored, warned, groups } = await checker.check(lines, rules);
    expect({ rows, assets, errored, warned }).toEqual(expected);
    expect(assets + errored).toBe(rows);
    expect(expected.errored).toBeGreaterThan(0);
    expect(
      groups.filter(({ kind }) => kind === 'error').reduce((sum, { count }) => sum + count, 0),
    ).toBeGreaterThanOrEqual(errored);
  });
});
