import { covenantCollection } from '@tapeline/domain/covenants/covenant.collection.ts';
import type { CovenantCreate, CovenantTerms, CovenantUpdate } from '@tapeline/domain/covenants/covenant.schema.ts';
import { type CovenantState, MAX_COVENANTS_PER_NOTE } from '@tapeline/domain/covenants/covenant-labels.ts';
import { covenantState, expectedTest } from '@tapeline/domain/covenants/covenant-state.ts';
import { limitOn, testCovenant } from '@tapeline/domain/covenants/test-covenant.ts';
import { nextTestDate, periodsOf } from '@tapeline/domain/covenants/test-dates.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Covenant, type CovenantResult } from '../../entities/covenants.ts';
import type { Transaction } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { knownFigures } from './covenant-figures.ts';
import { namesOf, termsOf, testDueCovenants } from './test-due-covenants.ts';

export const COVENANTS = listOf('covenants', {
  transaction: 't.transaction_id',
  note: 't.note_id',
});

/** What the test of a date found, as lists and pages show it. */
export interface ResultView extends Pick<CovenantResult, 'id' | 'outcome' | 'periods' | 'terms'> {
  readonly testDate: CalendarDate;
  readonly value: DecimalText;
  readonly limitValue: DecimalText | null;
  readonly headroom: DecimalText | null;
  /** ISO instant. */
  readonly testedAt: string;
  readonly cureUntil: CalendarDate | null;
  readonly curedOn: CalendarDate | null;
  readonly curedBy: string | null;
  readonly cureReason: string | null;
  readonly cureFileId: string | null;
  readonly waivedUntil: CalendarDate | null;
  /** The waiver of it that waits for a second person. */
  readonly requestedWaiver: string | null;
}

/** A covenant with how it stands today, and its last results, the latest first. */
export type CovenantView = Covenant & {
  readonly companyName: string;
  readonly transactionTitle: string;
  readonly noteTitle: string;
  readonly state: CovenantState;
  readonly nextTest: CalendarDate;
  /** The limit of the latest result, or that of the next test before there is one. */
  readonly limit: DecimalText | null;
  readonly results: readonly ResultView[];
};

/** Results that are read with a covenant: enough to draw its trend. */
const LISTED_RESULTS = 12;

const RESULT_COLUMNS = `r.id, r.covenant_id as "covenantId", r.test_date::text as "testDate", r.outcome, r.value::text as value,
  r.limit_value::text as "limitValue", r.headroom::text as headroom, r.periods, r.terms,
  to_char(r.tested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "testedAt", r.cure_until::text as "cureUntil",
  r.cured_on::text as "curedOn", r.cured_by ->> 'name' as "curedBy", r.cure_reason as "cureReason", r.cure_file_id as "cureFileId",
  (select max(w.waived_until)::text from covenant_waivers w where w.result_id = r.id and w.status = 'Approved') as "waivedUntil",
  (select w.id from covenant_waivers w where w.result_id = r.id and w.status = 'Requested') as "requestedWaiver"`;

const NAMES = `select page.id, c.name as "companyName", one.title as "transactionTitle", note.value ->> 'title' as "noteTitle"
  from page join transactions one on one.id = page.transaction_id join companies c on c.id = page.company_id
  join lateral jsonb_array_elements(one.notes) as note on note.value ->> 'id' = page.note_id`;
const RESULTS = `select last.* from page cross join lateral (select ${RESULT_COLUMNS} from covenant_results r
    where r.covenant_id = page.id and r.status = 'Active' order by r.test_date desc limit ${LISTED_RESULTS}) as last
  order by "testDate" desc`;

type Named = Pick<CovenantView, 'id' | 'companyName' | 'transactionTitle' | 'noteTitle'>;

