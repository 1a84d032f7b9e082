import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { NotePosition } from '@tapeline/domain/facilities/ledger.ts';
import type { NoteCommitments } from '@tapeline/domain/facilities/transaction.schema.ts';
import {
  availabilityAfterRequests,
  type NoteUtilization,
  notesUtilization,
} from '@tapeline/domain/facilities/utilization.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { type DecimalText, isNegative } from '@tapeline/domain/money/decimal.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { availableTodaySql } from '../borrowing-bases/available-base.ts';
import { DRAW_BASES } from '../certifications/draw-bases.ts';
import { currencyRates } from '../currencies/rates.ts';
import { positionsOfNotes } from '../ledger/note-positions.ts';

/** A note with its utilization to date. A figure that is not recorded is null, never zero. */
export interface NoteOverview extends NoteUtilization {
  transactionTitle: string;
  companyId: string;
  /** Titles of the concentration limits that its latest borrowing base breaches. */
  breaches: string[];
  /** Of that borrowing base. */
  warnings: string[];
}

/** Totals over all visible notes, not only the current page. */
export interface NoteTotals {
  notes: number;
  /** Number of notes with a borrowing base. */
  based: number;
  /** By currency, ordered by currency code. */
  netBB: Amount[];
  availability: Amount[];
  /** Availability less the requests of the same notes. */
  availabilityAfterRequests: Amount[];
  balance: Amount[];
  /** Requested draws that are not decided. */
  requested: Amount[];
  /** Number of notes in deficit. */
  deficits: number;
  /** Number of notes without a known balance. */
  unknownBalances: number;
  /** Number of notes without a known availability, which the totals do not have. */
  unavailable: number;
  /** The day to which draws and repayments count. */
  asOf: CalendarDate;
  /** The earliest and the latest cut-off date of the borrowing bases; null without any. */
  cutOffDates: { earliest: CalendarDate; latest: CalendarDate } | null;
  /** Number of deficits, breached limits (one per note) and warnings. */
  exceptions: number;
}

interface NoteRow {
  id: string;
  title: string;
  terms: NoteCommitments;
  transactionId: string;
  transactionTitle: string;
  companyId: string;
  baseId: string | null;
  cutOffDate: CalendarDate | null;
  currency: string | null;
  netBB: DecimalText | null;
  availableBase: DecimalText | null;
  breaches: string[];
  warnings: string[];
  position: NotePosition | null;
}

/**
 * Every visible note with its latest borrowing base (none if `$1` is false) and its position on the day `$2`, newest
 * transaction first.
 */
const NOTES = `
  with latest as (
    select distinct on (note_id) id, note_id, cut_off_date, currency, net_bb, ${availableTodaySql('b')} as available_base, breaches, warnings
    from ${DRAW_BASES} b where $1::boolean
    order by note_id, cut_off_date desc, code desc
  ), positions as (${positionsOfNotes('true', '$2::date')}
  ), notes as (
    select t.id as transaction_id, t.title as transaction_title, t.company_id, note.value, note.ordinality as place
    from transactions t cross join lateral jsonb_array_elements(t.notes) with ordinality as note
    where t.status <> 'Removed'
  )
  select value ->> 'id' as id, value ->> 'title' as title, transaction_id as "transactionId",
    transaction_title as "transactionTitle", company_id as "companyId",
    jsonb_build_object('mainCurrency', value -> 'mainCurrency', 'maxCommitments', coalesce(value -> 'maxCommitments', '[]'),
      'terms', jsonb_build_object('commitments', value #> '{terms,commitments}'),
      'tranches', (select coalesce(jsonb_agg(jsonb_build_object('sequence', tranche -> 'sequence',
          'sequenceActivated', tranche -> 'sequenceActivated',
          'terms', jsonb_build_object('commitments', tranche #> '{terms,commitments}')) order by position), '[]')
        from jsonb_array_elements(value -> 'tranches') with ordinality as tranches (tranche, position))) as terms,
    latest.id as "baseId", latest.cut_off_date::text as "cutOffDate", latest.currency, latest.net_bb::text as "netBB",
    latest.available_base::text as "availableBase",
    coalesce(breaches, '[]') as breaches, coalesce(warnings, '[]') as warnings, positions.position
  from notes left join latest on latest.note_id = value ->> 'id' left join positions on positions.note_id = value ->> 'id'
  order by transaction_id desc, place`;

