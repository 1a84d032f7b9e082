import { activeCommitmentAt } from '../commitments/active-commitment.ts';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, subtract, sum } from '../money/decimal.ts';
import { type CapitalLedger, callAmount, recallableCapitalAt, unfundedAt } from './capital-figures.ts';
import type { CALL_PURPOSE_KINDS } from './contribution.schema.ts';
import type { Change, HoldingOf, ListedInvestor, NoticeFacts, NoticeInvestor, WireDetails } from './notice-parts.ts';

/** What all notices of one capital call have in common. */
export interface CallFacts extends NoticeFacts {
  readonly dueDate: CalendarDate;
  /** For the investor's bank transfer. */
  readonly paymentReference: string | null;
  readonly wire: WireDetails | null;
  readonly pdfOptions: { readonly fundLevel: boolean };
}

export interface CallPurpose {
  readonly title: string;
  readonly kind: (typeof CALL_PURPOSE_KINDS)[number];
  readonly amount: DecimalText;
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
export interface CallShare {
  readonly investor: NoticeInvestor;
  /** The class of the commitment; null if the fund has none. */
  readonly className: string | null;
  /** Share in percent, at the cut-off date: of the fund, or of the class if only the class is called. */
  readonly holdingPercent: DecimalText | null;
  readonly holdingOf: HoldingOf;
  readonly purposes: readonly CallPurpose[];
  readonly position: CallPosition;
}

/** A capital call's notice to one investor. Nothing in it names another investor. */
export interface CapitalCallNotice extends CallFacts, CallShare {
  readonly amount: DecimalText;
  /** The whole fund's amount of each purpose; null unless `pdfOptions.fundLevel` is set. */
  readonly fundPurposes: readonly DecimalText[] | null;
}

/** A capital call with the share of each investor. For managers only. */
export interface CapitalCallSummary extends CallFacts {
  readonly purposes: readonly CallPurpose[];
  readonly amount: DecimalText;
  readonly investors: readonly (ListedInvestor & {
    readonly amount: DecimalText;
    readonly called: DecimalText;
    readonly unfunded: DecimalText;
  })[];
}

/**
 * What a call changes for one investor.
 * @param ledger the investor's documents without this call and without later ones
 */
export function callPosition(
  ledger: CapitalLedger,
  cutOffDate: CalendarDate,
  purposes: readonly Pick<CallPurpose, 'kind' | 'amount'>[],
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
export function purposeTotals(shares: readonly Pick<CallShare, 'purposes'>[]): CallPurpose[] {
  const [first] = shares;
  return (first?.purposes ?? []).map(({ title, kind }, place) => ({
    title,
    kind,
    amount: sum(
      shares.map(({ purposes }) => {
        const purpose = purposes[place];
        if (purposes.length !== first?.purposes.length || purpose?.title !== title || purpose.kind !== kind) {
          throw new RangeError('All investors of a call have the same purposes');
        }
        return purpose.amount;
      }),
    ),
  }));
}

/**
 * The notice of a call to one investor.
 * @param fundPurposes the purposes of the whole call (`purposeTotals`), shown only with `pdfOptions.fundLevel`
 */
export function capitalCallNotice(
  call: CallFacts,
  share: CallShare,
  fundPurposes: readonly CallPurpose[],
): CapitalCallNotice {
  if (call.pdfOptions.fundLevel && fundPurposes.length !== share.purposes.length) {
    throw new RangeError('The fund has the same purposes as the investor');
  }
  return {
    ...call,
    ...share,
    amount: callAmount(share),
    fundPurposes: call.pdfOptions.fundLevel ? fundPurposes.map(({ amount }) => amount) : null,
  };
}

/** A call with the share of each investor, in the order of the shares. */
export function capitalCallSummary(call: CallFacts, shares: readonly CallShare[]): CapitalCallSummary {
  const purposes = purposeTotals(shares);
  return {
    ...call,
    purposes,
    amount: callAmount({ purposes }),
    investors: shares.map((share) => ({
      code: share.investor.code,
      formalName: share.investor.formalName,
      commitment: share.position.commitment,
      className: share.className,
      holdingPercent: share.holdingPercent,
      holdingOf: share.holdingOf,
      amount: callAmount(share),
      called: share.position.called.after,
      unfunded: share.position.unfunded.after,
    })),
  };
}
