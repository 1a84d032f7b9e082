import { describe, expect, test } from 'vitest';
import { compare, type DecimalText, sum } from '../money/decimal.ts';
import type { PrintedDocument } from '../printing/printed-document.ts';
import { moneyText, percentText } from '../printing/printed-figures.ts';
import {
  capitalAccountStatement,
  netCapitalActivity,
  netResult,
  STATEMENT_PERIODS,
  shownNetIrr,
} from './capital-account-statement.ts';
import { callPosition, purposeTotals } from './capital-call-notice.ts';
import type { CapitalLedger } from './capital-figures.ts';
import { distributionPosition, lineTotals } from './distribution-notice.ts';
import { printCapitalCallNotice, printCapitalCallSummary } from './print/capital-call.ts';
import { includedVat, printDistributionNotice, printDistributionSummary } from './print/distribution.ts';
import { printNettedNotice } from './print/netted.ts';
import { sampleFund } from './testing/sample-notices.ts';
import { callsOf, distributionsOf, expected, INVESTORS, ledgerOf } from './testing/worked-fund.ts';

const same = (found: DecimalText | null | undefined, wanted: string | number | null | undefined): void => {
  if (found == null || wanted == null) expect(found ?? null).toBe(wanted ?? null);
  else expect(compare(found, String(wanted)), `${found} is not ${wanted}`).toBe(0);
};
const { letterhead, fund } = sampleFund(1).call;
const investor = { formalName: 'One', code: '1', address: [] };
const facts = {
  letterhead,
  fund,
  investor,
  issueDate: '2026-01-20',
  cutOffDate: '2025-12-31',
  holdingPercent: '50',
  holdingOf: 'fund' as const,
};

describe('a capital call of the worked fund', () => {
  test.each(INVESTORS)('changes the position of investor %s', (id) => {
    for (const [index, call] of callsOf(id).entries()) {
      const ledger: CapitalLedger = { ...ledgerOf(id), calls: callsOf(id).slice(0, index) };
      const { called, unfunded, commitment, recallable } = callPosition(ledger, call.cutOffDate, call.purposes);
      same(called.after, expected.calls[index]!.aggregateAmount[id]);
      same(sum([called.before, ...call.purposes.map(({ amount }) => amount)]), called.after);
      same(sum([commitment, `-${called.after}`, recallable]), unfunded.after);
    }
  });

  test('leaves what is unfunded on the last day', () => {
    const last = callsOf('one').at(-1)!;
    const before: CapitalLedger = { ...ledgerOf('one'), calls: callsOf('one').slice(0, -1) };
    same(callPosition(before, last.cutOffDate, last.purposes).unfunded.after, '22967403.94');
  });
});

test('a distribution of the worked fund adds recallable principal to what is unfunded, and other principal not', () => {
  const [first, second] = distributionsOf('one');
  const ledger: CapitalLedger = { ...ledgerOf('one'), distributions: [] };
  const recallable = distributionPosition(ledger, first!.cutOffDate, first!, true);
  same(recallable.recallable.after, '1000000');
  same(recallable.unfunded.after, '33499999.49');
  same(recallable.unfunded.before, '32499999.49');
  same(recallable.distributed.after, '1538888.89');
  const final = distributionPosition({ ...ledger, distributions: [first!] }, second!.cutOffDate, second!, false);
  same(final.recallable.after, '1000000');
  same(final.unfunded.after, final.unfunded.before);
  same(final.distributed.after, '5268749.74');
});

test('principal distributed from the declaration date on is not recallable', () => {
  const [first] = distributionsOf('one');
  const position = distributionPosition({ ...ledgerOf('one'), distributions: [] }, '2025-12-31', first!, true);
  same(position.recallable.after, '0');
  same(position.unfunded.after, position.unfunded.before);
});

