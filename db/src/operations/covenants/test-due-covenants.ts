import { COVENANT_TERMS, type CovenantTerms } from '@tapeline/domain/covenants/covenant.schema.ts';
import { figureNames } from '@tapeline/domain/covenants/covenant-formula.ts';
import { cureUntilOf } from '@tapeline/domain/covenants/covenant-state.ts';
import { covenantFigure, outcomeInWords } from '@tapeline/domain/covenants/covenant-words.ts';
import { testCovenant } from '@tapeline/domain/covenants/test-covenant.ts';
import { periodsOf, testDatesUntil } from '@tapeline/domain/covenants/test-dates.ts';
import { type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Covenant, CovenantResult } from '../../entities/covenants.ts';
import { newId } from '../../ids.ts';
import { plainJson } from '../../plain-json.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { createdMetadata } from '../metadata.ts';
import { tell } from '../outbox/tell.ts';
import { knownFigures } from './covenant-figures.ts';

/** So many of the last test dates of a covenant are tested when their figures arrive late. */
const MAX_LATE_TESTS = 36;

/** The terms of a covenant, as tests read them. */
export const termsOf = (covenant: Covenant): CovenantTerms =>
  ({
    ...pick(covenant, ...COVENANT_TERMS),
    defaultRate:
      covenant.defaultRate === null || covenant.defaultRate === undefined ? null : Number(covenant.defaultRate),
  }) as CovenantTerms;

/** The covenants of a borrower, of a note, or one of them. */
export type WhichCovenants = { companyId: string } | { noteId: string } | { id: string };

/**
 * Makes the tests whose date has come and whose figures are all there, each once: what arrives later does not change them.
 * People who see the covenant are notified of a breach.
 * @returns what was found
 */
export function testDueCovenants(session: Session, which: WhichCovenants): Promise<CovenantResult[]> {
  return asProgram(session, async () => {
    // Two reports that arrive at once make a test once.
    await session.query(
      `select 1 from covenants where status = 'Active' and ${'companyId' in which ? 'company_id' : 'noteId' in which ? 'note_id' : 'id'} = $1 order by id for no key update`,
      [Object.values(which)[0]],
    );
    const covenants = await session.em.find(Covenant, { ...which, status: 'Active' }, { orderBy: { code: 'asc' } });
    if (covenants.length === 0) return [];
    const tested = await session.em.find(
      CovenantResult,
      { covenantId: { $in: covenants.map(({ id }) => id) }, status: 'Active' },
      { fields: ['covenantId', 'testDate'] },
    );
    const isTested = new Set(tested.map(({ covenantId, testDate }) => `${covenantId}/${testDate}`));
    const due = covenants.flatMap((covenant) =>
      testDatesUntil(termsOf(covenant), todayOf(session), MAX_LATE_TESTS)
        .filter((date) => !isTested.has(`${covenant.id}/${date}`))
        .map((date) => ({ covenant, date })),
    );
    return testAll(session, due);
  });
}

/** One test of a covenant on a date. */
export interface DueTest {
  readonly covenant: Covenant;
  readonly date: CalendarDate;
}

/** The figures that a covenant reads. */
export const namesOf = ({ formula, springing }: Covenant): string[] =>
  [formula, ...(springing ? [springing.formula] : [])].flatMap(figureNames);

/** Makes these tests, of one or more borrowers, and stores those whose figures are known. Called as the program. */
export async function testAll(session: Session, due: readonly DueTest[]): Promise<CovenantResult[]> {
  const found: CovenantResult[] = [];
  for (const companyId of new Set(due.map(({ covenant }) => covenant.companyId))) {
    const ofCompany = due.filter(({ covenant }) => covenant.companyId === companyId);
    const periods = ofCompany.flatMap(({ covenant, date }) => periodsOf(termsOf(covenant), date));
    const figures = await knownFigures(session, companyId, {
      after: periods.map(({ after }) => after).sort()[0]!,
      to: periods
        .map(({ to }) => to)
        .sort()
        .at(-1)!,
      names: ofCompany.flatMap(({ covenant }) => namesOf(covenant)),
    });
    for (const { covenant, date } of ofCompany) {
      const result = resultOf(session, { covenant, date }, figures.of(covenant.noteId));
      if (result) found.push(result);
    }
  }
  await session.em.flush();
  for (const result of found) await tellOfBreach(session, result);
  return found;
}

function resultOf(
  session: Session,
  { covenant, date }: DueTest,
  figures: Parameters<typeof testCovenant>[2],
): CovenantResult | null {
  const terms = termsOf(covenant);
  const tested = testCovenant(terms, date, figures);
  if (tested.outcome === null) return null;
  const isBreached = tested.outcome === 'breached';
  return session.em.create(CovenantResult, {
    id: newId(session.now),
    ...pick(covenant, 'managerId', 'companyId', 'transactionId'),
    covenantId: covenant.id,
    testDate: date,
    outcome: tested.outcome,
    value: tested.value,
    limitValue: 'limit' in tested ? tested.limit : null,
    headroom: 'headroom' in tested ? tested.headroom : null,
    periods: [...tested.periods],
    terms: plainJson(terms),
    testedAt: session.now,
    cureUntil: isBreached ? cureUntilOf(todayOf(session), terms.cureDays) : null,
    metadata: createdMetadata(session),
  });
}

/** Tells the manager and the borrower of the breach of the latest test. */
async function tellOfBreach(session: Session, result: CovenantResult): Promise<void> {
  if (result.outcome !== 'breached' || result.terms.consequence === 'none') return;
  const later = await session.em.count(CovenantResult, {
    covenantId: result.covenantId,
    status: 'Active',
    testDate: { $gt: result.testDate },
  });
  if (later > 0) return;
  const [names] = await session.query<{ company: string; transaction: string; note: string }>(
    `select c.name as company, t.title as transaction, note.value ->> 'title' as note
     from covenants k join companies c on c.id = k.company_id join transactions t on t.id = k.transaction_id
       join lateral jsonb_array_elements(t.notes) as note on note.value ->> 'id' = k.note_id where k.id = $1`,
    [result.covenantId],
  );
  const { terms } = result;
  await tell(session, {
    kind: 'covenantBreached',
    resource: 'covenants',
    documentId: result.covenantId,
    key: `covenant-breached/${result.id}`,
    to: [
      { manager: result.managerId, can: 'transactions/read' },
      { company: result.companyId, can: 'transactions/read' },
    ],
    subject: `${terms.title} of ${names?.company ?? 'a borrower'} was breached`,
    lines: [
      `${names?.company}, ${names?.transaction}, ${names?.note}`,
      `Test of ${formatCalendarDate(result.testDate)}: ${covenantFigure(terms, result.value)}, ${outcomeInWords(terms, result)}`,
      ...(result.cureUntil ? [`It can be cured until ${formatCalendarDate(result.cureUntil)}.`] : []),
    ],
    page: `/monitoring/covenants/${result.covenantId}`,
    pageTitle: 'Open the covenant',
  });
}

/** The borrowers with a covenant that is tested. Called as the program. */
export async function borrowersWithCovenants(session: Session): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select distinct company_id as id from covenants where status = 'Active' order by 1`,
  );
  return rows.map(({ id }) => id);
}
