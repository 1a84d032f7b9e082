import type { StoredNote } from '@tapeline/db/entities/lending.ts';
import { companyChoices, companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import {
  listNoteOverviews,
  listNotesWithExceptions,
  type NoteOverview,
  totalNotes,
} from '@tapeline/db/operations/monitoring/note-overview.ts';
import { listLimitRooms } from '@tapeline/db/operations/monitoring/room-in-limits.ts';
import {
  companyWithPool,
  listLatestTapesWithErrors,
  listTapesByCompany,
  poolsByCutOffDate,
} from '@tapeline/db/operations/monitoring/tapes-by-company.ts';
import { listTapesDue } from '@tapeline/db/operations/monitoring/tapes-due.ts';
import { utilizationOfNotes } from '@tapeline/db/operations/transactions/note-utilization.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { NoteUtilization } from '@tapeline/domain/facilities/utilization.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { tapeState } from '../tapes/tape-words.ts';
import { noteExceptions, tapeExceptions } from './exceptions.ts';
import { poolOverTapes } from './pool-over-tapes.ts';
import { readWaitingDraws } from './waiting-draws.server.ts';

/** Bars in the chart: a year of monthly tapes. */
const TAPES_SHOWN = 12;
/** Rows of each table that is not paged. Its heading shows the total count. */
const ROWS_SHOWN = 50;

/**
 * An overview of lending: what each note may draw, the latest tape of each company, and what needs attention. It
 * contains only what the actor may see. Totals and counts cover everything. Tables are bounded pages.
 * @param page page of the notes table
 */
export async function readMonitoring(
  screen: Pick<Screen, 'actor' | 'url' | 'db'>,
  page: { skip?: number; limit: number },
) {
  const { actor, url } = screen;
  const maySeeTapes = can(actor, 'assets/read');
  const maySeeBases = can(actor, 'borrowingBase/read');
  const withBases = maySeeBases;
  return screen.db(async (session) => {
    const totals = await totalNotes(session, { withBases });
    const notes = await listNoteOverviews(session, { withBases, ...page });
    const withExceptions = await listNotesWithExceptions(session, { withBases, limit: ROWS_SHOWN });
    const names = await companyNamesOf(
      session,
      [...notes, ...withExceptions].map(({ companyId }) => companyId),
    );
    const nameOf = ({ companyId, transactionTitle }: NoteOverview) => names.get(companyId) ?? transactionTitle;
    const utilization = await utilizationOf(session, notes, { withBases });
    const tapes = maySeeTapes ? await readTapes(session, url.searchParams) : null;
    const tapesDue = maySeeTapes ? await listTapesDue(session, { limit: ROWS_SHOWN }) : null;
    const draws = can(actor, 'transactionDraw/read') ? await readWaitingDraws(session, { limit: ROWS_SHOWN }) : null;
    const limits = maySeeBases ? await listLimitRooms(session, { limit: ROWS_SHOWN }) : null;
    const limitNames = await companyNamesOf(session, limits?.limits.map(({ companyId }) => companyId) ?? []);
    const exceptions = [
      ...withExceptions.flatMap((note) =>
        noteExceptions(
          { ...note, title: `${nameOf(note)}, ${note.title}` },
          note.baseId ? paths.borrowingBase(note.baseId) : paths.transaction(note.transactionId),
        ),
      ),
      ...(tapes?.wrong.tapes ?? []).flatMap((tape) =>
        tapeExceptions({
          id: tape.id,
          name: tape.name,
          state: tapeState(tape),
          failure: tape.failure,
          errored: tape.counts?.errored ?? 0,
          dataRows: tape.counts?.dataRows ?? 0,
        }),
      ),
    ];
    return {
      totals,
      notes: notes.map((note) => ({
        id: note.id,
        company: nameOf(note),
        noteTitle: note.title,
        transactionId: note.transactionId,
        baseId: note.baseId,
        cutOffDate: note.cutOffDate,
        netBB: note.netBB !== null && note.currency !== null ? { sum: note.netBB, currency: note.currency } : null,
        ...drawnOf(utilization.get(note.id)),
      })),
      companies: tapes?.companies ?? [],
      companiesTotal: tapes?.companiesTotal ?? 0,
      tapesDue,
      draws,
      limits: limits && {
        ...limits,
        limits: limits.limits.map((limit) => ({
          ...limit,
          company: limitNames.get(limit.companyId) ?? limit.transactionTitle,
        })),
      },
      exceptions: exceptions.slice(0, ROWS_SHOWN),
      exceptionsTotal: totals.exceptions + (tapes?.wrong.total ?? 0),
      maySeeTapes,
      maySeeBases,
      mayUpload: can(actor, 'assets/write'),
      charted: tapes?.charted ?? null,
      picker: tapes?.picker ?? null,
    };
  });
}

/** How far each of these notes is drawn to date, by note id. */
async function utilizationOf(
  session: Session,
  notes: readonly NoteOverview[],
  { withBases }: { withBases: boolean },
): Promise<Map<string, NoteUtilization>> {
  const ids = [...new Set(notes.map(({ transactionId }) => transactionId))];
  const shown = new Set(notes.map(({ id }) => id));
  const rows = await session.query<{ id: string; notes: StoredNote[] }>(
    'select id, notes from transactions where id = any ($1)',
    [ids],
  );
  const transactions = rows.map((row) => ({ id: row.id, notes: row.notes.filter(({ id }) => shown.has(id)) }));
  const found = await utilizationOfNotes(session, transactions, { withBases });
  return new Map(found.map((note) => [note.noteId, note]));
}

const drawnOf = (note: NoteUtilization | undefined) => ({
  commitments: note?.commitments ?? null,
  drawn: note?.balance ?? null,
  availability: note?.availability ?? null,
  utilizationPercent: note?.utilizationPercent ?? null,
});

async function readTapes(session: Session, search: URLSearchParams) {
  const { companies, total } = await listTapesByCompany(session, { limit: ROWS_SHOWN });
  const wrong = await listLatestTapesWithErrors(session, { limit: ROWS_SHOWN });
  const company = await companyWithPool(session, { asked: search.get('company') });
  return {
    companiesTotal: total,
    wrong,
    companies: companies.map(({ id, name, tapes, latest, counts }) => ({
      id,
      name,
      tapes,
      latest: { id: latest.id, name: latest.name, cutOffDate: latest.cutOffDate, state: tapeState(latest) },
      assets: counts?.assets ?? null,
      errored: counts?.errored ?? null,
    })),
    charted: company && {
      ...company,
      pool: poolOverTapes(await poolsByCutOffDate(session, { companyId: company.id, limit: TAPES_SHOWN }), TAPES_SHOWN),
    },
    picker:
      company && (await companyChoices(session, { search: search.get('find'), chosen: company.id, withPool: true })),
  };
}