const isInDeficit = ({ availability }: NoteOverview) => availability !== null && isNegative(availability.sum);
const exceptionsOf = (note: NoteOverview): number =>
  Number(isInDeficit(note)) + Number(note.breaches.length > 0) + note.warnings.length;

/** Deficits first, then the most used; a note whose use is unknown comes last. */
const byUse = (one: NoteOverview, other: NoteOverview): number =>
  Number(isInDeficit(other)) - Number(isInDeficit(one)) ||
  (other.utilizationPercent ?? -1) - (one.utilizationPercent ?? -1);

const amountsOf = (amounts: readonly (Amount | null)[]): Amount[] =>
  totalByCurrency(amounts.filter((amount) => amount !== null)).sort((a, b) => (a.currency < b.currency ? -1 : 1));

function totalsOf(notes: readonly NoteOverview[], asOf: CalendarDate): NoteTotals {
  const dates = notes.flatMap(({ cutOffDate }) => cutOffDate ?? []).sort();
  const [earliest, latest] = [dates[0], dates.at(-1)];
  return {
    notes: notes.length,
    based: dates.length,
    netBB: amountsOf(notes.map(({ netBB }) => netBB)),
    availability: amountsOf(notes.map(({ availability }) => availability)),
    availabilityAfterRequests: amountsOf(notes.map(availabilityAfterRequests)),
    balance: amountsOf(notes.map(({ balance }) => balance)),
    requested: amountsOf(notes.map(({ requested }) => requested)),
    deficits: notes.filter(isInDeficit).length,
    unknownBalances: notes.filter(({ balance }) => balance === null).length,
    unavailable: notes.filter(({ availability }) => availability === null).length,
    asOf,
    cutOffDates: earliest && latest ? { earliest, latest } : null,
    exceptions: notes.reduce((count, note) => count + exceptionsOf(note), 0),
  };
}

/**
 * The notes of visible transactions, newest transaction first: totals over all of them, one page, and those with a
 * deficit, a breached limit or a warning, deficits first. All three are of the same figures, which one query reads: what
 * each note may draw today, from its latest borrowing base, its commitments in force and its ledger.
 * @param command.withBases whether the actor can read borrowing bases
 * @param command.order of the page: the newest transaction first, or deficits and then the most used note first
 */
export async function readNotesOverview(
  session: Session,
  command: { withBases: boolean; skip?: number; limit: number; exceptions: number; order?: 'newest' | 'used' },
): Promise<{ totals: NoteTotals; notes: NoteOverview[]; withExceptions: NoteOverview[] }> {
  const { skip = 0, limit } = command;
  const asOf = todayOf(session);
  const rows = await session.query<NoteRow>(NOTES, [command.withBases, asOf], { kept: true });
  const { rates } = await currencyRates(session);
  const utilization = notesUtilization(
    rows.map(({ id, title, terms, transactionId }) => ({ id: transactionId, notes: [{ ...terms, id, title }] })),
    {
      figures: rows.flatMap(({ id: noteId, baseId, cutOffDate, currency, netBB, availableBase }) =>
        baseId && cutOffDate && currency && netBB
          ? [{ id: baseId, noteId, cutOffDate, currency, netBB, availableBase }]
          : [],
      ),
      positions: new Map(rows.flatMap(({ id, position }) => (position ? [[id, position] as const] : []))),
    },
    { rates },
  );
  const notes = utilization.map((note, at): NoteOverview => {
    const { transactionTitle = '', companyId = '', breaches = [], warnings = [] } = rows[at] ?? {};
    return { ...note, transactionTitle, companyId, breaches, warnings };
  });
  const withExceptions = notes.filter((note) => exceptionsOf(note) > 0);
  return {
    totals: totalsOf(notes, asOf),
    notes: (command.order === 'used' ? notes.toSorted(byUse) : notes).slice(skip, skip + limit),
    withExceptions: [
      ...withExceptions.filter(isInDeficit),
      ...withExceptions.filter((note) => !isInDeficit(note)),
    ].slice(0, command.exceptions),
  };
}
