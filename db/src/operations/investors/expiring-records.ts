import { addDays } from '@tapeline/domain/dates/calendar-date.ts';
import {
  type Expiry,
  expiriesOf,
  type KYCStatus,
  type TaxForm,
} from '@tapeline/domain/investors/investor-record.schema.ts';
import { DAYS_BEFORE_EXPIRY } from '@tapeline/domain/investors/record-labels.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';

/** An investor with what of its record has expired, or expires soon. */
export interface ExpiringRecord {
  readonly id: string;
  readonly title: string;
  /** The earliest first; at least one. */
  readonly expiries: readonly Expiry[];
}

/**
 * The visible active investors of whose record something has expired, or expires within 60 days, the earliest first, how
 * many there are, and of how many something has expired.
 */
export async function listExpiringRecords(
  session: ReadSession,
  { limit }: { limit: number },
): Promise<{ records: ExpiringRecord[]; total: number; expired: number }> {
  const today = todayOf(session);
  const until = addDays(today, DAYS_BEFORE_EXPIRY);
  const soon = `status = 'Active' and expires_on <= $1::date`;
  const [rows, [counted]] = await session.queries<
    [
      { id: string; title: string; kycStatus: KYCStatus; kycExpiresOn: string | null; taxForms: TaxForm[] }[],
      { total: number; expired: number }[],
    ]
  >([
    {
      sql: `select id, title, kyc_status as "kycStatus", kyc_expires_on::text as "kycExpiresOn", tax_forms as "taxForms"
        from lps where ${soon} order by expires_on, id limit $2`,
      values: [until, limit],
    },
    {
      sql: `select count(*)::int as total, count(*) filter (where expires_on < $2::date)::int as expired from lps where ${soon}`,
      values: [until, today],
    },
  ]);
  return {
    records: rows.map(({ id, title, ...record }) => ({
      id,
      title,
      expiries: expiriesOf(record).filter(({ day }) => day <= until),
    })),
    total: counted?.total ?? 0,
    expired: counted?.expired ?? 0,
  };
}
