import type { ReportCreate, StatementChange } from '@tapeline/domain/capital/statement.schema.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { eachItem, type OnRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import { Report } from '../../entities/capital.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { viewsOf } from '../listing/views.ts';
import { createdFrom } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { attachedFiles, FUND_SQL, fileIn, made, publishedIn, readFunds, withAttachedFiles } from './attached-files.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments } from './capital-changes.ts';
import { FILES_OF_PAGE } from './notices.ts';
import { mailPublished } from './tell-investors.ts';

export const REPORTS = listOf('reports', FUND_SQL);

const REPORT_COLLECTION: ChangeableCapital<Report> = {
  listable: REPORTS,
  write: 'funds/write',
  told: 'reports',
  editable: ['Draft'],
};

/** A report with its file; null if the actor cannot see the file. */
export type ReportView = Report & { file: FileMetadata | null };

const REPORT_VIEWS = viewsOf(REPORTS, [FILES_OF_PAGE], (reports, [files]): ReportView[] =>
  withAttachedFiles(reports, files),
);

export const listReports = REPORT_VIEWS.list;

/**
 * Creates reports, all or none.
 * @param bodies as `reportCreateSchema` returns them
 * @throws Refusal forbidden without `funds/write`; notFound; badRequest with flags, naming the item
 */
export async function createReports(session: Session, bodies: readonly ReportCreate[]): Promise<ReportView[]> {
  return REPORT_VIEWS.all(session, made(await addReports(session, bodies)));
}

/**
 * As `createReports`. With `onRefusal`, reports that are refused are left out.
 * @returns a report for each body; null for one that was left out
 */
export async function addReports(
  session: Session,
  bodies: readonly ReportCreate[],
  onRefusal?: OnRefusal,
): Promise<(Report | null)[]> {
  requirePermission(session, 'funds/write');
  const coveredBy = await readFunds(session, bodies);
  const files = await attachedFiles(
    session,
    'fundReports',
    bodies.map(({ fileMetadata }) => fileMetadata),
  );
  const created = eachItem(
    bodies,
    (body) => {
      const { fund, mainFund } = coveredBy(body);
      return session.em.create(Report, {
        id: newId(session.now),
        managerId: (fund ?? mainFund)!.managerId,
        status: body.status ?? 'Draft',
        fundId: fund?.id ?? null,
        mainFundId: mainFund?.id ?? null,
        Class: body.Class ?? null,
        cutOffDate: body.cutOffDate,
        timezoneOffset: body.timezoneOffset ?? null,
        fileId: fileIn(files, 'fundReports', body.fileMetadata),
        metadata: createdFrom(session, body),
      });
    },
    onRefusal,
  );
  await session.em.flush();
  await mailPublished(session, 'reports', publishedIn(made(created)));
  return created;
}

/** Changes reports, all or none. @throws Refusal as `changeDocuments` */
export async function changeReports(session: Session, items: readonly StatementChange[]): Promise<ReportView[]> {
  const files = await attachedFiles(
    session,
    'fundReports',
    items.map(({ fileMetadata }) => fileMetadata),
  );
  const { documents, changed } = await changeDocuments(session, REPORT_COLLECTION, items, (_, item) => {
    const fileId = item.fileMetadata ? fileIn(files, 'fundReports', item.fileMetadata) : undefined;
    return { cutOffDate: item.cutOffDate, fileId } as Partial<Report>;
  });
  await mailPublished(session, 'reports', publishedIn(changed));
  return REPORT_VIEWS.all(session, documents);
}

/** Removes reports (soft delete), all or none. @throws Refusal as `removeDocuments` */
export async function removeReports(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  await removeDocuments(session, REPORT_COLLECTION, command);
}

/** The latest issued statement or report of a fund and class. */
export interface LatestFile {
  id: string;
  kind: 'capitalAccount' | 'report';
  fund: string | null;
  mainFund: string | null;
  Class: string | null;
  cutOffDate: string;
  fileMetadata: FileMetadata;
}

/** The latest issued statement and report of each fund and class that the actor can see. */
export async function latestFundFiles(session: ReadSession, query: FundFigureQuery): Promise<LatestFile[]> {
  const part = (kind: LatestFile['kind'], table: string) => `
    select distinct on (d.fund_id, d.main_fund_id, d.class) d.id, '${kind}' as kind, d.fund_id as fund, d.main_fund_id as "mainFund",
      d.class as "Class", d.cut_off_date::text as "cutOffDate", jsonb_build_object('bucket', f.bucket, 'key', f.key,
        'name', f.name, 'size', f.size, 'type', f.type, 'checksum', f.checksum) as "fileMetadata"
    from ${table} d join files f on f.id = d.file_id and f.status = 'Active'
    where d.status in ('Active', 'Closed') and ($1::text is null or d.fund_id = $1) and ($2::text is null or d.class = $2)
      and ($3::date is null or d.cut_off_date <= $3::date)
      ${kind === 'capitalAccount' ? 'and ($4::text is null or coalesce(d.investor_lp_id, d.investor_fund_id) = $4)' : ''}
    order by d.fund_id, d.main_fund_id, d.class, d.cut_off_date desc, d.code desc`;
  return session.query<LatestFile>(
    `select * from ((${part('capitalAccount', 'capital_accounts')}) union all (${part('report', 'reports')})) as latest
 order by kind, fund nulls last, "mainFund", "Class"`,
    [query.fundId ?? null, query.Class ?? null, query.cutOffDate ?? null, query.investorId ?? null],
  );
}
