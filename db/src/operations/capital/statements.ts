import { type CapitalAccountStatement, statementFigures } from '@tapeline/domain/capital/capital-account-statement.ts';
import type { CapitalLedger } from '@tapeline/domain/capital/capital-figures.ts';
import type { CapitalAccountCreate, StatementChange } from '@tapeline/domain/capital/statement.schema.ts';
import { activeCommitmentAt, holdingPercentage } from '@tapeline/domain/commitments/active-commitment.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { eachItem, type OnRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { CapitalAccount } from '../../entities/capital.ts';
import type { Fund } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { attachedFiles, FUND_SQL, fileIn, made, publishedIn, readFunds, withAttachedFiles } from './attached-files.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments } from './capital-changes.ts';
import type { HeaderCommand } from './change-headers.ts';
import { composeStatement } from './compose-notices.ts';
import { activitiesOf, ISSUES_OF_LINES, type IssueState, settleLines, withIssueStates } from './issue-approval.ts';
import { issueSeen, returnParts, type SeenParts, submitParts } from './issue-requests.ts';
import {
  commitmentsInForce,
  commitmentsOfInvestors,
  type FundCommitment,
  HIDDEN_INVESTOR,
  ledgersOf,
} from './ledgers.ts';
import { FILES_OF_PAGE } from './notices.ts';
import { mailPublished } from './tell-investors.ts';

export const CAPITAL_ACCOUNTS = listOf('capitalAccounts', {
  ...FUND_SQL,
  'investor.id': 'coalesce(t.investor_lp_id, t.investor_fund_id)',
  'investor.kind': 't.investor_kind',
  isComputed: 't.statement is not null',
});

const ACCOUNTS: ChangeableCapital<CapitalAccount> = {
  listable: CAPITAL_ACCOUNTS,
  write: 'funds/write',
  told: 'capital_accounts',
  editable: ['Draft'],
};

export type CapitalAccountView = CapitalAccount & {
  investor: InvestorName | null;
  file: FileMetadata | null;
  secondPerson: IssueState | null;
};

const ACCOUNT_VIEWS = viewsOf(
  CAPITAL_ACCOUNTS,
  [FILES_OF_PAGE, INVESTORS_OF_PAGE, ISSUES_OF_LINES],
  (accounts, [files, investors, issues], session): CapitalAccountView[] =>
    withIssueStates(session, withInvestors(withAttachedFiles(accounts, files), investors), issues),
);

export const listCapitalAccounts = ACCOUNT_VIEWS.list;

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
  await settleLines(session, CAPITAL_ACCOUNTS, created);
  return created;
}

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
  const before = await activitiesOf(
    session,
    CAPITAL_ACCOUNTS,
    items.map(({ id }) => id),
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
  await settleLines(session, CAPITAL_ACCOUNTS, changed, before);
  return ACCOUNT_VIEWS.all(session, documents);
}

/** Statements of a fund or main fund and a day are prepared and issued together. */
const ISSUED_STATEMENTS = {
  table: 'capital_accounts',
  changes: ACCOUNTS,
  views: ACCOUNT_VIEWS.all,
  issue: changeCapitalAccounts,
} as const;

/** Submits statements for issue by a second person, all or none. @throws Refusal as `submitParts` */
export const submitCapitalAccounts = (session: Session, parts: SeenParts) =>
  submitParts(session, ISSUED_STATEMENTS, parts);

/** Returns submitted statements to who prepared them, all or none. @throws Refusal as `returnParts` */
export const returnCapitalAccounts = (session: Session, parts: SeenParts, why: string) =>
  returnParts(session, ISSUED_STATEMENTS, parts, why);

/** Publishes the drafts of a fund or main fund and a day as they were seen. @throws Refusal as `issueSeen` */
export const issueCapitalAccounts = (session: Session, command: HeaderCommand) =>
  issueSeen(session, ISSUED_STATEMENTS, command);

/** Removes statements (soft delete), all or none. @throws Refusal as `removeDocuments` */
export async function removeCapitalAccounts(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  await settleLines(session, CAPITAL_ACCOUNTS, await removeDocuments(session, ACCOUNTS, command));
}