describe('the statement of the worked fund', () => {
  const statement = capitalAccountStatement(facts, [ledgerOf('one')]);

  test('has the account of the year and since inception', () => {
    for (const [period, name] of [
      ['yearToDate', 'one 2025'],
      ['sinceInception', 'one since inception'],
    ] as const) {
      for (const [line, amount] of Object.entries(expected.capitalAccounts[name]!)) {
        same(statement.periods[period].lines![line as 'opening'], amount);
      }
    }
    expect(statement.periods.quarter).toMatchObject({ from: '2025-10-01', to: '2025-12-31' });
    expect(statement.periods.sinceInception.from).toBe('2024-01-15');
  });

  test('adds up in each period', () => {
    for (const name of STATEMENT_PERIODS) {
      const lines = statement.periods[name].lines!;
      same(sum([lines.opening, netCapitalActivity(lines), netResult(lines)]), lines.closing);
    }
  });

  test('ends with the figures of the day', () => {
    const wanted = expected.at['2025-12-31']!.one;
    same(statement.commitment, wanted.activeCommitment);
    for (const name of ['called', 'unfunded', 'dpi', 'rvpi', 'tvpi'] as const) same(statement[name], wanted[name]);
    same(statement.recallable, wanted.recallableCapital);
    expect(statement.netIrr).toEqual({ percent: '6.87', reason: null });
    expect(statement.history.map(({ date }) => date)).toEqual([
      '2024-09-30',
      '2024-12-31',
      '2025-03-31',
      '2025-06-30',
      '2025-09-30',
      '2025-12-31',
    ]);
    expect(statement.history[0]!.closing).toBeNull();
    same(statement.history[1]!.closing, '16910432.10');
  });

  test('names calls that are issued and not yet due', () => {
    const early = capitalAccountStatement({ ...facts, cutOffDate: '2025-09-20' }, [ledgerOf('one')]);
    same(early.calledNotDue, '3750000');
    same(sum([early.commitment, `-${early.called}`, `-${early.calledNotDue}`, early.recallable]), early.unfunded);
  });

  test('has no lines without a net asset value, instead of zeros', () => {
    const unknown = capitalAccountStatement({ ...facts, cutOffDate: '2024-03-31' }, [ledgerOf('one')]);
    expect(unknown.periods.sinceInception.lines).toBeNull();
    expect(unknown.tvpi).toBeNull();
  });

  test('covers several commitments together', () => {
    const both = capitalAccountStatement(facts, [ledgerOf('one'), ledgerOf('two')]);
    same(both.periods.sinceInception.lines!.closing, sum(['25204118.55', '15302511.07']));
    expect(() => capitalAccountStatement(facts, [])).toThrow(RangeError);
  });
});

test('a net IRR is shown from 12 months after the first cash flow on', () => {
  const ledger = ledgerOf('one');
  const withNav: CapitalLedger = { ...ledger, navs: [{ cutOffDate: '2024-12-31', net: '16910432.10', gross: '1' }] };
  expect(shownNetIrr([withNav], '2025-01-31')).toEqual({
    percent: null,
    reason: 'Less than 12 months since the first cash flow',
  });
  expect(shownNetIrr([withNav], '2025-02-01').percent).not.toBeNull();
  expect(shownNetIrr([{ ...ledger, navs: [] }], '2026-02-01')).toEqual({
    percent: null,
    reason: 'Not every investor has a net asset value',
  });
});

describe('a notice', () => {
  const { call, callShares, distribution, distributionShares } = sampleFund(24);

  test('shows totals of the fund only if asked to, and never another investor', () => {
    const without = { ...call, pdfOptions: { fundLevel: false } };
    const [share] = callShares;
    const shown = JSON.stringify(printCapitalCallNotice(call, share!, purposeTotals(callShares)));
    const hidden = JSON.stringify(printCapitalCallNotice(without, share!, purposeTotals(callShares)));
    expect(shown).toContain('6,770,897.63');
    expect(hidden).not.toContain('6,770,897.63');
    for (const { investor: other } of callShares.slice(1)) expect(shown).not.toContain(other.formalName);
  });

  test('and its summary add up to the whole call and distribution', () => {
    const columnOf = ({ blocks }: PrintedDocument, head: string) => {
      const table = blocks.find((block) => block.kind === 'table' && block.title === 'Investors');
      if (table?.kind !== 'table') throw new Error('no table');
      const index = table.columns.findIndex((column) => column.head === head);
      const value = (text: string | undefined) => (text ?? '').replaceAll(',', '');
      return { parts: table.rows.map(({ cells }) => value(cells[index])), total: value(table.total?.[index]) };
    };
    const called = columnOf(printCapitalCallSummary(call, callShares), 'This call');
    same(called.total, '6770897.63');
    same(sum(called.parts), called.total);
    const distributed = columnOf(printDistributionSummary(distribution, distributionShares), 'Distributed');
    same(distributed.total, '4351143.47');
    same(sum(distributed.parts), distributed.total);
  });

  test('refuses shares with different lines', () => {
    const [first, second] = callShares;
    expect(() => purposeTotals([first!, { purposes: second!.purposes.slice(1) }])).toThrow(RangeError);
    const [one, two] = distributionShares;
    expect(() => lineTotals([one!, { ...two!, components: two!.components.toReversed() }])).toThrow(RangeError);
    expect(() => printCapitalCallNotice(call, first!, [])).toThrow(RangeError);
  });

  test('of a distribution lists expenses and capital gains if asked to, and adds up in any case', () => {
    const linesWith = (operationalExpenses: boolean, capitalGains: boolean) => {
      const pdfOptions = { ...distribution.pdfOptions, operationalExpenses, capitalGains, vat: null, fundLevel: false };
      const terms = { ...distribution, pdfOptions };
      const table = printDistributionNotice(terms, distributionShares[0]!, lineTotals([])).blocks.find(
        (block) => block.kind === 'table' && block.title === 'This distribution',
      );
      if (table?.kind !== 'table') throw new Error('no table');
      const value = (text: string) => text.replaceAll(',', '').replace('−', '-').replace('–', '0');
      const subtotals = table.rows.filter(({ isStrong }) => isStrong).map(({ cells }) => value(cells[1]!));
      same(sum(subtotals), value(table.total![1]!));
      return table.rows.map(({ cells, remark }) => [cells[0], remark].filter(Boolean).join(': '));
    };
    expect(linesWith(true, true)).toContain('Fees on interest: Administrator');
    expect(linesWith(true, true)).toContain('Fees on capital gains: Broker');
    expect(linesWith(false, false)).toContain('Fees on interest');
    expect(linesWith(false, false)).not.toContain('Fees on capital gains: Broker');
    expect(linesWith(false, false)).toContain('Net capital gains after fees and taxes');
  });
});

