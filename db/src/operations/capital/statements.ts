import { statementFigures } from '@tapeline/domain/capital/capital-account-statement.ts';
import type { CapitalAccountCreate, ReportCreate, StatementChange } from '@tapeline/domain/capital/statement.schema.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { atItem, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import type { Attachment } from '@tapeline/domain/tapes/tape.schema.ts';
import { CapitalAccount, Report } from '../../entities/capital.ts';
import { Fund, type MainFund } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { type Bucket, resolveFile } from '../files/files.ts';
import { FUNDS, INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import { MAIN_FUNDS } from '../funds/main-funds.ts';
import {
  defineListable,
  getDocument,
  type ListField,
  listDocuments,
  type Page,
  readForDocuments,
} from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments } from './capital-changes.ts';
import { commitmentsInForce, type FundCommitment, ledgersOf } from './ledgers.ts';
import { FILES_OF_PAGE, filesById } from './notices.ts';
import { refuse } from './split-over-investors.ts';

const FUND_FIELDS: readonly ListField[] = [
  ['fund', 'Fund', 'text', 't.fund_id'],
  ['fund.title', 'Fund title', 'text', '(select title from funds where funds.id = t.fund_id)'],
  ['mainFund', 'Main fund', 'text', 't.main_fund_id'],
  ['Class', 'Class', 'text', 't.class'],
  ['cutOffDate', 'Cut-off date', 'date', 't.cut_off_date'],
];

export const CAPITAL_ACCOUNTS = defineListable(CapitalAccount, 'capital_accounts', [
  ...FUND_FIELDS,
  ['investor.id', 'Investor', 'text', 'coalesce(t.investor_lp_id, t.investor_fund_id)'],
  ['investor.kind', 'Investor kind', 'text', 't.investor_kind'],
  ['currency', 'Currency', 'text', 't.currency'],
  ['isComputed', 'Computed', 'boolean', 't.statement is not null'],
]);

export const REPORTS = defineListable(Report, 'reports', FUND_FIELDS);

const ACCOUNTS: ChangeableCapital<CapitalAccount> = {
  listable: CAPITAL_ACCOUNTS,
  write: 'funds/write',
  editable: ['Draft'],
};
const REPORT_COLLECTION: ChangeableCapital<Report> = { listable: REPORTS, write: 'funds/write', editable: ['Draft'] };

/** A capital account statement with its investor and its file. */
export type CapitalAccountView = CapitalAccount & { investor: InvestorName | null; file: FileMetadata | null };
/** A report with its file; null if the actor cannot see the file. */
export type ReportView = Report & { file: FileMetadata | null };

const withFiles = <Document extends { fileId?: string | null | undefined }>(
  documents: readonly Document[],
  rows: readonly Row[] = [],
): (Document & { file: FileMetadata | null })[] => {
  const fileOf = filesById(rows);
  return documents.map((document) => ({ ...document, file: fileOf.get(document.fileId ?? '') ?? null }));
};

const STATEMENTS = [FILES_OF_PAGE, INVESTORS_OF_PAGE];

/** A page of the capital account statements that the actor can see. */
export async function listCapitalAccounts(
  session: ReadSession,
  query: unknown = {},
): Promise<Page<CapitalAccountView>> {
  const { documents, total, rows } = await listDocuments(session, CAPITAL_ACCOUNTS, query, { statements: STATEMENTS });
  return { documents: withInvestors(withFiles(documents, rows[0]), rows[1]), total };
}

async function viewAccounts(session: ReadSession, accounts: readonly CapitalAccount[]): Promise<CapitalAccountView[]> {
  const rows = await readForDocuments(session, CAPITAL_ACCOUNTS, accounts, STATEMENTS);
  return withInvestors(withFiles(accounts, rows[0]), rows[1]);
}

