import type { DifferenceReason } from '@tapeline/domain/cash/labels.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** What somebody recorded about an obligation, and whether and why somebody took it back. */
interface Recorded {
  readonly id: string;
  readonly amount: DecimalText;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly reversedAt: string | null;
  readonly reversedBy: string | null;
  readonly reversalReason: string | null;
}

/** A part of a payment that pays it. */
export interface RecordedPayment extends Recorded {
  readonly paymentId: string;
  /** Null if the actor may not read payments. */
  readonly paymentCode: number | null;
  readonly paidOn: CalendarDate;
}

/** What will not be paid of it. */
export interface RecordedDifference extends Recorded {
  readonly reason: DifferenceReason;
  readonly note: string | null;
}

const RECORDED = `r.id, r.amount::text, r.created_at as "createdAt", history_author(r.created -> 'entity') as "createdBy",
  r.reversed_at as "reversedAt", history_author(r.reversed -> 'entity') as "reversedBy", r.reversal_reason as "reversalReason"`;
const OF_OBLIGATION = 'r.document_id = $1 and r.currency = $2 order by r.created_at, r.id';

/** All that was allocated to an obligation and closed of it, with who and when, also what was reversed. */
export async function recordOfObligation(
  session: ReadSession,
  { documentId, currency }: { documentId: string; currency: string },
): Promise<{ payments: RecordedPayment[]; differences: RecordedDifference[] }> {
  const values = [documentId, currency];
  return {
    payments: await session.query<RecordedPayment>(
      `select ${RECORDED}, r.payment_id as "paymentId", r.paid_on::text as "paidOn",
         (select code from payments where id = r.payment_id) as "paymentCode"
       from allocations r where ${OF_OBLIGATION}`,
      values,
    ),
    differences: await session.query<RecordedDifference>(
      `select ${RECORDED}, r.reason, r.note from obligation_differences r where ${OF_OBLIGATION}`,
      values,
    ),
  };
}