test('VAT is part of the fees: 19 of 119', () => {
  expect(includedVat('119', '19', 2)).toBe('19');
  expect(includedVat('100', '19', 2)).toBe('15.97');
  expect(includedVat('100', '0', 2)).toBe('0');
});

test('amounts keep all digits, and have those of their currency at least', () => {
  expect(moneyText('1234567.5', 'USD')).toBe('USD 1,234,567.50');
  expect(moneyText('1234567', 'JPY')).toBe('JPY 1,234,567');
  expect(moneyText('0.123456', 'USD')).toBe('USD 0.123456');
  expect(percentText('50.00000000')).toBe('50.00%');
  expect(percentText('60.97560976')).toBe('60.9756%');
  expect(percentText(null)).toBe('n/a');
});

describe('the notice of a call and a distribution that are netted', () => {
  const { call, callShares, distribution, distributionShares } = sampleFund(2);
  const [share, paid] = [callShares[0]!, distributionShares[0]!];
  const wire = {
    beneficiary: 'Harbour Credit Fund II LP',
    fund: 'Harbour Credit Fund II LP',
    bank: 'First Tidewater',
    branch: null,
    bankAddress: null,
    accountNumber: '4471',
    IBAN: null,
    swiftCode: null,
    abaOrRouting: null,
  };
  const facts = { ...call, wire, paymentReference: 'HCF2-C9-012-4', pdfOptions: { fundLevel: false } };
  const paidFacts = { ...distribution, pdfOptions: { ...distribution.pdfOptions, fundLevel: false } };
  const printed = (called: DecimalText, distributed: DecimalText, account: typeof wire | null = wire) =>
    printNettedNotice({
      call: {
        facts: { ...facts, wire: account },
        share: { ...share, purposes: [{ title: 'A note', kind: 'investments', amount: called }], basis: [] },
        whole: [],
      },
      distribution: {
        facts: paidFacts,
        share: { ...paid, principal: distributed, components: [], basis: [], paidTo: '2210' },
        whole: { principal: '0', components: [] },
        reference: 'HCF2-D4-012-9',
      },
    });
  const textOf = (document: PrintedDocument): string => JSON.stringify(document);
  const netTable = ({ blocks }: PrintedDocument) =>
    blocks.flatMap((block) => (block.kind === 'table' && block.title === 'Net amount' ? [block] : []))[0]!;

  test('shows both parts, and the net amount with the reference and the account to pay to', () => {
    const notice = printed('500.00', '200.00');
    expect(netTable(notice).rows.map(({ cells }) => cells.at(-1))).toEqual(['500.00', '−200.00']);
    expect(netTable(notice).total).toEqual(['Net amount due', '300.00']);
    expect(textOf(notice)).toContain('USD 200.00 counts as contributed and as distributed without a payment');
    expect(textOf(notice)).toContain('HCF2-C9-012-4');
    expect(textOf(notice)).not.toContain('HCF2-D4-012-9');
    expect(textOf(notice)).toContain('Wire instructions');
    expect(textOf(notice)).toContain('This call');
    expect(textOf(notice)).toContain('This distribution');
  });

  test('says what is paid to who receives, with the reference of the distribution and no account to pay to', () => {
    const notice = printed('300.00', '900.00');
    expect(netTable(notice).total).toEqual(['Net amount paid to you', '600.00']);
    expect(textOf(notice)).toContain('HCF2-D4-012-9');
    expect(textOf(notice)).toContain('…2210');
    expect(textOf(notice)).not.toContain('HCF2-C9-012-4');
    expect(textOf(notice)).not.toContain('Wire instructions');
  });

  test('says whom to ask for the account if there is none, to who pays alone', () => {
    expect(textOf(printed('500.00', '200.00', null))).toContain(
      'ask your fund manager, on a number that you had before',
    );
    for (const [called, distributed, account] of [
      ['500.00', '200.00', wire],
      ['300.00', '900.00', null],
      ['300.00', '300.00', null],
    ] as const)
      expect(textOf(printed(called, distributed, account))).not.toContain('ask your fund manager');
  });

  test('of equal amounts has no reference', () => {
    const notice = printed('300.00', '300.00');
    expect(netTable(notice).total).toEqual(['Net amount', '–']);
    expect(textOf(notice)).toContain('no money moves');
    expect(textOf(notice)).not.toContain('HCF2-');
  });
});