/** A page of the reports that the actor can see. */
export async function listReports(session: ReadSession, query: unknown = {}): Promise<Page<ReportView>> {
  const { documents, total, rows } = await listDocuments(session, REPORTS, query, { statements: [FILES_OF_PAGE] });
  return { documents: withFiles(documents, rows[0]), total };
}

async function viewReports(session: ReadSession, reports: readonly Report[]): Promise<ReportView[]> {
  const [rows] = await readForDocuments(session, REPORTS, reports, [FILES_OF_PAGE]);
  return withFiles(reports, rows);
}

/** The id of an uploaded file. @throws Refusal badRequest (flag on `fileMetadata.key`) */
async function fileIdOf(session: Session, bucket: Bucket, attachment: Attachment): Promise<string> {
  try {
    return (await resolveFile(session, { bucket, keyOrId: attachment.key })).id;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse('The file does not exist, or its upload is incomplete. Upload it first', {
      'fileMetadata.key': `is not a file in ${bucket}`,
    });
  }
}

type Funds = { funds: Fund[]; fund: Fund | null; mainFund: MainFund | null };

/** The funds that a document covers: one, or all members of a main fund. */
async function coveredFunds(
  session: Session,
  body: { fund?: string | null | undefined; mainFund?: string | null | undefined; Class?: string | null | undefined },
): Promise<Funds> {
  const fund = body.fund ? await getDocument(session, FUNDS, body.fund) : null;
  const mainFund = body.mainFund ? await getDocument(session, MAIN_FUNDS, body.mainFund) : null;
  if (fund && mainFund && fund.mainFundId !== mainFund.id) {
    refuse(`${fund.title} is not a member of ${mainFund.title}`, { mainFund: 'is not the main fund of this fund' });
  }
  const funds = fund ? [fund] : await session.em.find(Fund, { mainFundId: mainFund!.id, status: { $ne: 'Removed' } });
  if (body.Class != null && !funds.some(({ classes }) => classes.some(({ uniqueKey }) => uniqueKey === body.Class))) {
    refuse('This class does not belong to the fund', { Class: 'is not the key of a class of the fund' });
  }
  return { funds, fund, mainFund };
}

