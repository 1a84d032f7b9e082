import { companyChoices, companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { type NoteOverview, readNotesOverview } from '@tapeline/db/operations/monitoring/note-overview.ts';
import { listLimitRooms } from '@tapeline/db/operations/monitoring/room-in-limits.ts';
import {
  companyWithPool,
  listLatestTapesWithErrors,
  listTapesByCompany,
  poolsByCutOffDate,
} from '@tapeline/db/operations/monitoring/tapes-by-company.ts';
import { listTapesDue } from '@tapeline/db/operations/monitoring/tapes-due.ts';
import type { Session } from '@tapeline/db/store.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { tapeState } from '../tapes/tape-words.ts';
import { noteExceptions, tapeExceptions } from './exceptions.ts';
import { poolOverTapes } from './pool-over-tapes.ts';
import { readWaitingDraws } from './waiting-draws.server.ts';

/** Bars in the chart: a year of monthly tapes. */
const TAPES_SHOWN = 12;
/** Rows of each table that is not paged. Its heading shows the total count. */
const ROWS_SHOWN = 50;
/** The page is two screens long. The limits of a note are on its page and on that of its borrowing base. */
const LIMITS_SHOWN = 6;

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
  return screen.db(async (session) => {
    const { totals, notes, withExceptions } = await readNotesOverview(session, {
      withBases: maySeeBases,
      ...page,
      exceptions: ROWS_SHOWN,
    });
    const names = await companyNamesOf(
      session,
      [...notes, ...withExceptions].map(({ companyId }) => companyId),
    );
    const nameOf = ({ companyId, transactionTitle }: NoteOverview) => names.get(companyId) ?? transactionTitle;
    const tapes = maySeeTapes ? await readTapes(session, url.searchParams) : null;
    const tapesDue = maySeeTapes ? await listTapesDue(session, { limit: ROWS_SHOWN }) : null;
    const draws = can(actor, 'transactionDraw/read') ? await readWaitingDraws(session, { limit: ROWS_SHOWN }) : null;
    const limits = maySeeBases ? await listLimitRooms(session, { limit: ROWS_SHOWN }) : null;
    const limitNames = await companyNamesOf(session, limits?.limits.map(({ companyId }) => companyId) ?? []);
    const exceptions = [
      ...withExceptions.flatMap((note) =>
        noteExceptions(
          { ...note, title: `${nameOf(note)}, ${note.noteTitle}` },
          note.borrowingBase
            ? paths.borrowingBase(note.borrowingBase)
            : paths.transaction(note.transaction, { note: note.noteId }),
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
      isBorrower: actor.type === 'company',
      totals,
      notes: notes.map((note) => ({
        id: note.noteId,
        company: nameOf(note),
        transactionId: note.transaction,
        ...pick(
          note,
          'noteTitle',
          'cutOffDate',
          'netBB',
          'availableBase',
          'commitments',
          'balance',
          'approved',
          'requested',
        ),
        ...pick(note, 'availability', 'utilizationPercent'),
      })),
      companies: tapes?.companies ?? [],
      companiesTotal: tapes?.companiesTotal ?? 0,
      tapesDue,
      draws,
      limits: limits && {
        ...limits,
        // Those that are exceeded are never left out.
        limits: limits.limits.slice(0, Math.max(LIMITS_SHOWN, limits.breached)).map((limit) => ({
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

/** The data that the monitoring page's loader passes to its sections. */
export type MonitoringView = Awaited<ReturnType<typeof readMonitoring>>;

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
