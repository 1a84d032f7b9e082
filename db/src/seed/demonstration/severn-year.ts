import type { DrawCreate } from '@tapeline/domain/draws/draw.schema.ts';
import type { MappingInput } from '@tapeline/domain/tapes/mapping.schema.ts';
import { SEVERN_MAPPING } from './mappings.ts';
import { SEVERN_FACILITY } from './more-facilities.ts';
import { SEVERN_COMPANY } from './portfolio.ts';
import { severnContract } from './severn-contract.ts';
import { makeSevernTapes, SEVERN_CUT_OFF_DATES } from './severn-tapes.ts';
import type { TapeSheet } from './tape-sheet.ts';

const gbp = (sum: number) => ({ sum, currency: 'GBP' });

interface YearDraw {
  readonly cutOffDate: string;
  readonly dueDate: string;
  readonly draws: readonly {
    type: DrawCreate['draws'][number]['type'];
    amounts: { sum: number; currency: string }[];
  }[];
  readonly description: string;
}

export interface YearRepayment {
  readonly cutOffDate: string;
  readonly repayments: readonly {
    kind: 'principal' | 'interest' | 'fees';
    amount: { sum: number; currency: string };
  }[];
}

/** What happens after a tape and before the next one. */
export interface YearMonth {
  readonly tape: TapeSheet;
  readonly draws: readonly YearDraw[];
  readonly repayments: readonly YearRepayment[];
}

const draw = (cutOffDate: string, dueDate: string, sum: number, description: string): YearDraw => ({
  cutOffDate,
  dueDate,
  draws: [{ type: 'Regular', amounts: [gbp(sum)] }],
  description,
});

const DRAWS: readonly YearDraw[] = [
  draw('2025-11-03', '2025-11-10', 5_000_000, 'First draw: purchase of the closing portfolio'),
  draw('2025-11-17', '2025-11-24', 2_200_000, 'Second draw on the closing portfolio'),
  draw('2026-01-06', '2026-01-12', 800_000, 'Agreements of the fourth quarter'),
  draw('2026-03-05', '2026-03-11', 500_000, 'Agreements of January and February'),
  draw('2026-05-07', '2026-05-13', 550_000, 'Agreements of March and April'),
  draw('2026-07-06', '2026-07-10', 650_000, 'Agreements of May and June'),
  draw('2026-09-04', '2026-09-10', 750_000, 'Agreements of July and August'),
];

const quarter = (cutOffDate: string, interest: number): YearRepayment => ({
  cutOffDate,
  repayments: [
    { kind: 'interest', amount: gbp(interest) },
    { kind: 'fees', amount: gbp(3_500) },
  ],
});

const REPAYMENTS: readonly YearRepayment[] = [
  quarter('2025-12-31', 84_215.34),
  quarter('2026-03-31', 166_027.4),
  { cutOffDate: '2026-04-29', repayments: [{ kind: 'principal', amount: gbp(120_000) }] },
  quarter('2026-06-30', 182_946.58),
  quarter('2026-09-30', 205_318.49),
];

/**
 * A year of Severn's facility in pounds: each month's tape with the draws and repayments that follow it. In September
 * nothing is originated and the borrowing base falls below the balance. A repayment that was received in September is
 * recorded late: the borrowing base is calculated again, and the earlier result is kept. The tape for October is late.
 */
export const severnYear = (): {
  company: string;
  facility: string;
  noteTitle: string;
  mapping: MappingInput;
  contract: typeof severnContract;
  months: readonly YearMonth[];
  recordedLate: YearRepayment;
} => ({
  company: SEVERN_COMPANY,
  facility: SEVERN_FACILITY,
  noteTitle: 'Senior',
  mapping: SEVERN_MAPPING,
  contract: severnContract,
  months: makeSevernTapes().map((tape, index) => {
    const next = SEVERN_CUT_OFF_DATES[index + 1];
    const isOfMonth = ({ cutOffDate }: { cutOffDate: string }) =>
      cutOffDate > tape.cutOffDate && next !== undefined && cutOffDate <= next;
    return { tape, draws: DRAWS.filter(isOfMonth), repayments: REPAYMENTS.filter(isOfMonth) };
  }),
  recordedLate: { cutOffDate: '2026-09-29', repayments: [{ kind: 'principal', amount: gbp(90_000) }] },
});
