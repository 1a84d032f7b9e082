import type { ContributionView } from '@tapeline/db/operations/capital/contributions.ts';
import type { DistributionView } from '@tapeline/db/operations/capital/distributions.ts';
import type { IssueState } from '@tapeline/db/operations/capital/issue-approval.ts';
import type { NavView } from '@tapeline/db/operations/capital/navs.ts';
import type { ReportView } from '@tapeline/db/operations/capital/reports.ts';
import type { CapitalAccountView } from '@tapeline/db/operations/capital/statements.ts';
import type { WriteOffView } from '@tapeline/db/operations/capital/write-offs.ts';
import type { InvestorName } from '@tapeline/db/operations/funds/funds.ts';
import type { ActivityEntry, ActivityStatement } from '@tapeline/domain/capital/activity-statement.ts';
import { hasTransfers, type StatementFigures } from '@tapeline/domain/capital/capital-account-statement.ts';
import { interestOf } from '@tapeline/domain/capital/capital-figures.ts';
import type { DISTRIBUTION_ACTION_TYPES } from '@tapeline/domain/capital/distribution.schema.ts';
import type { DistributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { STATEMENT_LINES } from '@tapeline/domain/capital/statement.schema.ts';
import { type DecimalText, isZero } from '@tapeline/domain/money/decimal.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { baseOf } from './documents.ts';

export const inCurrency = (sum: DecimalText, currency: string) => ({ sum, currency });

/** The entries and the closing figures of an activity statement, with the currency of their amounts. */
export function activityAmounts<Entry extends ActivityEntry>({
  currency,
  entries,
  closing,
}: {
  currency: string;
  entries: readonly Entry[];
  closing: ActivityStatement['closing'];
}) {
  const amount = (sum: DecimalText) => inCurrency(sum, currency);
  return {
    entries: entries.map((entry) => ({
      ...entry,
      amount: amount(entry.amount),
      unfunded: amount(entry.unfunded),
      netCapitalCalled: amount(entry.netCapitalCalled),
    })),
    closing: {
      activeCommitment: amount(closing.activeCommitment),
      called: amount(closing.called),
      distributed: amount(closing.distributed),
      writtenOff: amount(closing.writtenOff),
      unfunded: amount(closing.unfunded),
      netCapitalCalled: amount(closing.netCapitalCalled),
    },
  };
}

/** A document of an investor: an LP, or a fund. */
interface Invested {
  investorKind: 'fund' | 'LP';
  investorLPId?: string | null | undefined;
  investorFundId?: string | null | undefined;
  investor: InvestorName | null;
}

/** The investor of a document in wire format. */
export const investorBody = ({ investorKind, investorLPId, investorFundId, investor }: Invested) => ({
  id: investorLPId ?? investorFundId,
  kind: investorKind,
  title: investor?.title ?? null,
  formalName: investor?.formalName ?? null,
  code: investor?.code ?? null,
});

/** The fields that the documents of a commitment share. */
const ofCommitment = (
  document: Invested & { fundId: string; Class?: string | null | undefined; cutOffDate: string },
) => ({
  fund: document.fundId,
  investor: investorBody(document),
  Class: document.Class ?? null,
  cutOffDate: document.cutOffDate,
});

/** A document as it was saved, or as it would be: a dry run has no id. */
const savedOrNot = <Document extends { warnings?: string[] }>(document: Document, base: ReturnType<typeof baseOf>) => {
  if (!document.warnings) return base;
  const { id: _, code: __, ...rest } = base;
  return { ...rest, warnings: document.warnings };
};

/** Without whether the reader prepared it: the answer to a call does not depend on who asks. */
const issueBody = (state: IssueState | null) => {
  if (state === null) return null;
  const { isOwn: _, ...body } = state;
  return body;
};

export const toContribution = (contribution: ContributionView) => {
  const { currency, purposes, fundLines } = contribution;
  const amountOf = (sum: DecimalText) => inCurrency(sum, currency);
  return {
    ...savedOrNot(contribution, baseOf(contribution)),
    ...ofCommitment(contribution),
    dueDate: contribution.dueDate,
    callNumber: contribution.callNumber,
    amount: amountOf(contribution.amount),
    callPurposes: purposes.map(({ interest, ...purpose }) => ({
      ...purpose,
      amount: exactNumber(purpose.amount),
      ...(interest === undefined ? {} : { interest: exactNumber(interest) }),
    })),
    ...(isZero(interestOf(purposes)) ? {} : { interest: amountOf(interestOf(purposes)) }),
    basis: contribution.basis,
    excuse: contribution.excuseReason
      ? { reason: contribution.excuseReason, document: contribution.excuseFileId ?? null }
      : null,
    aggregateAmount: amountOf(contribution.aggregate),
    aggregateAmountPercent: exactNumber(contribution.aggregatePercent),
    LPCurrentHoldingPercentage: exactNumber(contribution.holdingPercentage ?? null),
    unfunded: { before: amountOf(contribution.unfunded.before), after: amountOf(contribution.unfunded.after) },
    trailingDescription: contribution.trailingDescription ?? null,
    pdf: contribution.file,
    nettedWith: contribution.nettedWith ?? null,
    secondPerson: issueBody(contribution.secondPerson),
    pdfDataByInvestor: purposes.map(({ title, amount }) => ({ title, amount: amountOf(amount) })),
    pdfDataByFund: fundLines?.map(({ title, amount }) => ({ title, amount: amountOf(amount) })) ?? null,
    timezoneOffset: contribution.timezoneOffset ?? null,
    pdfOptions: contribution.pdfOptions,
  };
};

export const totalsBody = (totals: DistributionTotals, currency: string) =>
  Object.fromEntries(Object.entries(totals).map(([name, sum]: [string, DecimalText]) => [name, { sum, currency }]));

export const toDistribution = (distribution: DistributionView) => {
  const { currency, components, purposes, fundLines } = distribution;
  const amountOf = (sum: DecimalText) => inCurrency(sum, currency);
  const linesOf = (type: (typeof DISTRIBUTION_ACTION_TYPES)[number]) =>
    components
      .filter(({ actionType }) => actionType === type)
      .map(({ title, amount }) => ({ title, amount: amountOf(amount) }));
  return {
    ...savedOrNot(distribution, baseOf(distribution)),
    ...ofCommitment(distribution),
    callNumber: distribution.callNumber,
    distributionKind: distribution.distributionKind,
    principal: amountOf(distribution.principal),
    ...totalsBody(distribution.totals, currency),
    incomes: linesOf('INTEREST'),
    expenses: linesOf('INTEREST FEES'),
    interestTaxes: linesOf('INTEREST TAX'),
    cg: linesOf('CG'),
    cgFees: linesOf('CG FEES'),
    cgTaxes: linesOf('CG TAX'),
    callPurposes: purposes.map((purpose) => ({ ...purpose, amount: exactNumber(purpose.amount) })),
    basis: distribution.basis,
    LPCurrentCommitment: amountOf(distribution.committed),
    LPCurrentHoldingPercentage: exactNumber(distribution.holdingPercentage ?? null),
    trailingDescription: distribution.trailingDescription ?? null,
    pdf: distribution.file,
    pdfDataByInvestor: [{ title: 'Principal', amount: distribution.principal }, ...components].map(
      ({ title, amount }) => ({ title, amount: amountOf(amount) }),
    ),
    pdfDataByFund: fundLines?.map(({ title, amount }) => ({ title, amount: amountOf(amount) })) ?? null,
    nettedWith: distribution.nettedWith ?? null,
    secondPerson: issueBody(distribution.secondPerson),
    timezoneOffset: distribution.timezoneOffset ?? null,
    pdfOptions: distribution.pdfOptions,
  };
};

export const toNav = (nav: NavView) => ({
  ...baseOf(nav),
  ...ofCommitment(nav),
  gross: exactNumber(nav.gross),
  net: exactNumber(nav.net),
  currency: nav.currency,
  secondPerson: issueBody(nav.secondPerson),
});

export const toWriteOff = (writeOff: WriteOffView) => ({
  ...baseOf(writeOff),
  ...ofCommitment(writeOff),
  amount: inCurrency(writeOff.amount, writeOff.currency),
  secondPerson: issueBody(writeOff.secondPerson),
});

const linesBody = ({ periods }: StatementFigures, currency: string) => {
  const amount = (period: keyof typeof periods, name: (typeof STATEMENT_LINES)[number]) => {
    const sum = periods[period].lines?.[name];
    return sum === undefined ? null : { sum, currency };
  };
  return STATEMENT_LINES.filter((name) => name !== 'transfers' || hasTransfers({ periods })).map((name) => ({
    name,
    amounts: {
      quarter: amount('quarter', name),
      yearToDate: amount('yearToDate', name),
      sinceInception: amount('sinceInception', name),
    },
  }));
};

const footerBody = (statement: StatementFigures, currency: string) => ({
  commitment: { sum: statement.commitment, currency },
  called: { sum: statement.called, currency },
  unfunded: { sum: statement.unfunded, currency },
  recallableCapital: { sum: statement.recallable, currency },
  dpi: exactNumber(statement.dpi),
  tvpi: exactNumber(statement.tvpi),
  netIrr: exactNumber(statement.netIrr.percent),
  irrReason: statement.netIrr.reason,
});

/** The fields that statements and reports share. */
const ofFunds = (document: CapitalAccountView | ReportView) => ({
  ...baseOf(document),
  fund: document.fundId ?? null,
  mainFund: document.mainFundId ?? null,
  Class: document.Class ?? null,
  cutOffDate: document.cutOffDate,
  fileMetadata: document.file,
  timezoneOffset: document.timezoneOffset ?? null,
});

/** A statement in wire format. */
export const toCapitalAccount = (account: CapitalAccountView) => ({
  ...ofFunds(account),
  investor: investorBody(account),
  lines: account.statement ? linesBody(account.statement, account.currency) : null,
  footer: account.statement ? footerBody(account.statement, account.currency) : null,
  secondPerson: issueBody(account.secondPerson),
});

/** A report in wire format. */
export const toReport = (report: ReportView) => ofFunds(report);
