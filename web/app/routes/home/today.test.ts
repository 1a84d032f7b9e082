import type { Approval } from '@tapeline/db/operations/approvals/approvals.ts';
import { describe, expect, test } from 'vitest';
import {
  byUrgency,
  covenantItem,
  decisionItem,
  deficitItem,
  duplicatesItem,
  installationItems,
  invoiceItem,
  limitItem,
  pickToday,
  type TodayItem,
  tapeItem,
  todaySummary,
  wrongTapeItem,
} from './today.ts';

const TODAY = '2026-11-05';
const draw: Approval = {
  kind: 'draw',
  id: 'd',
  number: '5',
  parentId: null,
  party: 'Castelo Mortgages',
  detail: 'Senior',
  amounts: [{ sum: '4000000', currency: 'EUR' }],
  count: null,
  by: 'Inês Duarte',
  since: '2026-11-03T10:42:00Z',
  due: '2026-11-09',
  exceptions: [],
  isProcessing: false,
  status: 'Pending',
  decidedAt: null,
  decidedBy: null,
  secondPerson: null,
};
const tape = {
  companyId: 'c',
  companyName: 'Alder Auto',
  cutOffDate: '2026-10-31',
  dueDate: '2026-11-03',
  latestTape: '2026-09-30',
  daysLeft: -2,
};
const deficit = {
  noteId: 'n',
  transaction: 't',
  company: 'Alder Auto',
  noteTitle: 'Senior',
  availability: { sum: '-310442.18', currency: 'USD' },
  cutOffDate: '2026-09-30',
};

describe('an item says what, how much, who, until when, and has one action', () => {
  test('a draw to decide', () => {
    expect(decisionItem(draw, TODAY)).toMatchObject({
      urgency: 'decide',
      title: 'Draw 5',
      note: 'Castelo Mortgages, Senior',
      amounts: [{ sum: '4000000', currency: 'EUR' }],
      who: 'Inês Duarte',
      whoNote: 'requested 3 Nov',
      when: 'By 9 Nov',
      // Its question is open, so that one decision ends it.
      action: { label: 'Review', to: '/approvals/draw/d?confirm=approve' },
    });
  });

  test('a draw with an exception opens without its question', () => {
    expect(decisionItem({ ...draw, exceptions: ['Due date'] }, TODAY)).toMatchObject({
      action: { label: 'Review', to: '/approvals/draw/d' },
    });
  });

  test.each([
    ['2026-11-04', 'late', '1 day late', 'danger'],
    ['2026-11-05', 'decide', 'Today', 'warning'],
    ['2026-11-06', 'decide', 'Tomorrow', null],
    ['2027-01-05', 'decide', 'By 5 Jan 2027', null],
    [null, 'decide', 'No due date', null],
  ] as const)('due %s is %s', (due, urgency, when, whenTone) => {
    expect(decisionItem({ ...draw, due }, TODAY)).toMatchObject({ urgency, when, whenTone });
  });

  test('a late tape is asked of its borrower, who uploads it', () => {
    expect(tapeItem(tape, TODAY, false)).toMatchObject({
      urgency: 'late',
      label: 'Tape late',
      title: 'Alder Auto, cut-off 31 Oct',
      when: '2 days late',
      whenNote: 'due 3 Nov',
      action: { to: '/monitoring/companies/c' },
    });
    expect(tapeItem({ ...tape, daysLeft: 1 }, TODAY, true)).toMatchObject({
      urgency: 'decide',
      label: 'Tape due',
      title: 'Upload the tape for 31 Oct 2026',
      when: 'In 1 day',
      action: { label: 'Upload', to: '/monitoring/tapes/new?company=c' },
    });
  });

  test('a failed tape is late, a question is to be answered, errored rows are to be watched', () => {
    const wrong = { id: 't', name: 'n.xlsx', company: 'Northwind', failure: 'The sheet is empty.', errored: 15 };
    expect(wrongTapeItem({ ...wrong, state: 'Failed' })).toMatchObject({
      urgency: 'late',
      note: 'The sheet is empty.',
    });
    expect(wrongTapeItem({ ...wrong, state: 'Question' })).toMatchObject({ urgency: 'decide' });
    expect(wrongTapeItem({ ...wrong, state: 'Completed' })).toMatchObject({
      urgency: 'watch',
      note: '15 rows are left out',
      action: { to: '/monitoring/tapes/t?view=errored#errored-rows' },
    });
  });

  test('an invoice that is not paid in time is late', () => {
    const invoice = { id: 'i', number: '7', company: 'Northgate', facility: 'Northgate Card Loans' };
    expect(
      invoiceItem(
        {
          ...invoice,
          open: { sum: '731250', currency: 'USD' },
          received: { sum: '6250', currency: 'USD' },
          dueDate: '2026-11-04',
          daysLate: 1,
        },
        TODAY,
      ),
    ).toMatchObject({
      urgency: 'late',
      title: 'Invoice 7, Northgate Card Loans',
      note: '6,250.00 USD received',
      who: 'Northgate',
      when: '1 day late',
      whenNote: 'due 4 Nov',
      days: -1,
      action: { to: '/monitoring/invoices/i' },
    });
  });

  test('limits of one base are one item', () => {
    const near = { baseId: 'b', company: 'Larkfield', noteTitle: 'Senior', cutOffDate: '2026-10-31' };
    expect(
      limitItem(
        [
          { ...near, title: 'Texas', measured: '13.62', limit: '15' },
          { ...near, title: 'Restaurants', measured: '9.1', limit: '9.125' },
        ],
        TODAY,
      ),
    ).toMatchObject({
      title: 'Larkfield, Senior, 2 limits',
      note: 'Texas 13.62 of 15.00%, Restaurants 9.100 of 9.125%',
    });
  });

  test('an installation without problems has nothing to do', () => {
    const well = { idleQueues: [], failures: 0, latestFailure: null, held: 0, failed: 0, oldestSeconds: 900 };
    expect(installationItems(well, TODAY)).toEqual([]);
    const failing = { reason: 'The sheet is empty.', lastAt: '2026-11-04T08:00:00Z' };
    expect(
      byUrgency(
        installationItems(
          { idleQueues: ['compute'], failures: 2, latestFailure: failing, held: 3, failed: 1, oldestSeconds: 901 },
          TODAY,
        ),
      ).map(({ kind, urgency }) => [kind, urgency]),
    ).toEqual([
      ['worker', 'late'],
      ['job', 'late'],
      ['mail', 'late'],
      ['mail', 'decide'],
      ['mail', 'watch'],
    ]);
  });
});

