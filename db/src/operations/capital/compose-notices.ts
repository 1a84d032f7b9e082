import type { CapitalAccountStatement } from '@tapeline/domain/capital/capital-account-statement.ts';
import { type CallFacts, type CallShare, callPosition } from '@tapeline/domain/capital/capital-call-notice.ts';
import {
  type DistributionFacts,
  type DistributionShare,
  distributionPosition,
} from '@tapeline/domain/capital/distribution-notice.ts';
import type { NoticeFacts, NoticeInvestor } from '@tapeline/domain/capital/notice-parts.ts';
import { printCapitalAccountStatement } from '@tapeline/domain/capital/print/account-statement.ts';
import { printCapitalCallNotice, printCapitalCallSummary } from '@tapeline/domain/capital/print/capital-call.ts';
import { printDistributionNotice, printDistributionSummary } from '@tapeline/domain/capital/print/distribution.ts';
import { printNettedNotice } from '@tapeline/domain/capital/print/netted.ts';
import { noticeFileName } from '@tapeline/domain/printing/file-names.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { CapitalAccount, Contribution, Distribution } from '../../entities/capital.ts';
import type { Session } from '../../store.ts';
import { ofWhole } from './headers.ts';
import {
  type Called,
  classOf,
  factsOf,
  fundOf,
  holdingOf,
  investorOf,
  type LogoReader,
  ledgerBefore,
  type NoticeContext,
  paidToOf,
  readContext,
  referenceOf,
  type WholeActivity,
  wireOf,
} from './notice-context.ts';
import type { NoticeTable } from './notice-mails.ts';

/** A document that is made into a file. */
export interface NoticeReference {
  readonly table: NoticeTable;
  readonly id: string;
}

/** What a file says, and what it is called. */
export interface Composed {
  readonly printed: PrintedDocument;
  readonly name: string;
}

/** A file that is to be made. Everything it needs has been read. */
export interface DueNotice extends NoticeReference {
  readonly managerId: string;
  /** @throws RangeError or TypeError if the data cannot be printed */
  compose(): Composed;
}

const byName = (a: { investor: NoticeInvestor }, b: { investor: NoticeInvestor }): number =>
  a.investor.formalName < b.investor.formalName ? -1 : a.investor.formalName > b.investor.formalName ? 1 : 0;

/** What is printed of a document of one kind, of which those that follow have the facts of the first. */
interface Printer<Document extends Called, Facts extends NoticeFacts, Share extends { investor: NoticeInvestor }> {
  readonly prefix: 'CALL' | 'DIST';
  /** What all investors read. @param reference what one of them states with its payment */
  readonly facts: (context: NoticeContext, document: Document, reference: string | null) => Facts;
  readonly share: (context: NoticeContext, document: Document) => Share & { readonly className: string | null };
  readonly notice: (facts: Facts, share: Share, whole: WholeActivity) => PrintedDocument;
  readonly list: (facts: Facts, shares: readonly Share[]) => PrintedDocument;
}

const CALLS: Printer<Contribution, CallFacts, CallShare> = {
  prefix: 'CALL',
  facts: (context, contribution, reference) => ({
    ...factsOf(context, contribution),
    dueDate: contribution.dueDate,
    paymentReference: reference,
    wire: wireOf(context, contribution.fundId),
    pdfOptions: contribution.pdfOptions,
  }),
  share: (context, contribution) => ({
    investor: investorOf(context, contribution),
    className: classOf(context, contribution),
    ...holdingOf(contribution),
    purposes: contribution.purposes,
    late: contribution.defaultInterest,
    position: callPosition(ledgerBefore(context, contribution), contribution.cutOffDate, contribution.purposes),
  }),
  notice: (facts, share, { lines }) => printCapitalCallNotice(facts, share, ofWhole(share.purposes, lines)),
  list: printCapitalCallSummary,
};

