import { type CapitalAccountStatement, statementFigures } from '@tapeline/domain/capital/capital-account-statement.ts';
import type { CapitalLedger } from '@tapeline/domain/capital/capital-figures.ts';
import type { CapitalAccountCreate, ReportCreate, StatementChange } from '@tapeline/domain/capital/statement.schema.ts';
import { activeCommitmentAt, holdingPercentage } from '@tapeline/domain/commitments/active-commitment.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { eachItem, isRefusal, type OnRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { requireClassOf } from '@tapeline/domain/funds/class-of-fund.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import { type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import type { Attachment } from '@tapeline/domain/tapes/tape.schema.ts';
import { TITLE_OF } from '../../collections/stored-collection.ts';
import { CapitalAccount, Report } from '../../entities/capital.ts';
import { Fund, MainFund } from '../../entities/funds.ts';
import type { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { uploadedFiles } from '../files/files.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import { getDocument, listOf } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments } from './capital-changes.ts';
import { composeStatement } from './compose-notices.ts';
import {
  commitmentsInForce,
  commitmentsOfInvestors,
  type FundCommitment,
  HIDDEN_INVESTOR,
  ledgersOf,
} from './ledgers.ts';
import { FILES_OF_PAGE, filesById } from './notices.ts';
import { mailPublished } from './tell-investors.ts';

const FUND_SQL = {
  'fund.title': TITLE_OF.fund,
};

export const CAPITAL_ACCOUNTS = listOf('capitalAccounts', {
  ...FUND_SQL,
  'investor.id': 'coalesce(t.investor_lp_id, t.investor_fund_id)',
  'investor.kind': 't.investor_kind',
  isComputed: 't.statement is not null',
});

export const REPORTS = listOf('reports', FUND_SQL);

const ACCOUNTS: ChangeableCapital<CapitalAccount> = {
  listable: CAPITAL_ACCOUNTS,
  write: 'funds/write',
  told: 'capital_accounts',
  editable: ['Draft'],
};
const REPORT_COLLECTION: ChangeableCapital<Report> = {
  listable: REPORTS,
  write: 'funds/write',
  told: 'reports',
  editable: ['Draft'],
};

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

const ACCOUNT_VIEWS = viewsOf(
  CAPITAL_ACCOUNTS,
  [FILES_OF_PAGE, INVESTORS_OF_PAGE],
  (accounts, [files, investors]): CapitalAccountView[] => withInvestors(withFiles(accounts, files), investors),
);
export const listCapitalAccounts = ACCOUNT_VIEWS.list;

const REPORT_VIEWS = viewsOf(REPORTS, [FILES_OF_PAGE], (reports, [files]): ReportView[] => withFiles(reports, files));
export const listReports = REPORT_VIEWS.list;

/** The uploaded files of attachments, by what names them. @throws Refusal badRequest as `uploadedFiles` */
async function attachedFiles(
  session: Session,
  bucket: Bucket,
  attachments: readonly (Attachment | null | undefined)[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const keysOrIds = attachments.flatMap((attachment) => attachment?.key ?? []);
  try {
    return await uploadedFiles(session, { bucket, keysOrIds });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refuse(error.message, { 'fileMetadata.key': error.message });
  }
}

/** @throws Refusal badRequest (flag on `fileMetadata.key`) */
const fileIn = (files: ReadonlyMap<string, StoredFile>, bucket: Bucket, { key }: Attachment): string =>
  files.get(key)?.id ??
  refuse('The file does not exist, or its upload is incomplete. Upload it first', {
    'fileMetadata.key': `is not a file in ${bucket}`,
  });

interface OfFunds {
  fund?: string | null | undefined;
  mainFund?: string | null | undefined;
  Class?: string | null | undefined;
}

/** The funds that documents cover: one, or all members of a main fund. */
interface Covered {
  readonly funds: Fund[];
  readonly fund: Fund | null;
  readonly mainFund: MainFund | null;
}

/** The funds that documents name, read once. @returns finds those of one document, and refuses what does not fit */
async function readFunds(session: Session, bodies: readonly OfFunds[]): Promise<(body: OfFunds) => Covered> {
  const idsOf = (field: 'fund' | 'mainFund') => [...new Set(bodies.flatMap((body) => body[field] ?? []))];
  const mainIds = idsOf('mainFund');
  const isHere = { status: { $ne: 'Removed' as const } };
  const mainFunds =
    mainIds.length > 0
      ? await session.em.find(MainFund, { id: { $in: mainIds }, ...isHere }, { orderBy: { id: 1 } })
      : [];
  const funds = await session.em.find(
    Fund,
    { $or: [{ id: { $in: idsOf('fund') } }, { mainFundId: { $in: mainIds } }], ...isHere },
    { orderBy: { id: 1 } },
  );
  const find = <Found extends { id: string }>(found: readonly Found[], id: string | null | undefined): Found | null => {
    if (id == null) return null;
    const one = found.find((candidate) => candidate.id === id);
    if (!one) throw new Refusal('notFound');
    return one;
  };
  return (body) => {
    const fund = find(funds, body.fund);
    const mainFund = find(mainFunds, body.mainFund);
    if (fund && mainFund && fund.mainFundId !== mainFund.id) {
      refuse(`${fund.title} is not a member of ${mainFund.title}`, { mainFund: 'is not the main fund of this fund' });
    }
    const covered = fund ? [fund] : funds.filter(({ mainFundId }) => mainFund && mainFundId === mainFund.id);
    requireClassOf(covered, body.Class);
    return { funds: covered, fund, mainFund };
  };
}

type AccountCreate = Omit<CapitalAccountCreate, 'fund'> & { fund?: string | null };

/** What statements of funds are made of, read once for all of them. */
async function readAccounts(session: Session, bodies: readonly AccountCreate[]) {
  const coveredBy = await readFunds(session, bodies);
  const fundIds = new Set(
    bodies.flatMap((body) => {
      try {
        return coveredBy(body).funds.map(({ id }) => id);
      } catch {
        // Reported with the number of the item, when its statement is made.
        return [];
      }
    }),
  );
  const investors = [...new Set(bodies.map(({ investor }) => investor.id))];
  const commitments = Map.groupBy(
    await commitmentsOfInvestors(session, { fundIds: [...fundIds], investorIds: investors }),
    ({ investorLPId, investorFundId }) => investorLPId ?? investorFundId,
  );
  const files = await attachedFiles(
    session,
    'capitalAccounts',
    bodies.map(({ fileMetadata }) => fileMetadata),
  );
  const computed = bodies.filter(({ fileMetadata }) => !fileMetadata);
  const counted = computed.flatMap(({ investor }) => commitments.get(investor.id) ?? []);
  // Includes what the actor cannot see: a statement is complete, or it is not made.
  const { ledgers, all } =
    counted.length > 0
      ? await asProgram(session, async () => ({
          ledgers: await ledgersOf(session, [...new Set(counted.map(({ id }) => id))]),
          all: await commitmentsInForce(session, { fundIds: [...fundIds] }),
        }))
      : { ledgers: new Map<string, CapitalLedger>(), all: [] };
  return { coveredBy, commitments, files, ledgers, all };
}

function newAccount(
  session: Session,
  body: AccountCreate,
  { coveredBy, commitments, files, ledgers, all }: Awaited<ReturnType<typeof readAccounts>>,
): CapitalAccount {
  const { funds, fund, mainFund } = coveredBy(body);
  const covered = new Set(funds.map(({ id }) => id));
  const isCovered = ({ fundId, Class }: FundCommitment) =>
    covered.has(fundId) && (body.Class == null || Class === body.Class);
  const own = (commitments.get(body.investor.id) ?? []).filter(isCovered);
  const [first] = own;
  if (!first) {
    return refuse('This investor has no commitment to the fund', { 'investor.id': reason('noCommitment') });
  }
  const fileId = body.fileMetadata ? fileIn(files, 'capitalAccounts', body.fileMetadata) : null;
  return session.em.create(CapitalAccount, {
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
    statement: fileId
      ? null
      : {
          ...computedStatement(own, ledgers, body.cutOffDate),
          ...(fund ? {} : { covers: titlesOf(funds, own) }),
          holdingPercent: holdingPercentage(
            committedOn(own, body.cutOffDate),
            committedOn(all.filter(isCovered), body.cutOffDate),
          ),
        },
    metadata: createdMetadata(session),
  });
}

/** The titles of the funds among which the commitments are. */
const titlesOf = (funds: readonly Fund[], commitments: readonly FundCommitment[]): string[] =>
  funds.filter(({ id }) => commitments.some(({ fundId }) => fundId === id)).map(({ title }) => title);

const committedOn = (commitments: readonly FundCommitment[], day: string): DecimalText =>
  sum(commitments.map((commitment) => activeCommitmentAt(commitment, day)));

function computedStatement(
  commitments: readonly FundCommitment[],
  ledgers: ReadonlyMap<string, CapitalLedger>,
  cutOffDate: string,
) {
  const statement = statementFigures(
    commitments.flatMap(({ id }) => ledgers.get(id) ?? []),
    cutOffDate,
  );
  if (statement.periods.sinceInception.lines === null) {
    refuse(
      `${commitments[0]!.title ?? HIDDEN_INVESTOR} has no NAV on or before ${formatCalendarDate(cutOffDate)}. Record it, then make the statement`,
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
  bodies: readonly AccountCreate[],
): Promise<CapitalAccountView[]> {
  return ACCOUNT_VIEWS.all(session, made(await addCapitalAccounts(session, bodies)));
}

/**
 * As `createCapitalAccounts`. With `onRefusal`, statements that are refused are left out.
 * @returns a statement for each body; null for one that was left out
 */
export async function addCapitalAccounts(
  session: Session,
  bodies: readonly AccountCreate[],
  onRefusal?: OnRefusal,
): Promise<(CapitalAccount | null)[]> {
  requirePermission(session, 'funds/write');
  const read = await readAccounts(session, bodies);
  const created = eachItem(bodies, (body) => newAccount(session, body, read), onRefusal);
  await session.em.flush();
  if (made(created).some(({ statement }) => statement)) session.announce('noticesDue');
  await mailPublished(session, 'capital_accounts', publishedIn(made(created)));
  return created;
}

const made = <Document>(created: readonly (Document | null)[]): Document[] => created.filter((one) => one !== null);

/** An investor with a commitment in force. */
export interface StatementInvestor {
  readonly id: string;
  readonly kind: 'fund' | 'LP';
  readonly title: string;
}

/** The visible investors that a statement of a fund or main fund can be made for, by name. */
export const statementInvestors = (
  session: ReadSession,
  { fundId, mainFundId }: { fundId: string | null; mainFundId: string | null },
): Promise<StatementInvestor[]> =>
  session.query<StatementInvestor>(
    `select distinct coalesce(l.id, i.id) as id, c.investor_kind as kind, coalesce(l.title, i.title) as title
     from lp_commitments c join funds f on f.id = c.fund_id
     left join lps l on l.id = c.investor_lp_id left join funds i on i.id = c.investor_fund_id
     where c.status in ('Active', 'Closed') and (f.id = $1 or f.main_fund_id = $2) and coalesce(l.id, i.id) is not null
     order by title, id`,
    [fundId, mainFundId],
  );

/**
 * A computed statement as it was stored, for its Excel file.
 * @throws Refusal notFound, also for an uploaded statement
 */
export async function storedStatement(
  session: Session,
  id: string,
): Promise<{ statement: CapitalAccountStatement; name: string }> {
  const account = await getDocument(session, CAPITAL_ACCOUNTS, id);
  // An investor sees the statement, but not every entity that it names.
  const composed = await asProgram(session, () => composeStatement(session, account));
  if (!composed) throw new Refusal('notFound', 'This statement was uploaded. It has no figures of its own');
  return composed;
}

const idsOf = (documents: readonly { id: string }[]): string[] => documents.map(({ id }) => id);
/** Those that a change has published: `Active` is entered only from `Draft`. */
const publishedIn = (changed: readonly { id: string; status: string }[]): string[] =>
  idsOf(changed.filter(({ status }) => status === 'Active'));

/** Changes statements, all or none. @throws Refusal as `changeDocuments` */
export async function changeCapitalAccounts(
  session: Session,
  items: readonly StatementChange[],
): Promise<CapitalAccountView[]> {
  const files = await attachedFiles(
    session,
    'capitalAccounts',
    items.map(({ fileMetadata }) => fileMetadata),
  );
  const { documents, changed } = await changeDocuments(session, ACCOUNTS, items, (account, item) => {
    if (account.statement && (item.fileMetadata || (item.cutOffDate && item.cutOffDate !== account.cutOffDate))) {
      refuse('This statement was computed. Remove it, and make one for the other date', {
        cutOffDate: 'cannot be changed for a computed statement',
      });
    }
    const fileId = item.fileMetadata ? fileIn(files, 'capitalAccounts', item.fileMetadata) : undefined;
    return { cutOffDate: item.cutOffDate, fileId } as Partial<CapitalAccount>;
  });
  await mailPublished(session, 'capital_accounts', publishedIn(changed));
  return ACCOUNT_VIEWS.all(session, documents);
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
        metadata: createdMetadata(session),
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