/** The state of a covenant on a day, its next test and its limit, from its latest result. */
export function standingOf(covenant: Covenant, results: readonly ResultView[], today: CalendarDate) {
  const terms = termsOf(covenant);
  const nextTest = nextTestDate(terms, today);
  return {
    state: covenantState(terms, results[0] ?? null, today),
    nextTest,
    limit: results[0] ? results[0].limitValue : limitOn(terms.steps, nextTest),
  };
}

/** A result as the actor sees it: who may not read borrowing bases does not see their figures, only what they come to. */
function seenBy<Result extends Pick<ResultView, 'periods'>>({ actor }: ReadSession, result: Result): Result {
  if (can(actor, 'borrowingBase/read')) return result;
  const periods = result.periods.map((period) => ({
    ...period,
    figures: period.figures.filter(({ source }) => source.resource !== 'borrowingBases'),
  }));
  return { ...result, periods };
}

const VIEWS = viewsOf(
  COVENANTS,
  [NAMES, RESULTS],
  (
    covenants,
    [names = [], results = []]: [Named[]?, (ResultView & { covenantId: string })[]?],
    session,
  ): CovenantView[] => {
    const named = new Map(names.map((row) => [row.id, row]));
    const byCovenant = Map.groupBy(results, ({ covenantId }) => covenantId);
    const today = todayOf(session);
    return covenants.map((covenant) => {
      const { companyName = '', transactionTitle = '', noteTitle = '' } = named.get(covenant.id) ?? {};
      const own = (byCovenant.get(covenant.id) ?? []).map((result) => seenBy(session, result));
      return {
        ...covenant,
        companyName,
        transactionTitle,
        noteTitle,
        ...standingOf(covenant, own, today),
        results: own,
      };
    });
  },
);
export const listCovenants = VIEWS.list;

/** @throws Refusal notFound */
export const getCovenant = async (session: Session, id: string): Promise<CovenantView> =>
  VIEWS.one(session, await getDocument(session, COVENANTS, id));

/** What is known of the test whose figures are late, as the actor sees it. Null if no figures are expected yet. */
export async function lateTest(session: ReadSession, covenant: Covenant) {
  const terms = termsOf(covenant);
  const date = expectedTest(terms, todayOf(session));
  if (date === null) return null;
  const [first] = periodsOf(terms, date);
  const window = { after: first?.after ?? date, to: date, names: namesOf(covenant) };
  const figures = await knownFigures(session, covenant.companyId, window);
  const tested = testCovenant(terms, date, figures.of(covenant.noteId));
  const missing = tested.outcome === null ? tested.missing : null;
  return seenBy(session, { date, missing, periods: [...tested.periods] });
}

/** All results of a covenant that count, and those that another test of their date superseded, the latest first. */
export async function resultsOfCovenant(
  session: ReadSession,
  covenantId: string,
): Promise<(ResultView & { status: string })[]> {
  const results = await session.query<ResultView & { status: string }>(
    `select r.status, ${RESULT_COLUMNS} from covenant_results r where r.covenant_id = $1 order by r.test_date desc, r.code desc limit 400`,
    [covenantId],
  );
  return results.map((result) => seenBy(session, result));
}

export function requireCovenants(session: Session): void {
  requirePermission(session, covenantCollection.write);
  refuseBorrower(session, 'Only the manager can change covenants');
}

const columnsOf = ({
  clause,
  clauseText,
  currency,
  warningDistance,
  defaultRate,
  springing,
  ...terms
}: CovenantTerms) => ({
  ...terms,
  clause: clause || null,
  clauseText: clauseText || null,
  currency: currency ?? null,
  warningDistance: warningDistance ?? null,
  defaultRate: defaultRate == null ? null : String(defaultRate),
  springing: springing ?? null,
});

/** The database holds the number as well, for covenants that are created at once. @throws Refusal badRequest */
async function requireRoom(session: Session, noteId: string): Promise<void> {
  if ((await session.em.count(Covenant, { noteId, status: { $ne: 'Removed' } })) < MAX_COVENANTS_PER_NOTE) return;
  throw new Refusal('badRequest', `A note has at most ${MAX_COVENANTS_PER_NOTE} covenants. Remove one first`);
}

