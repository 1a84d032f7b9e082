import { CERTIFICATE_FIGURE_NAMES } from '@tapeline/domain/covenants/certificate-figures.ts';
import { impossibleTransition } from '@tapeline/domain/documents/transitions.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { facilityFigureCollection } from '@tapeline/domain/facility-figures/facility-figure.collection.ts';
import type {
  FacilityFigureCreate,
  FacilityFigureUpdate,
} from '@tapeline/domain/facility-figures/facility-figure.schema.ts';
import type { FigureLine } from '@tapeline/domain/facility-figures/figure-lines.ts';
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

function requireFigure(
  session: Session,
  { title, value, currency, date }: Omit<FacilityFigureCreate, 'company'>,
): void {
  const flag = (name: string, problem: string) => new Refusal('badRequest', undefined, { flags: { [name]: problem } });
  if (CERTIFICATE_FIGURE_NAMES.some((name) => name.toLowerCase() === title.toLowerCase())) {
    throw flag('title', 'is a figure of every certificate. Use another name');
  }
  if (date > todayOf(session)) throw flag('date', 'must not be in the future');
  const problem = currency ? minorUnitProblem(value, currency) : null;
  if (problem !== null) throw flag('value', problem);
}

/** Two figures of one name and day would leave open which one counts. */
async function requireOnly(session: Session, figure: FacilityFigure): Promise<void> {
  const [other] = await session.query<{ id: string }>(
    `select id from facility_figures where company_id = $1 and lower(title) = lower($2) and date = $3 and status <> 'Removed' and id <> $4`,
    [figure.companyId, figure.title, figure.date, figure.id],
  );
  if (other) {
    throw new Refusal(
      'badRequest',
      `This borrower has a figure ${figure.title} of this day. Change or remove it instead`,
    );
  }
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
  const company = await getCompany(session, body.company);
  const figure = session.em.create(FacilityFigure, {
    id: newId(session.now),
    managerId: company.managerId,
    companyId: company.id,
    ...(await entered(session, body, company.id)),
    metadata: createdMetadata(session),
  });
  await requireOnly(session, figure);
  await session.em.flush();
  return VIEWS.one(session, figure);
}

/**
 * Enters several figures of a borrower, all of them or none.
 * @throws Refusal as `createFacilityFigure`, with the line of the figure that is wrong
 */
export async function createFacilityFigures(
  session: Session,
  { company, lines }: { readonly company: string; readonly lines: readonly FigureLine[] },
): Promise<void> {
  for (const { line, ...figure } of lines) {
    try {
      await createFacilityFigure(session, { ...figure, company });
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'badRequest') throw error;
      const [[field, problem] = []] = Object.entries(error.flags ?? {});
      const why = problem === undefined ? error.message : `${field} ${problem}`;
      throw new Refusal('badRequest', undefined, { flags: { lines: `Line ${line}: ${why}` } });
    }
  }
}

const entered = async (
  session: Session,
  { title, date, value, currency, remark, document }: Omit<FacilityFigureCreate, 'company'>,
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
  await requireOnly(session, figure);
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