async function createAccount(
  session: Session,
  body: Omit<CapitalAccountCreate, 'fund'> & { fund?: string | null },
): Promise<CapitalAccount> {
  const { funds, fund, mainFund } = await coveredFunds(session, body);
  const commitments: FundCommitment[] = [];
  for (const { id } of funds) {
    commitments.push(
      ...(await commitmentsInForce(session, {
        fundIds: [id],
        Class: body.Class ?? null,
        investorId: body.investor.id,
      })),
    );
  }
  const [first] = commitments;
  if (!first) {
    return refuse('This investor has no commitment to the fund', { 'investor.id': 'has no commitment to this fund' });
  }
  const fileId = body.fileMetadata ? await fileIdOf(session, 'capitalAccounts', body.fileMetadata) : null;
  const account = session.em.create(CapitalAccount, {
    id: newId(session.now),
    managerId: first.managerId,
    status: body.status ?? 'Draft',
    fundId: fund?.id ?? null,
    mainFundId: mainFund?.id ?? null,
    Class: body.Class ?? null,
    investorKind: first.investorKind,
    investorLPId: first.investorLPId,
    investorFundId: first.investorFundId,
    currency: first.currency,
    cutOffDate: body.cutOffDate,
    timezoneOffset: body.timezoneOffset ?? null,
    fileId,
    statement: fileId ? null : await computedStatement(session, commitments, body.cutOffDate),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  if (account.statement) session.announce('noticesDue');
  return account;
}

/** Includes what the actor cannot see: a statement is complete, or it is not made. */
async function computedStatement(session: Session, commitments: readonly FundCommitment[], cutOffDate: string) {
  const ledgers = await asProgram(session, () =>
    ledgersOf(
      session,
      commitments.map(({ id }) => id),
    ),
  );
  const statement = statementFigures([...ledgers.values()], cutOffDate);
  if (statement.periods.sinceInception.lines === null) {
    refuse(
      `${commitments[0]!.title} has no NAV on or before ${formatCalendarDate(cutOffDate)}. Record it, then make the statement`,
      { cutOffDate: 'has no NAV of this investor' },
    );
  }
  return statement;
}

/**
 * Creates capital account statements, all or none. With a file, the uploaded statement is stored; without one, the
 * statement is computed.
 * @param bodies as `capitalAccountCreateSchema` returns them; without `fund`, they cover all funds of the main fund
 * @throws Refusal forbidden without `funds/write`; notFound; badRequest with flags, naming the item
 */
export async function createCapitalAccounts(
  session: Session,
  bodies: readonly (Omit<CapitalAccountCreate, 'fund'> & { fund?: string | null })[],
): Promise<CapitalAccountView[]> {
  requirePermission(session, 'funds/write');
  const created: CapitalAccount[] = [];
  for (const [place, body] of bodies.entries()) {
    try {
      created.push(await createAccount(session, body));
    } catch (error) {
      throw atItem(error, place);
    }
  }
  return viewAccounts(session, created);
}

/** Changes statements, all or none. @throws Refusal as `changeDocuments` */
export async function changeCapitalAccounts(
  session: Session,
  items: readonly StatementChange[],
): Promise<CapitalAccountView[]> {
  const { documents } = await changeDocuments(session, ACCOUNTS, items, async (account, item) => {
    if (account.statement && (item.fileMetadata || (item.cutOffDate && item.cutOffDate !== account.cutOffDate))) {
      refuse('This statement was computed. Remove it, and make one for the other date', {
        cutOffDate: 'cannot be changed for a computed statement',
      });
    }
    const fileId = item.fileMetadata ? await fileIdOf(session, 'capitalAccounts', item.fileMetadata) : undefined;
    return { cutOffDate: item.cutOffDate, fileId } as Partial<CapitalAccount>;
  });
  return viewAccounts(session, documents);
}

/** Removes statements (soft delete), all or none. @throws Refusal as `removeDocuments` */
export async function removeCapitalAccounts(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  await removeDocuments(session, ACCOUNTS, command);
}

/**
 * Creates reports, all or none.
 * @param bodies as `reportCreateSchema` returns them
 * @throws Refusal forbidden without `funds/write`; notFound; badRequest with flags, naming the item
 */
export async function createReports(session: Session, bodies: readonly ReportCreate[]): Promise<ReportView[]> {
  requirePermission(session, 'funds/write');
  const created: Report[] = [];
  for (const [place, body] of bodies.entries()) {
    try {
      const { funds, fund, mainFund } = await coveredFunds(session, body);
      const report = session.em.create(Report, {
        id: newId(session.now),
        managerId: (fund ?? mainFund ?? funds[0])!.managerId,
        status: body.status ?? 'Draft',
        fundId: fund?.id ?? null,
        mainFundId: mainFund?.id ?? null,
        Class: body.Class ?? null,
        cutOffDate: body.cutOffDate,
        timezoneOffset: body.timezoneOffset ?? null,
        fileId: await fileIdOf(session, 'fundReports', body.fileMetadata),
        metadata: createdMetadata(session),
      });
      await session.em.flush();
      created.push(report);
    } catch (error) {
      throw atItem(error, place);
    }
  }
  return viewReports(session, created);
}

/** Changes reports, all or none. @throws Refusal as `changeDocuments` */
export async function changeReports(session: Session, items: readonly StatementChange[]): Promise<ReportView[]> {
  const { documents } = await changeDocuments(session, REPORT_COLLECTION, items, async (_, item) => {
    const fileId = item.fileMetadata ? await fileIdOf(session, 'fundReports', item.fileMetadata) : undefined;
    return { cutOffDate: item.cutOffDate, fileId } as Partial<Report>;
  });
  return viewReports(session, documents);
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