const DISTRIBUTION_EVENTS: Printer<Distribution, DistributionFacts, DistributionShare> = {
  prefix: 'DIST',
  facts: (context, distribution) => {
    const { vat, ...options } = distribution.pdfOptions;
    return {
      ...factsOf(context, distribution),
      distributionKind: distribution.distributionKind,
      pdfOptions: { ...options, vat: vat == null ? null : String(vat) },
    };
  },
  share: (context, distribution) => {
    const { principal, components, cutOffDate, pdfOptions } = distribution;
    const lines = { principal, components };
    const before = ledgerBefore(context, distribution);
    return {
      investor: investorOf(context, distribution),
      className: classOf(context, distribution),
      ...holdingOf(distribution),
      ...lines,
      paidTo: paidToOf(context, distribution),
      position: distributionPosition(before, cutOffDate, lines, pdfOptions.recallableDistribution),
    };
  },
  notice: (facts, share, { principal, lines }) =>
    printDistributionNotice(facts, share, {
      principal: principal ?? '0',
      components: ofWhole(share.components, lines),
    }),
  list: printDistributionSummary,
};

const NOTHING: WholeActivity = { principal: null, issuedTitle: null, lines: [] };

const noticeWith =
  <Document extends Called, Facts extends NoticeFacts, Share extends { investor: NoticeInvestor }>(
    { prefix, facts, share, notice }: Printer<Document, Facts, Share>,
    referenceFor: (context: NoticeContext, document: Document) => string | null = () => null,
  ) =>
  (context: NoticeContext, document: Document): Composed => {
    const own = share(context, document);
    const whole = context.wholes.get(document.activityId) ?? NOTHING;
    return {
      printed: notice(facts(context, document, referenceFor(context, document)), own, whole),
      name: noticeFileName(prefix, document.callNumber, own.investor.formalName),
    };
  };

/** What an investor pays or receives of a call and a distribution that are netted: one notice of both, the same for either. */
function composeNetted(context: NoticeContext, contribution: Contribution, distribution: Distribution): Composed {
  const wholeOf = ({ activityId }: Called) => context.wholes.get(activityId) ?? NOTHING;
  const share = CALLS.share(context, contribution);
  const paid = DISTRIBUTION_EVENTS.share(context, distribution);
  const whole = wholeOf(distribution);
  return {
    printed: printNettedNotice({
      call: {
        facts: CALLS.facts(context, contribution, referenceOf(context, contribution)),
        share,
        whole: ofWhole(share.purposes, wholeOf(contribution).lines),
      },
      distribution: {
        facts: DISTRIBUTION_EVENTS.facts(context, distribution, null),
        share: paid,
        whole: { principal: whole.principal ?? '0', components: ofWhole(paid.components, whole.lines) },
        reference: referenceOf(context, distribution),
      },
    }),
    name: noticeFileName('NET', contribution.callNumber, share.investor.formalName),
  };
}

/** The notices of lines, each with the line of the same commitment that it is netted with, if there is one. */
async function readNetted<Document extends Called, Other extends Called>(
  session: Session,
  documents: readonly Document[],
  others: readonly Other[],
  readLogo: LogoReader,
  table: NoticeTable,
  composers: {
    readonly alone: (context: NoticeContext, document: Document) => Composed;
    readonly both: (context: NoticeContext, document: Document, other: Other) => Composed;
  },
): Promise<DueNotice[]> {
  const context = await readContext(session, [...documents, ...others], readLogo);
  const otherOf = new Map(others.map((other) => [`${other.activityId} ${other.commitmentId}`, other]));
  return documents.map((document) => {
    const other = otherOf.get(`${document.nettedWith} ${document.commitmentId}`);
    return {
      table,
      id: document.id,
      managerId: document.managerId,
      compose: () => (other ? composers.both(context, document, other) : composers.alone(context, document)),
    };
  });
}

/** The lines that documents are netted with. */
const nettedWhere = (documents: readonly Called[]) => ({
  activityId: { $in: [...new Set(documents.flatMap(({ nettedWith }) => nettedWith ?? []))] },
  commitmentId: { $in: documents.map(({ commitmentId }) => commitmentId) },
  status: { $ne: 'Removed' as const },
});