/** @throws Refusal badRequest if the note has a covenant of this title */
async function requireOnlyTitle(session: Session, covenant: Pick<Covenant, 'id' | 'noteId' | 'title'>): Promise<void> {
  const [other] = await session.query(
    `select 1 from covenants where note_id = $1 and lower(title) = lower($2) and status <> 'Removed' and id <> $3`,
    [covenant.noteId, covenant.title, covenant.id],
  );
  if (other) {
    throw new Refusal('badRequest', undefined, { flags: { title: 'is the title of another covenant of this note' } });
  }
}

/**
 * Creates a covenant of a note, and makes the tests whose date has come.
 * @throws Refusal forbidden; notFound; badRequest for a note that the facility does not have, or a title that is taken, or a note that
 *   has the most covenants
 */
export async function createCovenant(
  session: Session,
  { transaction: transactionId, note, ...terms }: CovenantCreate,
): Promise<CovenantView> {
  requireCovenants(session);
  const transaction: Transaction = await getDocument(session, TRANSACTIONS, transactionId);
  if (!transaction.notes.some(({ id }) => id === note)) {
    throw new Refusal('badRequest', undefined, { flags: { note: 'is not a note of this facility' } });
  }
  await requireRoom(session, note);
  const id = newId(session.now);
  await requireOnlyTitle(session, { id, noteId: note, title: terms.title });
  session.em.create(Covenant, {
    id,
    managerId: transaction.managerId,
    companyId: transaction.companyId,
    transactionId,
    noteId: note,
    ...columnsOf(terms),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  await testDueCovenants(session, { id });
  return getCovenant(session, id);
}

/**
 * Changes the terms of a covenant. Earlier results stay as they are.
 * @throws Refusal forbidden; notFound; badRequest if the version is stale, or the title is taken
 */
export async function updateCovenant(
  session: Session,
  { id, body: { version, status, ...terms } }: { id: string; body: CovenantUpdate },
): Promise<CovenantView> {
  requireCovenants(session);
  const covenant = await getDocument(session, COVENANTS, id);
  if (covenant.version !== version) throw staleRefusal(covenant, version);
  await requireOnlyTitle(session, { id, noteId: covenant.noteId, title: terms.title });
  await storeChange(session, covenant, {
    ...columnsOf(terms),
    ...(status === undefined ? {} : { status }),
  });
  await testDueCovenants(session, { id });
  return getCovenant(session, id);
}

/** Removes a covenant with its consequences. @throws Refusal forbidden; notFound; badRequest if the terms of its note name it */
export async function removeCovenant(session: Session, id: string): Promise<void> {
  requireCovenants(session);
  const covenant = await getDocument(session, COVENANTS, id);
  const [used] = await session.query('select 1 where is_pricing($1, $2)', [id, covenant.transactionId]);
  if (used) {
    throw new Refusal(
      'badRequest',
      'The note’s pricing grid uses this covenant. Change the terms of the note first, or disable the covenant: its last result then stays in effect',
    );
  }
  await storeChange(session, covenant, { status: 'Removed' });
}

/** The covenants in force of a note, of a borrower or of all, with how they stand. At most 1,000. */
export async function covenantStandings(
  session: ReadSession,
  { noteId, companyId, consequences }: { noteId?: string; companyId?: string; consequences?: readonly string[] } = {},
): Promise<CovenantView[]> {
  const filter = {
    status: 'Active',
    ...(noteId === undefined ? {} : { note: noteId }),
    ...(companyId === undefined ? {} : { company: companyId }),
    ...(consequences === undefined ? {} : { consequence: { in: [...consequences] } }),
  };
  return (await listCovenants(session, { filter, limit: MAX_STANDINGS })).documents;
}
const MAX_STANDINGS = 1_000;
