import type { Fixings } from '@tapeline/domain/interest/accrual.ts';
import type { Fixing } from '@tapeline/domain/interest/rates.ts';
import { type BaseRate, LIST_NAMES } from '@tapeline/domain/tables/table.schema.ts';
import type { ReadSession } from '../../read-session.ts';

/** The fixings of a manager's base rates, the earliest first. Users of its companies can read them as well. */
export async function baseRateFixings(session: ReadSession, managerId: string): Promise<Fixings> {
  const rows = await session.query<Fixing & { title: BaseRate }>(
    `select value ->> 'title' as title, value ->> 'date' as date, value ->> 'rate' as rate
     from option_lists, jsonb_array_elements(values) as value
     where manager_id = $1 and status <> 'Removed' and lower(name) = lower($2)
     order by value ->> 'date'`,
    [managerId, LIST_NAMES.baseRates],
  );
  const fixings: Partial<Record<BaseRate, Fixing[]>> = {};
  for (const { title, date, rate } of rows) {
    const known = fixings[title] ?? [];
    known.push({ date, rate });
    fixings[title] = known;
  }
  return fixings;
}
