import { documentOfOffset, fileOffsets, readOffsetList } from '@tapeline/domain/borrowing-base/offset-list.ts';
import { checkContractAgainstFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { calculateReference } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import {
  type TransactionContractInput,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import {
  type TransactionInput,
  transactionSchema,
  withMaxCommitments,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { type MappingInput, mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { describe, expect, it } from 'vitest';
import { fillIn, readData } from './data.ts';
import { NORTHWIND_MAPPING, northwindContract, northwindFacility } from './facilities.ts';
import { type TapeCell, type TapeSheet, tapesOf } from './tapes.ts';

const ID = '5f0000000000000000000abc';

type Row = Readonly<Record<string, TapeCell>>;

/** The rows of a tape that have no error, by header. */
function soundRows(sheet: TapeSheet, headers: { id: string; rate: string; date: string; amount: string }): Row[] {
  const seen = new Set<TapeCell>();
  return sheet.rows
    .map((row): Row => Object.fromEntries(sheet.columns.map(({ header }, column) => [header, row[column]!])))
    .filter((row) => {
      const id = row[headers.id]!;
      const isSound =
        id !== null &&
        !seen.has(id) &&
        Number(row[headers.rate]) >= 0 &&
        !Number.isNaN(Date.parse(String(row[headers.date]))) &&
        row[headers.date] !== '2026-02-30' &&
        typeof row[headers.amount] === 'number';
      seen.add(id);
      return isSound;
    });
}

const percent = (cell: TapeCell | undefined): string => (Number(cell) * 100).toFixed(2);
const cents = (cell: TapeCell | undefined): string => Number(cell).toFixed(2);
const wordOf = (words: Readonly<Record<string, string>>, cell: TapeCell | undefined): string =>
  words[String(cell)] ?? String(cell);

/** The contract of a note and what it refers to. */
function termsOf(mapping: MappingInput, contract: TransactionContractInput) {
  const { fields } = planMapping(mappingSchema.parse(mapping));
  return {
    contract: transactionContractSchema.parse(contract),
    catalog: assetCatalog(fields.filter((field) => field.custom)),
    made: fields.flatMap((field) => field.columns.map((column) => column.name)),
  };
}

describe("Northwind's facility", () => {
  const { contract, catalog, made } = termsOf(NORTHWIND_MAPPING, northwindContract(ID));
  const facility = transactionSchema.parse(northwindFacility({ company: ID, mapping: ID, fund: ID }));

  it('reads back without a change once it is stored', () => {
    expect(transactionSchema.parse(facility)).toEqual(facility);
    expect(transactionContractSchema.parse(contract)).toEqual(contract);
  });

  it('is a valid transaction with 65 million dollars of commitments over two tranches, one of them active', () => {
    const { maxCommitments, notes } = withMaxCommitments(facility);
    expect(maxCommitments).toEqual([{ sum: '65000000', currency: 'USD' }]);
    expect(notes[0]!.tranches.map((tranche) => tranche.sequenceActivated)).toEqual([true, false]);
    expect(notes[0]!.contracts.map((each) => each.status)).toEqual(['Active']);
  });

  it('names only fields that the mapping makes', () => {
    expect(checkContractAgainstFields(contract, catalog, made)).toEqual([]);
  });

  it('gives a borrowing base that a lender would recognise', () => {
    const headers = { id: 'Loan ID', rate: 'Interest Rate', date: 'First Payment Date', amount: 'Principal Balance' };
    const words = {
      Current: 'current',
      '1-30 DPD': 'delinquent',
      '31-60 DPD': 'delinquent',
      '61-90 DPD': 'delinquent',
      '90+ DPD': 'default',
      'Charged Off': 'chargedOff',
      'Paid Off': 'paid',
      Prepaid: 'prePaid',
    };
    const assets = soundRows(tapesOf('northwind').at(-1)!, headers).map((row) => ({
      assetId: row['Loan ID'],
      borrowerId: row['Borrower ID'],
      assetType: 'loan',
      assetStatus: wordOf(words, row['Loan Status']),
      dateFinanced: row['Origination Date'],
      term: row['Term (months)'],
      remainingTerm: row['Remaining Term'],
      monthsOnBook: row['Months on Book'],
      daysPastDue: row['Days Past Due'],
      interestRate: percent(row['Interest Rate']),
      product: row.Product,
      'sums.outstandingSum': cents(row['Principal Balance']),
      'sums.outstandingSum.currency': 'USD',
      'creditScores.origination': row['FICO at Origination'],
      'creditScores.grade': row.Grade,
      'address.state': row.State,
      'customFields.debtToIncome': percent(row.DTI),
    }));
    const { result } = calculateReference({
      assets: assets as Parameters<typeof calculateReference>[0]['assets'],
      tape: { cutOffDate: '2026-10-31', mainCurrency: 'USD', exchangeRates: { USD: '1' } },
      contract,
      catalog,
    });
    const { totals, rulesTracking } = result;
    expect([totals.pools.relevant.count, totals.pools.eligibleOrPerforming.count]).toEqual([4_985, 4_276]);
    const { eligibleOrPerforming } = totals.pools;
    expect([eligibleOrPerforming.amount, totals.firstBB, totals.excess, totals.netBB].map(({ sum }) => sum)).toEqual([
      '41701559.07',
      '34900973.52',
      '1905324.87',
      '33302945.45',
    ]);
    const biting = [...rulesTracking.eligible, ...rulesTracking.performing, ...rulesTracking.concentration]
      .filter((rule) => rule.failed.count > 0)
      .map((rule) => rule.title);
    expect(biting).toEqual([
      'Loan is open',
      'FICO is at least 640',
      'Interest rate is between 5% and 30%',
      'Seasoning is at least 1 month',
      'At least 3 months remain',
      'Debt to income is at most 40%',
      'State is not WV or IA',
      'Days past due is at most 30',
      'Any one state at most 12%',
      'Any one borrower at most 1%',
    ]);
    expect(rulesTracking.eligible.some((rule) => rule.title === 'FICO is at least 660')).toBe(false);
  });
});

describe("Severn's year", () => {
  const mapping = readData<MappingInput>('severn-mapping');
  const { contract, catalog, made } = termsOf(
    mapping,
    fillIn(readData<TransactionContractInput>('severn-contract'), { mapping: ID }),
  );
  interface Year {
    readonly draws: readonly {
      readonly cutOffDate: string;
      readonly dueDate: string;
      readonly draws: readonly { readonly amounts: readonly { readonly sum: number }[] }[];
    }[];
    readonly repayments: readonly {
      readonly cutOffDate: string;
      readonly repayments: readonly { readonly kind: string; readonly amount: { readonly sum: number } }[];
    }[];
  }
  const year = readData<Year>('severn-year');
  const tapes = tapesOf('severn');
  const headers = { id: 'Agreement', rate: 'Rate', date: 'Start date', amount: 'Capital outstanding' };
  const words = {
    Live: 'current',
    'Arrears 1': 'pastDue',
    'Arrears 2': 'delinquent',
    'Arrears 3': 'delinquent',
    Default: 'default',
    'Written off': 'chargedOff',
    Settled: 'paid',
    'Settled early': 'prePaid',
  };
  const bases = tapes.map((sheet) => {
    const assets = soundRows(sheet, headers).map((row) => ({
      assetId: row.Agreement,
      borrowerId: row.Customer,
      assetStatus: wordOf(words, row.Status),
      term: row.Term,
      originalLtv: ((Number(row['Amount financed']) / Number(row['Vehicle value'])) * 100).toFixed(4),
      interestRate: percent(row.Rate),
      daysPastDue: row['Days in arrears'],
      'sums.outstandingSum': cents(row['Capital outstanding']),
      'sums.outstandingSum.currency': 'GBP',
      'sums.arrears': cents(row.Arrears),
      'sums.arrears.currency': 'GBP',
      'sums.sum': cents(row['Amount financed']),
      'sums.sum.currency': 'GBP',
      dateFinanced: row['Start date'],
      'dates.lastPaymentDate': row['Last payment'] || null,
      'creditScores.origination': row.Score,
      'address.state': row.Region,
      'customFields.dealer': row.Dealer,
      'customFields.condition': row['New or used'],
    }));
    return calculateReference({
      assets: assets as Parameters<typeof calculateReference>[0]['assets'],
      tape: { cutOffDate: sheet.cutOffDate, mainCurrency: 'GBP', exchangeRates: { USD: '1', GBP: '0.78' } },
      contract,
      catalog,
      facility: {
        currency: 'GBP',
        balances: [{ sum: balanceAt(sheet.cutOffDate).toFixed(2), currency: 'GBP' }],
        commitments: [],
      },
    }).result;
  });

  /** Draws due, less principal, up to a day. */
  function balanceAt(day: string): number {
    const drawn = year.draws.filter(({ dueDate }) => dueDate <= day).flatMap(({ draws }) => draws);
    const repaid = year.repayments
      .filter(({ cutOffDate }) => cutOffDate <= day)
      .flatMap(({ repayments }) => repayments);
    const principal = repaid.filter(({ kind }) => kind === 'principal');
    return (
      drawn.flatMap(({ amounts }) => amounts).reduce((total, { sum }) => total + sum, 0) -
      principal.reduce((total, { amount }) => total + amount.sum, 0)
    );
  }

  it('names only fields that the mapping makes', () => {
    expect(checkContractAgainstFields(contract, catalog, made)).toEqual([]);
  });

  it('lends within its borrowing base for eleven months, and is in deficit in the twelfth', () => {
    const availability = bases.map(({ totals }) => Number(totals.availability?.sum));
    expect(availability).toHaveLength(12);
    expect(Math.min(...availability.slice(0, -1))).toBeGreaterThan(0);
    expect(availability.at(-1)).toBeLessThan(-500_000);
    expect(availability.at(-1)).toBeGreaterThan(-800_000);
    // Each draw fits the latest borrowing base before it.
    for (const { cutOffDate, dueDate } of year.draws) {
      const base = bases[tapes.findLastIndex((tape) => tape.cutOffDate <= cutOffDate)];
      expect(Number(base?.totals.availableBase?.sum)).toBeGreaterThan(balanceAt(dueDate));
    }
  });

  it('compares fields with each other and with the cut-off date, and no loan fails by them alone', () => {
    const failed = bases.flatMap(({ rulesTracking: { eligible, performing } }) =>
      [...eligible, ...performing].filter(({ title }) => /amount financed|two months/.test(title)),
    );
    expect(failed).toHaveLength(24);
    expect([...new Set(failed.map(({ first }) => first.count))]).toEqual([0]);
  });

  it('bears only the largest excess of each asset, and breaches limits', () => {
    const last = bases.at(-1);
    expect(last?.overlap).toBe('maximumPerAsset');
    expect(last?.excessBreachDistribution.filter(({ breached }) => breached).map(({ title }) => title)).toEqual([
      'Any one customer at most 6%',
      'Any one dealer at most 25%',
      'Any one region at most 30%',
    ]);
  });
});

describe("Hallam's ledgers", () => {
  const mapping = readData<MappingInput>('hallam-mapping');
  const { contract, catalog, made } = termsOf(
    mapping,
    fillIn(readData<TransactionContractInput>('hallam-contract'), { mapping: ID }),
  );
  interface Figure {
    readonly title: string;
    readonly date: string;
    readonly value: number;
  }
  const { facility, draws } = readData<{
    facility: TransactionInput;
    draws: { dueDate: string; draws: { amounts: { sum: number }[] }[] }[];
  }>('hallam');
  const reported = readData<{ facility: string; figures: Figure[] }[]>('covenants');
  const figures = reported.find((one) => one.facility === facility.title)?.figures ?? [];
  const headers = { id: 'Document', rate: 'Days past due', date: 'Due date', amount: 'Open amount' };
  const words = { Open: 'current', Credit: 'current', Overdue: 'pastDue', 'In collection': 'delinquent' };

  /** The last twelve of a borrower's monthly figures up to a day. */
  function lastYear(title: string, day: string): string {
    const months = figures.filter((figure) => figure.title === title && figure.date <= day).slice(-12);
    expect(months).toHaveLength(12);
    return months.reduce((total, { value }) => total + value, 0).toFixed(2);
  }

  const bases = tapesOf('hallam').map((sheet) => {
    const assets = soundRows(sheet, headers)
      .filter((row) => row.Account !== null)
      .map((row) => ({
        assetId: row.Document,
        borrowerId: row.Account,
        assetStatus: wordOf(words, row.Status),
        daysPastDue: row['Days past due'],
        'sums.outstandingSum': cents(row['Open amount']),
        'sums.outstandingSum.currency': 'GBP',
        'address.country': row.Country,
        'customFields.debtorGroup': row.Group,
        'customFields.invoiceAge': row['Days since invoice'],
        'customFields.disputed': row.Disputed,
        'customFields.relation': row.Relation,
        'customFields.payables': cents(row['Owed to customer']),
        'customFields.payables.currency': 'GBP',
      }));
    const drawn = draws.filter(({ dueDate }) => dueDate <= sheet.cutOffDate).flatMap((draw) => draw.draws);
    const balance = drawn.flatMap(({ amounts }) => amounts).reduce((total, { sum }) => total + sum, 0);
    const { cutOffDate } = sheet;
    const [document] = sheet.documents;
    const [header, ...lines] = String(document?.bytes).trim().split('\n');
    const unapplied = {
      ...{ kind: 'csv' as const, headers: header?.split(',') ?? [] },
      rows: lines.map((line, index) => ({ row: index + 2, cells: line.split(',') })),
    };
    return calculateReference({
      assets: assets as Parameters<typeof calculateReference>[0]['assets'],
      tape: { cutOffDate, mainCurrency: 'GBP', exchangeRates: { USD: '1', GBP: '0.78' } },
      contract,
      catalog,
      offsetLists: fileOffsets(contract, cutOffDate).map(({ rule, offset }) => {
        const file = { name: documentOfOffset(offset, [{ name: document?.fileName ?? '' }]).name, key: 'key' };
        return { rule, file, groups: readOffsetList(unapplied, offset, { name: file.name, currency: 'GBP' }) };
      }),
      facility: {
        currency: 'GBP',
        balances: [{ sum: balance.toFixed(2), currency: 'GBP' }],
        commitments: [{ sum: '2000000', currency: 'GBP' }],
        dilutions: [
          { rule: 0, credits: lastYear('Credit notes', cutOffDate), sales: lastYear('Gross sales', cutOffDate) },
        ],
      },
    }).result;
  });
  const last = bases.at(-1);

  it('can be entered, and its contract names only fields that the mapping makes', () => {
    expect(transactionSchema.parse(fillIn(facility, { company: ID, fund: ID })).notes).toHaveLength(1);
    expect(checkContractAgainstFields(contract, catalog, made)).toEqual([]);
  });

  it('are borrowed against within the borrowing base, with more dilution each month', () => {
    const available = bases.map(({ totals }) => Number(totals.availability?.sum));
    expect(Math.min(...available)).toBeGreaterThan(100_000);
    const dilution = bases.map(({ totals }) => Number(totals.reserves?.[0]?.amount?.sum));
    expect(dilution).toEqual([...dilution].sort((one, other) => one - other));
    expect(dilution[0]).toBeGreaterThan(10_000);
  });

  it('have a debtor whose invoices are all out, and credit notes, debts to debtors and unapplied cash that are taken off', () => {
    const { eligible } = last?.rulesTracking ?? { eligible: [] };
    expect(eligible.find(({ title }) => title.startsWith('Debtors with a quarter'))?.first.count).toBeGreaterThan(5);
    expect(last?.totals.offsets?.map(({ taken }) => Number(taken.sum) > 10_000)).toEqual([true, true, true]);
    expect(last?.totals.offsets?.map(({ leftOver }) => Number(leftOver.sum) > 1000)).toEqual([true, true, true]);
    expect(last?.warnings.find(({ code }) => code === 'offsetWithoutAssets')?.message).toBe(
      '2 groups of the file hallam-2026-10-unapplied-cash.csv have no asset: 1,761.90 is left over',
    );
  });
});
