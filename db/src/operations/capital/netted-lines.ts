import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { refuse } from '@tapeline/domain/errors/refusal.ts';
import { changedBy } from '../../changed-by.ts';
import { asProgram, type Session } from '../../store.ts';
import { HEADERS, type LineTable } from './headers.ts';
import { settleRequests } from './issue-approval.ts';

export const otherTable = (table: LineTable): LineTable =>
  table === 'contributions' ? 'distributions' : 'contributions';

/** The column with the day on which a call or a distribution is settled. */
export const settledOn = (table: LineTable) => HEADERS[table].days.at(-1) as 'due_date' | 'cut_off_date';

/** What lines of a call are netted with, or those of a distribution. */
interface Counterpart {
  readonly id: string;
  readonly number: string;
  readonly day: string;
}

const counterpartOf = async (session: Session, table: LineTable, id: string): Promise<Counterpart | null> => {
  const other = otherTable(table);
  const [found] = await asProgram(session, () =>
    session.query<Counterpart>(
      `select id, number, ${settledOn(other)}::text as day from ${HEADERS[other].table} where id = $1`,
      [id],
    ),
  );
  return found ?? null;
};

/** "Distribution 4". */
const nameOf = (table: LineTable, { number }: Counterpart): string =>
  `${table === 'contributions' ? 'Capital call' : 'Distribution'} ${number}`;

/**
 * What was issued with a net amount is withdrawn and changed with the other one, because its investors pay or receive the
 * difference.
 * @throws Refusal badRequest that says what to do
 */
export async function refuseIssuedNetted(
  session: Session,
  table: LineTable,
  lines: readonly { readonly status: string; readonly nettedWith?: string | null | undefined }[],
): Promise<void> {
  const netted = lines.find(({ status, nettedWith }) => status !== 'Draft' && nettedWith)?.nettedWith;
  const other = netted ? await counterpartOf(session, table, netted) : null;
  if (!other) return;
  const what = nameOf(otherTable(table), other);
  refuse(
    `This ${HEADERS[table].noun} was issued with ${what} as one net amount for each investor. Withdraw both on the page of either, and enter them again`,
    { status: 'is netted' },
  );
}

/**
 * Drafts that are netted stay on the day of the other one.
 * @throws Refusal badRequest (flag on the day)
 */
export async function requireNettedDay(
  session: Session,
  table: LineTable,
  lines: readonly {
    readonly nettedWith?: string | null | undefined;
    readonly cutOffDate: string;
    readonly dueDate?: string | undefined;
  }[],
): Promise<void> {
  const days = new Map(
    lines.flatMap(({ nettedWith, cutOffDate, dueDate = cutOffDate }) =>
      nettedWith ? [[`${nettedWith} ${dueDate}`, { nettedWith, day: dueDate }] as const] : [],
    ),
  );
  for (const { nettedWith, day } of days.values()) {
    const other = await counterpartOf(session, table, nettedWith);
    if (!other || other.day === day) continue;
    const what = nameOf(otherTable(table), other);
    refuse(
      `It is netted with ${what} of ${formatCalendarDate(other.day)}. Keep that date, or settle them separately first`,
      { [table === 'contributions' ? 'dueDate' : 'cutOffDate']: `must be the date of ${what}` },
    );
  }
}

/**
 * What draft calls or distributions of which no line is left were netted with is a draft of its own again, which is submitted
 * again.
 */
export async function separateLeft(session: Session, table: LineTable, ids: readonly string[]): Promise<void> {
  const other = otherTable(table);
  const separated = await asProgram(session, () =>
    session.query<{ id: string }>(
      `update ${other} o set netted_with = null, version = o.version + 1, metadata = o.metadata || jsonb_build_object('changedBy', $2::jsonb)
       where o.netted_with = any ($1) and o.status = 'Draft'
         and not exists (select from ${table} t where t.activity_id = o.netted_with and t.status <> 'Removed')
       returning o.activity_id as id`,
      [[...new Set(ids)], JSON.stringify(changedBy(session))],
    ),
  );
  await settleRequests(
    session,
    other,
    separated.map(({ id }) => id),
  );
}