/**
 * A list of all investors, for the manager. It is headed with the class only if all of them are in it.
 * @param documents the lines of a call or distribution, at least one
 * @throws RangeError if they do not have the same amounts
 */
async function composeList<
  Document extends Called,
  Facts extends NoticeFacts,
  Share extends { investor: NoticeInvestor },
>(
  session: Session,
  { prefix, facts, share, list }: Printer<Document, Facts, Share>,
  documents: readonly Document[],
): Promise<Composed> {
  const [first] = documents;
  if (!first) throw new RangeError('A call or distribution has at least one line');
  const context = await readContext(session, documents, null);
  const shares = documents.map((document) => share(context, document)).sort(byName);
  const [className, ...others] = new Set(shares.map((one) => one.className));
  const all = facts(context, first, null);
  return {
    printed: list(
      { ...all, fund: { ...all.fund, className: others.length === 0 ? (className ?? null) : null } },
      shares,
    ),
    name: noticeFileName(prefix, first.callNumber, 'all investors'),
  };
}

export const composeCallList = (session: Session, lines: readonly Contribution[]) => composeList(session, CALLS, lines);

export const composeDistributionList = (session: Session, lines: readonly Distribution[]) =>
  composeList(session, DISTRIBUTION_EVENTS, lines);

const statementName = ({ cutOffDate }: CapitalAccount, { formalName }: NoticeInvestor): string =>
  `Capital account ${cutOffDate} ${formalName}`;

/** A computed statement with the people it is between. Null for an uploaded one. */
function statementIn(context: NoticeContext, account: CapitalAccount): CapitalAccountStatement | null {
  if (!account.statement) return null;
  const { partner: _, ...fund } = fundOf(context, account);
  return {
    letterhead: context.letterheads.get(account.managerId)!,
    fund,
    investor: investorOf(context, account),
    issueDate: account.metadata.iat.slice(0, 10),
    cutOffDate: account.cutOffDate,
    holdingPercent: null,
    holdingOf: account.Class ? 'class' : 'fund',
    ...account.statement,
  };
}

function accountStatement(context: NoticeContext, account: CapitalAccount): Composed {
  const statement = statementIn(context, account);
  if (!statement) throw new RangeError('An uploaded statement has a file already');
  return { printed: printCapitalAccountStatement(statement), name: statementName(account, statement.investor) };
}

/** Reads what the files of claimed documents say. They are all of one table. Runs as the program. */
export async function readNotices(
  session: Session,
  claimed: readonly NoticeReference[],
  readLogo: LogoReader,
): Promise<DueNotice[]> {
  const [first] = claimed;
  const where = { id: { $in: claimed.map(({ id }) => id) } };
  if (!first) return [];
  const { table } = first;
  if (table === 'contributions') {
    const calls = await session.em.find(Contribution, where);
    const others = await session.em.find(Distribution, nettedWhere(calls));
    const alone = noticeWith(CALLS, referenceOf);
    return readNetted(session, calls, others, readLogo, table, { alone, both: composeNetted });
  }
  if (table === 'distributions') {
    const payments = await session.em.find(Distribution, where);
    const others = await session.em.find(Contribution, nettedWhere(payments));
    return readNetted(session, payments, others, readLogo, table, {
      alone: noticeWith(DISTRIBUTION_EVENTS),
      both: (context, distribution, contribution) => composeNetted(context, contribution, distribution),
    });
  }
  const accounts = await session.em.find(CapitalAccount, where);
  const context = await readContext(session, accounts, readLogo);
  return accounts.map((account) => ({
    table,
    id: account.id,
    managerId: account.managerId,
    compose: () => accountStatement(context, account),
  }));
}

/** A computed statement with what it says besides its figures; null for an uploaded one. Runs as the program. */
export async function composeStatement(
  session: Session,
  account: CapitalAccount,
): Promise<{ statement: CapitalAccountStatement; name: string } | null> {
  const statement = statementIn(await readContext(session, [account], null), account);
  return statement && { statement, name: statementName(account, statement.investor) };
}
