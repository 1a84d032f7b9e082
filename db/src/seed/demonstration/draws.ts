import type { DrawCreate } from '@tapeline/domain/draws/draw.schema.ts';
import { NORTHWIND_CUT_OFF_DATES } from './northwind-tapes.ts';

/** A draw request of the demonstration's borrower, and what its manager decides. */
export interface DemonstrationDraw {
  readonly cutOffDate: string;
  readonly dueDate: string;
  readonly draws: readonly {
    type: DrawCreate['draws'][number]['type'];
    amounts: { sum: number; currency: string }[];
  }[];
  readonly description: string;
  /** Attached to the request. */
  readonly file?: { readonly name: string; readonly text: string };
  /** The exceptions that the manager skips, by the message of their check. */
  readonly skip: readonly { message: string; reason: string }[];
  /** Omitted for a request that still waits. */
  readonly decision?: 'Approved' | 'Rejected' | 'Removed';
  readonly rejectionMessage?: string;
}

const regular = (sum: number) => [{ type: 'Regular' as const, amounts: [{ sum, currency: 'USD' }] }];

/** The loans that a draw funds, by product, as the borrower attaches them. */
const fundingSchedule = (day: string, lines: readonly (readonly [product: string, loans: number, sum: number])[]) => ({
  name: `funding-schedule-${day}.csv`,
  text: ['Product,Loans,Amount (USD)', ...lines.map((line) => line.join(','))].join('\r\n'),
});

/** Requests on Northwind's senior note after its last tape, in every state. */
export const demonstrationDraws = () => ({
  facility: 'Northwind warehouse facility',
  noteTitle: 'Senior',
  /** The borrowing base that the checks need. */
  baseOn: NORTHWIND_CUT_OFF_DATES.at(-1) ?? '',
  draws: [
    {
      cutOffDate: '2026-11-03',
      dueDate: '2026-11-05',
      draws: regular(3_000_000),
      description: 'Originations of the last week of October. The seller’s account closes on 5 November.',
      file: fundingSchedule('2026-11-05', [
        ['Unsecured personal', 214, 1_920_400],
        ['Secured personal', 71, 846_150],
        ['Small business', 9, 233_450],
      ]),
      skip: [
        {
          message: 'Due Date limits exceeded',
          reason: 'The account bank confirmed settlement on the same day for transfers sent before noon.',
        },
      ],
      decision: 'Approved',
    },
    {
      cutOffDate: '2026-11-06',
      dueDate: '2026-11-12',
      draws: regular(180_000),
      description: 'Three loans that missed the last draw.',
      skip: [],
      decision: 'Rejected',
      rejectionMessage: 'Below the minimum of 250,000.00 USD. Please include these loans in the next draw.',
    },
    {
      cutOffDate: '2026-11-10',
      dueDate: '2026-11-17',
      draws: regular(1_000_000),
      description: 'Withdrawn: entered twice.',
      skip: [],
      decision: 'Removed',
    },
    {
      cutOffDate: '2026-11-16',
      dueDate: '2026-12-10',
      draws: regular(10_400_000),
      description: 'Purchase of a seasoned pool that closes on 10 December.',
      skip: [
        {
          message: 'Due Date limits exceeded',
          reason: 'The purchase agreement sets the closing date. The credit committee agreed on 17 November.',
        },
      ],
    },
    {
      cutOffDate: '2026-11-18',
      dueDate: '2026-11-25',
      draws: regular(2_400_000),
      description: 'Originations of the first half of November.',
      file: fundingSchedule('2026-11-25', [
        ['Unsecured personal', 188, 1_611_700],
        ['Secured personal', 58, 652_900],
        ['Small business', 5, 135_400],
      ]),
      skip: [],
    },
  ] satisfies DemonstrationDraw[] as readonly DemonstrationDraw[],
});
