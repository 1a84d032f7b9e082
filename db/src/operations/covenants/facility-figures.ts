import { CERTIFICATE_FIGURE_NAMES } from '@tapeline/domain/covenants/certificate-figures.ts';
import { type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { impossibleTransition } from '@tapeline/domain/documents/transitions.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { facilityFigureCollection } from '@tapeline/domain/facility-figures/facility-figure.collection.ts';
import type {
  FacilityFigureCreate,
  FacilityFigureUpdate,
} from '@tapeline/domain/facility-figures/facility-figure.schema.ts';
import { type FigureLine, LINE_COLUMNS } from '@tapeline/domain/facility-figures/figure-lines.ts';
import { minorUnitProblem } from '@tapeline/domain/money/amount.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { FacilityFigure } from '../../entities/covenants.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { getCompany } from '../companies/companies.ts';
import { namedDocument } from '../files/files.ts';
import { actingPerson } from '../investors/payout-accounts.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata, storeChange } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { testDueCovenants } from './test-due-covenants.ts';

/** Where the files of figures, cures and waivers are. */
export const COVENANT_BUCKET = 'capitalAccounts';

export const FACILITY_FIGURES = listOf('facilityFigures', {});

/** A figure with the name of its borrower. */
export type FacilityFigureView = FacilityFigure & { companyName: string };

const VIEWS = viewsOf(
  FACILITY_FIGURES,
  ['select page.id, c.name from page join companies c on c.id = page.company_id'],
  (figures, [rows = []]): FacilityFigureView[] => {
    const names = new Map((rows as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
    return figures.map((figure) => ({ ...figure, companyName: names.get(figure.id) ?? '' }));
  },
);
export const listFacilityFigures = VIEWS.list;

/** @throws Refusal notFound */
export const getFacilityFigure = async (session: Session, id: string): Promise<FacilityFigureView> =>
  VIEWS.one(session, await getDocument(session, FACILITY_FIGURES, id));

/** What is wrong with a figure, by its field; null if nothing is. */
function figureProblem(
  session: Session,
  { title, value, currency, date }: Pick<FacilityFigureCreate, 'title' | 'value' | 'currency' | 'date'>,
): Record<string, string> | null {
  if (CERTIFICATE_FIGURE_NAMES.some((name) => name.toLowerCase() === title.toLowerCase())) {
    return { title: 'is a figure of every certificate. Use another name' };
  }
  if (date > todayOf(session)) return { date: 'must not be in the future' };
  const problem = currency ? minorUnitProblem(value, currency) : null;
  return problem === null ? null : { value: problem };
}

function requireFigure(session: Session, figure: Parameters<typeof figureProblem>[1]): void {
  const flags = figureProblem(session, figure);
  if (flags) throw new Refusal('badRequest', undefined, { flags });
}

/** Two figures of one name and day would leave open which one counts. */
async function requireOnly(session: Session, companyId: string, figures: readonly FacilityFigure[]): Promise<void> {
  const [taken] = await session.query<{ title: string; date: CalendarDate }>(
    `select given.title, given.day::text as date
     from unnest($2::text[], $3::date[], $4::text[]) as given (title, day, id)
       join facility_figures f on f.company_id = $1 and lower(f.title) = lower(given.title) and f.date = given.day
     where f.status <> 'Removed' and f.id <> given.id limit 1`,
    [companyId, figures.map(({ title }) => title), figures.map(({ date }) => date), figures.map(({ id }) => id)],
  );
  if (!taken) return;
  throw new Refusal(
    'badRequest',
    `This borrower already has the figure ${taken.title} for ${formatCalendarDate(taken.date)}. Change or remove it instead`,
  );
}

function requireWriting(session: Session): void {
  requirePermission(session, facilityFigureCollection.write);
  refuseBorrower(session, 'Only the manager can enter figures');
}

/**
 * Enters a figure of a borrower. Tests read it once somebody else has reviewed it.
 * @throws Refusal forbidden; notFound; badRequest for a day in the future, a name or day that is taken, more decimals than the
 *   currency has, or a document that is no uploaded file
 */
export async function createFacilityFigure(session: Session, body: FacilityFigureCreate): Promise<FacilityFigureView> {
  requireWriting(session);
  requireFigure(session, body);
  const { id: companyId, managerId } = await getCompany(session, body.company);
  const figure = await newFigure(session, { companyId, managerId }, body);
  await requireOnly(session, companyId, [figure]);
  await session.em.flush();
  return VIEWS.one(session, figure);
}

/**
 * Enters several figures of a borrower, all of them or none.
 * @throws Refusal as `createFacilityFigure`, with the line of the figure that is wrong
 */
export async function createFacilityFigures(
  session: Session,
  { company: id, lines }: { readonly company: string; readonly lines: readonly FigureLine[] },
): Promise<void> {
  requireWriting(session);
  for (const { line, ...figure } of lines) {
    const [[field, problem] = []] = Object.entries(figureProblem(session, figure) ?? {});
    if (field === undefined) continue;
    throw new Refusal('badRequest', undefined, {
      flags: { lines: `Line ${line}, ${LINE_COLUMNS[field] ?? field}: ${problem}` },
    });
  }
  const { id: companyId, managerId } = await getCompany(session, id);
  const figures: FacilityFigure[] = [];
  for (const line of lines) figures.push(await newFigure(session, { companyId, managerId }, line));
  await requireOnly(session, companyId, figures);
  await session.em.flush();
}

type Entered = Omit<FacilityFigureCreate, 'company'>;

const newFigure = async (session: Session, of: { companyId: string; managerId: string }, body: Entered) =>
  session.em.create(FacilityFigure, {
    id: newId(session.now),
    ...of,
    ...(await entered(session, body, of.companyId)),
    metadata: createdMetadata(session),
  });

const entered = async (
  session: Session,
  { title, date, value, currency, remark, document }: Entered,
  companyId: string,
) => ({
  title,
  date,
  value,
  currency: currency ?? null,
  remark: remark || null,
  fileId: (await namedDocument(session, { bucket: COVENANT_BUCKET, document, companyId }))?.id ?? null,
  enteredBy: actingPerson(session),
});

/** @throws Refusal badRequest for a figure that is reviewed, because results were calculated from it */
function requireOpen(figure: FacilityFigure): void {
  if (figure.status === 'Entered') return;
  throw new Refusal('badRequest', 'This figure was reviewed. Remove it, and enter the right one');
}

/** Changes a figure that is not reviewed. @throws Refusal as `createFacilityFigure`; badRequest if the version is stale */
export async function updateFacilityFigure(
  session: Session,
  { id, body }: { id: string; body: FacilityFigureUpdate },
): Promise<FacilityFigureView> {
  requireWriting(session);
  const figure = await getDocument(session, FACILITY_FIGURES, id);
  if (figure.version !== body.version) throw staleRefusal(figure, body.version);
  if (body.status !== undefined && body.status !== figure.status) {
    throw impossibleTransition('a facility figure', figure.status, body.status);
  }
  requireOpen(figure);
  requireFigure(session, body);
  session.em.assign(figure, await entered(session, body, figure.companyId));
  await requireOnly(session, figure.companyId, [figure]);
  figure.metadata = changedMetadata(session, figure.metadata);
  await session.em.flush();
  return VIEWS.one(session, figure);
}

/**
 * Reviews a figure, and makes the tests that it was missing for.
 * @throws Refusal forbidden; notFound; badRequest for the person who entered it, or a figure that is reviewed
 */
export async function reviewFacilityFigure(session: Session, id: string): Promise<FacilityFigureView> {
  requireWriting(session);
  const figure = await getDocument(session, FACILITY_FIGURES, id);
  if (figure.status !== 'Entered') throw new Refusal('badRequest', 'This figure was already reviewed. Reload the page');
  const person = actingPerson(session);
  if (figure.enteredBy.id === person.id) {
    throw new Refusal('badRequest', 'You entered this figure, so someone else must review it');
  }
  await storeChange(session, figure, {
    status: 'Reviewed',
    reviewedBy: person,
    reviewedAt: session.now,
  });
  await testDueCovenants(session, { companyId: figure.companyId });
  return VIEWS.one(session, figure);
}

/** Removes a figure. Results that read it stay as they are. @throws Refusal forbidden; notFound */
export async function removeFacilityFigure(session: Session, id: string): Promise<void> {
  requireWriting(session);
  const figure = await getDocument(session, FACILITY_FIGURES, id);
  await storeChange(session, figure, { status: 'Removed' });
}

/** The names of the figures of a borrower that are entered, for the form of a formula. */
export async function figureTitles(session: ReadSession, companyId: string): Promise<string[]> {
  const rows = await session.query<{ title: string }>(
    `select min(title) as title from facility_figures where company_id = $1 and status <> 'Removed' group by lower(title) order by 1`,
    [companyId],
  );
  return rows.map(({ title }) => title);
}

/** The names that formulas of a note can use, besides those that every certificate has. */
export interface NamesForFormulas {
  /** The values of its contract in force. */
  readonly ofContract: readonly string[];
  /** The figures of the borrower that were entered. */
  readonly ofBorrower: readonly string[];
}

export async function namesForFormulas(
  session: ReadSession,
  { noteId, companyId }: { noteId: string; companyId: string },
): Promise<NamesForFormulas> {
  const [rows, ofBorrower] = await Promise.all([
    session.query<{ title: string }>(
      `select value ->> 'title' as title from (
         select body from contracts where note_id = $1 and status = 'Active' order by revision desc limit 1
       ) c, jsonb_array_elements(coalesce(body -> 'values', '[]')) with ordinality as each (value, place) order by place`,
      [noteId],
    ),
    figureTitles(session, companyId),
  ]);
  return { ofContract: rows.map(({ title }) => title), ofBorrower };
}
