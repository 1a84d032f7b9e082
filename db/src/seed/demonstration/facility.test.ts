import { checkContractAgainstFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { calculateReference } from '@tapeline/domain/borrowing-base/reference.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { transactionSchema, withMaxCommitments } from '@tapeline/domain/facilities/transaction.schema.ts';
import { type Mapping, mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { describe, expect, it } from 'vitest';
import { northwindContract, northwindFacility } from './facility.ts';
import type { LoanPosition } from './loan.ts';
import { NORTHWIND_MAPPING } from './mappings.ts';
import { ageNorthwindBook, type ConsumerDetails } from './northwind-book.ts';

const ID = '5f0000000000000000000abc';
const mapping: Mapping = mappingSchema.parse(NORTHWIND_MAPPING);
const contract: TransactionContract = transactionContractSchema.parse(northwindContract(ID));
const { fields } = planMapping(mapping);
const catalog = assetCatalog(fields.filter((field) => field.custom));

const STATUSES = {
  current: 'current',
  '1-30': 'delinquent',
  '31-60': 'delinquent',
  '61-90': 'delinquent',
  '90+': 'default',
  chargedOff: 'chargedOff',
  paidOff: 'paid',
  prepaid: 'prePaid',
} as const;

/** Converts a loan to an asset as its tape and mapping do, for the fields that the contract refers to. */
const assetOf = ({ loan, ...position }: LoanPosition<ConsumerDetails>) => ({
  assetId: loan.id,
  borrowerId: loan.borrower.id,
  assetType: 'loan',
  assetStatus: STATUSES[position.status],
  dateFinanced: loan.originationDate,
  term: loan.termMonths,
  remainingTerm: position.remainingTermMonths,
  monthsOnBook: position.monthsOnBook,
  daysPastDue: position.daysPastDue,
  interestRate: (loan.rateBps / 100).toFixed(2),
  product: loan.details.product,
  'sums.outstandingSum': (position.principalCents / 100).toFixed(2),
  'sums.outstandingSum.currency': 'USD',
  'creditScores.origination': loan.borrower.fico,
  'creditScores.grade': loan.grade,
  'address.state': loan.borrower.state,
  'customFields.debtToIncome': (loan.details.dtiBps / 100).toFixed(2),
});

it('reads back without a change once it is stored', () => {
  const facility = transactionSchema.parse(
    northwindFacility({
      company: ID.padEnd(24, '0').slice(0, 24),
      mapping: ID.padEnd(24, '0').slice(0, 24),
      fund: ID.padEnd(24, '0').slice(0, 24),
    }),
  );
  expect(transactionSchema.parse(facility)).toEqual(facility);
  expect(transactionContractSchema.parse(contract)).toEqual(contract);
});

describe('the facility of the demonstration', () => {
  it('is a valid transaction with 65 million dollars of commitments over two tranches, one of them active', () => {
    const facility = withMaxCommitments(
      transactionSchema.parse(northwindFacility({ company: ID, mapping: ID, fund: ID })),
    );
    expect(facility.maxCommitments).toEqual([{ sum: '65000000', currency: 'USD' }]);
    expect(facility.notes[0]!.tranches.map((tranche) => tranche.sequenceActivated)).toEqual([true, false]);
    expect(facility.notes[0]!.contracts.map((each) => each.status)).toEqual(['Active']);
  });

  it('names only fields that the mapping makes', () => {
    const made = fields.flatMap((field) => field.columns.map((column) => column.name));
    expect(checkContractAgainstFields(contract, catalog, made)).toEqual([]);
  });

  it('gives a borrowing base that a lender would recognise', () => {
    const [october = []] = ageNorthwindBook(['2026-10-31']);
    const { result } = calculateReference({
      assets: october.map(assetOf),
      tape: { cutOffDate: '2026-10-31', mainCurrency: 'USD', exchangeRates: { USD: '1' } },
      contract,
      catalog,
    });
    const { totals, rulesTracking } = result;
    const counts = (pool: keyof typeof totals.pools) => totals.pools[pool].count;
    expect([counts('relevant'), counts('eligibleOrPerforming')]).toEqual([4_997, 4_288]);
    expect(totals.pools.eligibleOrPerforming.amount.sum).toBe('41804921.60');
    expect([totals.firstBB.sum, totals.excess.sum, totals.netBB.sum]).toEqual([
      '34987266.62',
      '1944767.69',
      '33355845.88',
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
    const stepUp = rulesTracking.eligible.find((rule) => rule.title === 'FICO is at least 660');
    expect(stepUp).toBeUndefined();
  });
});
