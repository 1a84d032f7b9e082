import type { ChargedInterest } from '../cash/default-interest.ts';
import { activeCommitmentAt } from '../commitments/active-commitment.ts';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, subtract, sum } from '../money/decimal.ts';
import { type CapitalLedger, callAmount, recallableCapitalAt, unfundedAt } from './capital-figures.ts';
import type { CALL_PURPOSE_KINDS } from './contribution.schema.ts';
import type { Change, NoticeFacts, NoticeShare, WireDetails } from './notice-parts.ts';

/** What all notices of one capital call have in common. */
export interface CallFacts extends NoticeFacts {
  readonly dueDate: CalendarDate;
  /** For the investor's bank transfer. */
  readonly paymentReference: string | null;
  readonly wire: WireDetails | null;
  readonly pdfOptions: { readonly fundLevel: boolean; readonly basis?: boolean | undefined };
}

export interface NoticePurpose {
  readonly title: string;
  readonly kind: (typeof CALL_PURPOSE_KINDS)[number];
  readonly amount: DecimalText;
  /** For having closed later, or for paying earlier calls late. */
  readonly interest?: DecimalText | undefined;
}

/** What a call changes for one investor. */
export interface CallPosition {
  readonly commitment: DecimalText;
  /** All calls issued to the investor. */
  readonly called: Change;
  readonly recallable: DecimalText;
  readonly unfunded: Change;
}

/** One investor's part of a capital call. */
export interface CallShare extends NoticeShare {
  readonly purposes: readonly NoticePurpose[];
  readonly position: CallPosition;
  /** Default interest on calls that it paid late, among the interest of the purposes. */
  readonly late?: readonly ChargedInterest[] | undefined;
}

/**
 * What a call changes for one investor.
 * @param ledger the investor's documents without this call and without later ones
 */
export function callPosition(
  ledger: CapitalLedger,
  cutOffDate: CalendarDate,
  purposes: readonly Pick<NoticePurpose, 'kind' | 'amount'>[],
): CallPosition {
  const amount = callAmount({ purposes });
  const called = sum(ledger.calls.filter((call) => call.cutOffDate <= cutOffDate).map(callAmount));
  const unfunded = unfundedAt(ledger, cutOffDate);
  return {
    commitment: activeCommitmentAt(ledger.commitment, cutOffDate),
    called: { before: called, after: add(called, amount) },
    recallable: recallableCapitalAt(ledger, cutOffDate),
    unfunded: { before: unfunded, after: subtract(unfunded, amount) },
  };
}

/**
 * Each purpose of a call, added up over its investors.
 * @throws RangeError if the shares do not have the same purposes
 */
export function purposeTotals(shares: readonly Pick<CallShare, 'purposes'>[]): NoticePurpose[] {
  const [first] = shares;
  return (first?.purposes ?? []).map(({ title, kind }, index) => ({
    title,
    kind,
    amount: sum(
      shares.map(({ purposes }) => {
        const purpose = purposes[index];
        if (purposes.length !== first?.purposes.length || purpose?.title !== title || purpose.kind !== kind) {
          throw new RangeError('All investors of a call have the same purposes');
        }
        return purpose.amount;
      }),
    ),
  }));
}