describe('the order', () => {
  test('a deficit, then what is late for longest, then decisions by their date, then what is to be watched', () => {
    const items = [
      wrongTapeItem({ id: 't', name: 'n.xlsx', company: null, failure: null, errored: 1, state: 'Completed' }),
      decisionItem({ ...draw, id: 'later', due: '2026-12-01' }, TODAY),
      decisionItem({ ...draw, id: 'undated', due: null }, TODAY),
      decisionItem(draw, TODAY),
      tapeItem(tape, TODAY, false),
      decisionItem({ ...draw, id: 'past', due: '2026-11-01' }, TODAY),
      deficitItem(deficit, TODAY),
    ];
    expect(byUrgency(items).map(({ key }) => key)).toEqual([
      'deficit-n',
      'draw-past',
      'tape-c',
      'draw-d',
      'draw-later',
      'draw-undated',
      'errors-t',
    ]);
  });

  test('keeps two places for decisions, however much is late', () => {
    const late = Array.from({ length: 9 }, (_, index) => tapeItem({ ...tape, companyId: `c${index}` }, TODAY, false));
    const decisions = ['a', 'b', 'c'].map((id) => decisionItem({ ...draw, id }, TODAY));
    const urgencies = (items: readonly TodayItem[]) => pickToday(items, 6).map(({ urgency }) => urgency);
    expect(urgencies([...late, ...decisions])).toEqual(['late', 'late', 'late', 'late', 'decide', 'decide']);
    expect(urgencies([...late, decisions[0]!])).toEqual(['late', 'late', 'late', 'late', 'late', 'decide']);
    expect(urgencies([...late.slice(0, 1), ...decisions])).toEqual(['late', 'decide', 'decide', 'decide']);
  });

  test('is summed up in words', () => {
    expect(todaySummary({ late: 3, decide: 2, watch: 1 }, 'to decide')).toBe(
      '3 late or in breach, 2 to decide, 1 to watch',
    );
    expect(todaySummary({ late: 0, decide: 1, watch: 0 }, 'to do')).toBe('1 to do');
    expect(todaySummary({ late: 0, decide: 0, watch: 0 }, 'to do')).toBeNull();
  });
});

const covenant = {
  id: 'c',
  title: 'Leverage',
  companyName: 'Alder Auto',
  noteTitle: 'Senior',
  testDate: '2026-09-30',
  unit: 'times',
  currency: null,
  bound: 'atMost',
  consequence: 'drawStop',
} as const;

test('a breached covenant is late, with what is beyond its limit and its days to cure; one without figures is watched', () => {
  const figures = { value: '6.5', limitValue: '6', headroom: '-0.5', cureUntil: '2026-11-12' };
  expect(covenantItem({ ...covenant, ...figures, state: 'breached' }, TODAY)).toMatchObject({
    urgency: 'late',
    title: 'Leverage, Alder Auto, Senior',
    note: '6.50x, 0.50 beyond the limit of at most 6.00x',
    whoNote: 'draw stop',
    when: 'Cure until 12 Nov',
  });
  const unknown = { value: null, limitValue: null, headroom: null, cureUntil: null };
  expect(covenantItem({ ...covenant, ...unknown, state: 'unknown' }, TODAY)).toMatchObject({
    urgency: 'watch',
    note: 'figures of 30 Sep are missing',
    when: 'Figures late',
  });
  const over = covenantItem({ ...covenant, ...figures, cureUntil: '2026-11-04', state: 'breached' }, TODAY);
  expect([over.when, byUrgency([decisionItem({ ...draw, due: '2026-10-01' }, TODAY), over])[0]?.kind]).toEqual([
    'Now',
    'covenant',
  ]);
});

test('pairs of loans are one decision, with what they count twice; those that are only possible are none', () => {
  const sums = [
    { sum: '16512', currency: 'USD' },
    { sum: '94016', currency: 'EUR' },
  ];
  expect(duplicatesItem({ certain: 1, likely: 2 }, sums)).toMatchObject({
    urgency: 'decide',
    title: '3 pairs of loans',
    note: '1 certain, 2 likely',
    amounts: sums,
  });
  expect(duplicatesItem({ certain: 0, likely: 1 }, [])).toMatchObject({ title: '1 pair of loans', note: '1 likely' });
  expect(duplicatesItem({ certain: 0, likely: 0 }, [])).toBeNull();
});
