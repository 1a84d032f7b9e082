import { checkContractAgainstFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { calculateReference } from '@tapeline/domain/borrowing-base/reference.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { expect, it } from 'vitest';
import type { LoanPosition } from './loan.ts';
import { SEVERN_MAPPING } from './mappings.ts';
import { ageSevernBook, type VehicleDetails } from './severn-book.ts';
import { severnContract } from './severn-contract.ts';
import { SEVERN_CUT_OFF_DATES, SEVERN_HEADERS } from './severn-tapes.ts';
import { severnYear } from './severn-year.ts';

const contract = transactionContractSchema.parse(severnContract('5f0000000000000000000abc'));
const { fields } = planMapping(mappingSchema.parse(SEVERN_MAPPING));
const catalog = assetCatalog(fields.filter((field) => field.custom));
const book = ageSevernBook(SEVERN_CUT_OFF_DATES);
const year = severnYear();

const STATUSES = {
  current: 'current',
  '1-30': 'pastDue',
  '31-60': 'delinquent',
  '61-90': 'delinquent',
  '90+': 'default',
  chargedOff: 'chargedOff',
  paidOff: 'paid',
  prepaid: 'prePaid',
} as const;

/** Converts an agreement to an asset as its tape and mapping do, for the fields that the contract refers to. */
const assetOf = ({ loan, ...position }: LoanPosition<VehicleDetails>) => ({
  assetId: loan.id,
  borrowerId: loan.borrower.id,
  assetStatus: STATUSES[position.status],
  term: loan.termMonths,
  originalLtv: ((loan.originalCents / loan.details.vehicleValuePence) * 100).toFixed(4),
  interestRate: (loan.rateBps / 100).toFixed(2),
  daysPastDue: position.daysPastDue,
  'sums.outstandingSum': (position.principalCents / 100).toFixed(2),
  'sums.outstandingSum.currency': 'GBP',
  'creditScores.origination': loan.borrower.fico,
  'address.state': loan.borrower.state,
  'customFields.dealer': loan.details.dealer,
  'customFields.condition': loan.details.isNew ? 'New' : 'Used',
});

const bases = book.map(
  (positions, index) =>
    calculateReference({
      assets: positions.map(assetOf),
      tape: {
        cutOffDate: SEVERN_CUT_OFF_DATES[index]!,
        mainCurrency: 'GBP',
        exchangeRates: { USD: '1', GBP: '0.78' },
      },
      contract,
      catalog,
    }).result,
);

/** Draws due, less principal, up to a day. */
function balanceAt(day: string): number {
  const draws = year.months.flatMap((month) => month.draws).filter(({ dueDate }) => dueDate <= day);
  const repaid = year.months.flatMap((month) => month.repayments).filter(({ cutOffDate }) => cutOffDate <= day);
  return (
    draws.flatMap((one) => one.draws.flatMap(({ amounts }) => amounts)).reduce((total, { sum }) => total + sum, 0) -
    repaid
      .flatMap(({ repayments }) => repayments)
      .reduce((total, { kind, amount }) => total + (kind === 'principal' ? amount.sum : 0), 0)
  );
}

it('has twelve small tapes with the columns that its mapping reads', () => {
  expect(year.months.map(({ tape }) => tape.rows.length)).toEqual([
    340, 355, 370, 385, 400, 415, 430, 445, 460, 475, 490, 483,
  ]);
  for (const { originCol } of SEVERN_MAPPING.rules) if (originCol) expect(SEVERN_HEADERS).toContain(originCol);
  const made = fields.flatMap((field) => field.columns.map((column) => column.name));
  expect(checkContractAgainstFields(contract, catalog, made)).toEqual([]);
});

it('amortizes and migrates: no balance grows, and agreements in arrears roll or recover', () => {
  for (const [index, positions] of book.entries()) {
    const before = new Map(book[index - 1]?.map((position) => [position.loan.id, position]));
    let rolled = 0;
    for (const position of positions) {
      const earlier = before.get(position.loan.id);
      if (!earlier) continue;
      expect(position.principalCents).toBeLessThanOrEqual(earlier.principalCents);
      if (position.daysPastDue > earlier.daysPastDue) rolled += 1;
    }
    if (index > 0) expect(rolled).toBeGreaterThan(5);
  }
});

it('lends within its borrowing base for eleven months, and is in deficit in the twelfth', () => {
  const availability = bases.map(
    ({ totals }, index) => Number(totals.netBB.sum) - balanceAt(SEVERN_CUT_OFF_DATES[index]!),
  );
  expect(availability.slice(0, -1).every((sum) => sum > 0)).toBe(true);
  expect(availability.at(-1)).toBeLessThan(-200_000);
  expect(availability.at(-1)).toBeGreaterThan(-300_000);
  // Each draw fits the latest borrowing base before it.
  for (const { cutOffDate, dueDate } of year.months.flatMap(({ draws }) => draws)) {
    const base = bases[SEVERN_CUT_OFF_DATES.findLastIndex((day) => day <= cutOffDate)];
    expect(Number(base?.totals.netBB.sum)).toBeGreaterThan(balanceAt(dueDate));
  }
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
