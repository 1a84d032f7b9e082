import { type CapitalLedger, isPartPaidBefore } from '@tapeline/domain/capital/capital-figures.ts';
import type { Coverage } from '@tapeline/domain/capital/coverage.ts';
import {
  type BorrowersFee,
  type FeePeriod,
  type ManagementFees,
  managementFeesOf,
  type SuccessFee,
  sharesOfFees,
  successFeeOf,
  type TransactionFees,
  totalTiers,
  transactionFeesOf,
} from '@tapeline/domain/capital/investor-fees.ts';
import { splitLines } from '@tapeline/domain/capital/split.ts';
import { compounding, type WaterfallTiers } from '@tapeline/domain/capital/waterfall.ts';
import {
  type Investment,
  type Proceeds,
  type WaterfallSplit,
  waterfallSplit,
} from '@tapeline/domain/capital/waterfall-split.ts';
import { activeCommitmentAt } from '@tapeline/domain/commitments/active-commitment.ts';
import { addDays, type CalendarDate, daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { type AgreedTerms, agreedTerms } from '@tapeline/domain/funds/fee-terms.ts';
import { type DecimalText, isZero, round, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { convert } from '@tapeline/domain/money/rates.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { currencyRates } from '../currencies/rates.ts';
import { agreementsOf } from '../funds/fee-terms.ts';
import { commitmentsInForce, type FundCommitment, HIDDEN_INVESTOR, ledgersOf } from './ledgers.ts';

/** Days of one calculation, and commitments: both decide how long it takes. */
export const MAX_FEE_DAYS = 3_660;
export const MAX_FEE_COMMITMENTS = 1_000;

/** A period of a fund, in its currency. */
interface FeeScope extends FeePeriod {
  readonly fundId: string;
  readonly currency: string;
}

export interface FeeQuery extends FeeScope {
  readonly Class?: string | null | undefined;
  /** The day that success fees are as of. */
  readonly at: CalendarDate;
}

export interface InvestorFees {
  readonly commitmentId: string;
  readonly title: string;
  readonly Class: string | null;
  readonly management: ManagementFees;
  /** Management fees of calls that fall due in the period. */
  readonly called: DecimalText;
  /** Null if it is not agreed, or unknown. */
  readonly transaction: TransactionFees | null;
  /** Null if none is agreed. */
  readonly success: SuccessFee | null;
}

export interface FundFees {
  readonly currency: string;
  readonly investors: readonly InvestorFees[];
  readonly total: {
    /** Null if one of them is unknown. */
    readonly management: DecimalText | null;
    readonly called: DecimalText;
    readonly transaction: DecimalText | null;
    readonly outside: DecimalText;
    readonly paid: WaterfallTiers;
    /** Null if one of them is unknown. */
    readonly accrued: WaterfallTiers | null;
    /** What is known of both, with the investors that are not: null if that is nothing. */
    readonly known: {
      readonly management: DecimalText | null;
      readonly accrued: WaterfallTiers | null;
      readonly managementCoverage: Coverage;
      readonly accruedCoverage: Coverage;
    };
  };
  /** Whether the fees that borrowers paid are visible to the actor: those of the facilities that it can see. */
  readonly seesTransactionFees: boolean;
  /** The day of the rates that borrowers' fees were converted at; null if nothing was converted. */
  readonly ratesDate: CalendarDate | null;
}

/** Fees that borrowers paid in a period on notes of the fund, times its actual share of the note, by day and currency. */
const FEES_OF_BORROWERS = `
  select r.cut_off_date::text as day, part -> 'amount' ->> 'currency' as currency,
    sum((part -> 'amount' ->> 'sum')::numeric * (holding ->> 'actualPercentage')::numeric / 100)::text as amount
  from transactions t join repayments r on r.transaction_id = t.id and r.status = 'Active'
    and r.cut_off_date >= $2::date and r.cut_off_date < $3::date
  cross join lateral jsonb_array_elements(t.notes) as note
  cross join lateral jsonb_array_elements(coalesce(nullif(note -> 'holdings', 'null'), '[]')) as holding
  cross join lateral jsonb_array_elements(r.repayments) as part
  where t.notes @> jsonb_build_array(jsonb_build_object('holdings', jsonb_build_array(jsonb_build_object('fund', $1::text))))
    and note ->> 'id' = r.note_id and holding ->> 'fund' = $1 and part ->> 'kind' = 'fees'
  group by 1, 2 order by 1, 2`;

/**
 * What each commitment to the fund is due of borrowers' fees, before its cap. They are split over all commitments, also
 * those that the actor does not see: the part of the others stays what it is.
 */
async function sharesOfBorrowersFees(
  session: Session,
  { fundId, currency, from, to }: FeeScope,
): Promise<{ shares: Map<string, BorrowersFee[]>; ratesDate: CalendarDate | null }> {
  const paid = await session.query<{ day: string; currency: string; amount: DecimalText }>(FEES_OF_BORROWERS, [
    fundId,
    from,
    to,
  ]);
  const all = await asProgram(session, () => commitmentsInForce(session, { fundIds: [fundId] }));
  const digits = minorUnitDigits(currency);
  const isForeign = paid.some((one) => one.currency !== currency);
  const rates = isForeign ? await currencyRates(session, { on: addDays(to, -1) }) : null;
  const days = [...Map.groupBy(paid, ({ day }) => day)].flatMap(([day, own]) => {
    const total = sum(
      own.map((one) => (rates ? convert(one.amount, one.currency, currency, rates.rates).sum : one.amount)),
    );
    const weights = all.map((one) => ({ id: one.id, code: one.code, weight: activeCommitmentAt(one, day) }));
    if (weights.every(({ weight }) => isZero(weight))) return [];
    return [{ date: day, split: splitLines([round(total, digits)], weights, digits) }];
  });
  return { shares: sharesOfFees(days), ratesDate: rates?.lastUpdate ?? null };
}

/** What commitments agreed on fees: their terms on each day. */
async function agreedFees(session: ReadSession, ids: readonly string[]): Promise<Map<string, AgreedTerms>> {
  const agreements = await agreementsOf(session, ids);
  return new Map([...agreements].map(([id, one]) => [id, agreedTerms(one)]));
}

/** Each commitment's part of what borrowers paid, if it takes something off a management fee. It counts for everybody. */
async function offsetsOf(
  session: Session,
  agreed: ReadonlyMap<string, AgreedTerms>,
  query: FeeScope,
): Promise<ReadonlyMap<string, BorrowersFee[]>> {
  const reduces = (own: AgreedTerms) =>
    [query.from, ...own.changes.filter((day) => day > query.from && day < query.to)].some(
      (day) => own.on(day).management?.offset,
    );
  if (![...agreed.values()].some(reduces)) return new Map();
  return asProgram(session, async () => (await sharesOfBorrowersFees(session, query)).shares);
}

function refuseLongPeriod({ from, to }: FeePeriod, flag = 'to'): void {
  if (from >= to) refuse('The period must end after it begins', { [flag]: 'is not after the first day' });
  if (daysBetween(from, to) > MAX_FEE_DAYS) refuse('Choose a period of at most 10 years', { [flag]: 'is too late' });
}

/**
 * The fees of the investors of a fund, or of a class, whom the actor can see: management fees and borrowers' fees of a
 * period, and success fees as of a day.
 * @throws Refusal badRequest (flags) for an empty or too long period, or too many commitments
 */
export async function fundFees(session: Session, query: FeeQuery): Promise<FundFees> {
  refuseLongPeriod(query);
  const { fundId, Class, currency, at } = query;
  const own = await commitmentsInForce(session, { fundIds: [fundId], Class: Class ?? null });
  if (own.length > MAX_FEE_COMMITMENTS) {
    throw new Refusal(
      'badRequest',
      `Fees are calculated for at most ${MAX_FEE_COMMITMENTS} commitments at once. Choose a class`,
      { flags: { Class: 'has too many commitments' } },
    );
  }
  const ids = own.map(({ id }) => id);
  const ledgers = await ledgersOf(session, ids);
  const feesOf = await agreedFees(session, ids);
  const offsets = await offsetsOf(session, feesOf, query);
  const { actor } = session;
  const isInvestor = actor.kind === 'user' && actor.lpIds.length > 0;
  const seesTransactionFees = !isInvestor && can(actor, 'repayments/read') && can(actor, 'transactions/read');
  const { shares, ratesDate } = seesTransactionFees
    ? await sharesOfBorrowersFees(session, query)
    : { shares: null, ratesDate: null };
  const digits = minorUnitDigits(currency);
  const growthOf = compounding();
  const investors = own.flatMap(({ id, title, Class: ofClass }): InvestorFees[] => {
    const ledger = ledgers.get(id);
    const agreed = feesOf.get(id);
    if (!ledger || !agreed) return [];
    const atEnd = agreed.on(addDays(query.to, -1));
    const share = sum((shares?.get(id) ?? []).map(({ amount }) => amount));
    const isWithin = (day: CalendarDate): boolean => day >= query.from && day < query.to;
    return [
      {
        commitmentId: id,
        title: title ?? HIDDEN_INVESTOR,
        Class: ofClass,
        management: managementFeesOf(ledger, agreed, query, digits, offsets.get(id)),
        called: sum(
          ledger.calls
            .filter((call) => isWithin(call.dueDate) && !isPartPaidBefore(call))
            .flatMap(({ purposes }) => purposes.filter(({ kind }) => kind === 'managementFee'))
            .map(({ amount }) => amount),
        ),
        transaction: shares ? transactionFeesOf(ledger, atEnd, share, query, digits) : null,
        success: successFeeOf(ledger, agreed.on(at), at, digits, growthOf),
      },
    ];
  });
  return { currency, investors, total: totalOf(investors, seesTransactionFees), seesTransactionFees, ratesDate };
}

function coverageOfFees(investors: readonly InvestorFees[], isKnown: (one: InvestorFees) => boolean): Coverage {
  const missing = investors.filter((one) => !isKnown(one)).map(({ commitmentId: id, title }) => ({ id, title }));
  return { parts: 'investors', known: investors.length - missing.length, of: investors.length, missing };
}

function totalOf(investors: readonly InvestorFees[], seesTransactionFees: boolean): FundFees['total'] {
  const known = investors.flatMap(({ management }) => management.amount ?? []);
  const success = investors.flatMap((one) => one.success ?? []);
  const accrued = success.flatMap((one) => one.accrued?.tiers ?? []);
  return {
    management: known.length === investors.length ? sum(known) : null,
    called: sum(investors.map(({ called }) => called)),
    transaction: seesTransactionFees ? sum(investors.flatMap((one) => one.transaction?.amount ?? [])) : null,
    outside: sum(success.map(({ outside }) => outside)),
    paid: totalTiers(success.map(({ paid }) => paid.tiers)),
    accrued: accrued.length === success.length ? totalTiers(accrued) : null,
    known: {
      management: known.length === 0 && investors.length > 0 ? null : sum(known),
      accrued: accrued.length === 0 && success.length > 0 ? null : totalTiers(accrued),
      managementCoverage: coverageOfFees(investors, ({ management }) => management.amount !== null),
      accruedCoverage: coverageOfFees(
        investors.filter((one) => one.success !== null),
        (one) => one.success?.accrued != null,
      ),
    },
  };
}

/**
 * What the own terms of each commitment come to as management fee of a period, by commitment: null where the fee is on a NAV
 * that is not recorded.
 * @param query.path where a refusal names the period
 * @throws Refusal badRequest for an empty or too long period, or too many commitments
 */
export async function ownManagementFees(
  session: Session,
  {
    commitments,
    ledgers,
    period,
    digits,
    path,
  }: {
    commitments: readonly FundCommitment[];
    ledgers: ReadonlyMap<string, CapitalLedger>;
    period: FeePeriod;
    digits: number;
    path: string;
  },
): Promise<Map<string, DecimalText | null>> {
  refuseLongPeriod(period, `${path}.until`);
  if (commitments.length > MAX_FEE_COMMITMENTS) {
    refuse(`Fees are calculated for at most ${MAX_FEE_COMMITMENTS} commitments at once. Choose a class`, {
      [`${path}.split`]: 'is for too many commitments',
    });
  }
  const agreed = await agreedFees(
    session,
    commitments.map(({ id }) => id),
  );
  const [first] = commitments;
  const offsets = first ? await offsetsOf(session, agreed, { ...period, ...first }) : new Map<string, BorrowersFee[]>();
  return new Map(
    commitments.map(({ id }) => {
      const [ledger, own] = [ledgers.get(id), agreed.get(id)];
      return [id, ledger && own ? managementFeesOf(ledger, own, period, digits, offsets.get(id)).amount : '0'];
    }),
  );
}

/**
 * How proceeds of a day are split by the own waterfall of each commitment, by commitment: where the terms are American, by
 * that of the investment that the proceeds are of.
 * @throws Refusal badRequest for too many
 */
export async function waterfallsOf(
  session: ReadSession,
  {
    commitments,
    ledgers,
    at,
    digits,
    investment,
  }: {
    commitments: readonly FundCommitment[];
    ledgers: ReadonlyMap<string, CapitalLedger>;
    at: CalendarDate;
    digits: number;
    investment: ((commitmentId: string) => Investment) | null;
  },
): Promise<Map<string, (proceeds: Proceeds) => WaterfallSplit | null>> {
  if (commitments.length > MAX_FEE_COMMITMENTS) {
    refuse(`A waterfall is calculated for at most ${MAX_FEE_COMMITMENTS} commitments at once. Choose a class`, {
      principalSplit: 'is for too many commitments',
    });
  }
  const agreed = await agreedFees(
    session,
    commitments.map(({ id }) => id),
  );
  const growthOf = compounding();
  return new Map(
    commitments.map(({ id }) => {
      const [ledger, fees] = [ledgers.get(id), agreed.get(id)?.on(at)];
      const isAmerican = fees?.success?.perTransaction ?? false;
      // A preferred return without compounding is not calculated, nor is a waterfall by investment without one.
      if (!ledger || !fees || fees.success?.simple || (isAmerican && investment === null)) return [id, () => null];
      const own = isAmerican ? investment!(id) : null;
      return [id, (proceeds) => waterfallSplit(ledger, fees, at, proceeds, digits, growthOf, own)];
    }),
  );
}
