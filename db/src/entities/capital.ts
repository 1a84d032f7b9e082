import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { IssuedKind } from '@tapeline/domain/approvals/second-person.ts';
import type { StoredStatement } from '@tapeline/domain/capital/capital-account-statement.ts';
import type { CapitalLedger, LedgerBasis } from '@tapeline/domain/capital/capital-figures.ts';
import type { CallOptions, CallPurpose } from '@tapeline/domain/capital/contribution.schema.ts';
import type { DISTRIBUTION_KINDS, DistributionOptions } from '@tapeline/domain/capital/distribution.schema.ts';
import type { TitledComponent } from '@tapeline/domain/capital/distribution-totals.ts';
import type { LineBasis } from '@tapeline/domain/capital/line-basis.ts';
import type { StoredSplit } from '@tapeline/domain/capital/own-amounts.schema.ts';
import type { CapitalStatus } from '@tapeline/domain/capital/states.ts';
import type { ChargedInterest } from '@tapeline/domain/cash/default-interest.ts';
import type { StoredEqualizationTerms } from '@tapeline/domain/closings/equalization-terms.schema.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

const status = (initial: CapitalStatus) => p.text().$type<CapitalStatus & Opt>().default(initial);

const investor = {
  investorKind: p.text().$type<'fund' | 'LP'>(),
  /** The LP that invests; null if the investor is a fund. */
  investorLPId: p.text().fieldName('investor_lp_id').nullable(),
  investorFundId: p.text().nullable(),
};

/** What belongs to one commitment on a day, in the currency of the fund. */
const ofCommitment = {
  managerId: p.text(),
  commitmentId: p.text(),
  fundId: p.text(),
  Class: p.text().fieldName('class').nullable(),
  ...investor,
  currency: p.text(),
  cutOffDate: p.date(),
  removalReason: p.text().nullable(),
};

/** The file that is made of a document. */
const printed = {
  fileId: p.text().nullable(),
  /** Why no file could be made. */
  fileProblem: p.text().nullable(),
};

/** What is prepared and issued together has the same one, which the database derives. */
const issuedTogether = {
  activityId: p.text().$type<string & Opt>().generated("('') stored").lazy(),
};

/** What calls and distributions share. */
const notice = {
  /** The call (`capital_calls`) or distribution (`distribution_events`) that this is a line of. */
  activityId: p.text(),
  /** Number of the call or distribution, unique within its fund. */
  callNumber: p.text(),
  /** Percent of the commitments to the fund or to `holdingClass`, as it was on the cut-off date. */
  holdingPercentage: p.decimal().$type<DecimalText>().nullable(),
  /** The class that the call or distribution is limited to; null for the whole fund. */
  holdingClass: p.text().nullable(),
  trailingDescription: p.text().nullable(),
  /** The distribution that a call is settled with as one net amount, or the call that a distribution is. */
  nettedWith: p.text().nullable(),
  /** Minutes. */
  timezoneOffset: p.integer().nullable(),
  /** Where each amount comes from, in the order of the lines; empty where that is not recorded. */
  basis: p.json<LineBasis[] & Opt>().onCreate(() => []),
  /** The day it became Active. */
  issuedOn: p.date().nullable(),
  ...printed,
};

/** What the header of a call or distribution says of all its lines. Triggers keep the class, the status and the amounts. */
const header = {
  id: p.text().primary(),
  managerId: p.text(),
  fundId: p.text(),
  /** The class that all lines are of; null for several. */
  Class: p.text().fieldName('class').nullable(),
  currency: p.text(),
  number: p.text(),
  cutOffDate: p.date(),
  purposes: p.json<CallPurpose[] & Opt>().onCreate(() => []),
  /** How each line is divided over the investors, in the order of the lines. */
  splits: p.json<StoredSplit[] & Opt>().onCreate(() => []),
  status: status('Draft'),
  /** Rises with every change of a line. */
  version: p.integer().$type<number & Opt>().default(1),
};

/** A capital call. Its lines are contributions. */
export const CapitalCall = defineEntity({
  name: 'CapitalCall',
  tableName: 'capital_calls',
  properties: {
    ...header,
    dueDate: p.date(),
    /** The title that the fund had when it was issued, which payment references keep. */
    issuedTitle: p.text().nullable(),
  },
});

/** Who prepared and who issued what is issued, and whom it waits for. */
export const Preparation = defineEntity({
  name: 'Preparation',
  tableName: 'preparations',
  properties: {
    documentId: p.text().primary(),
    managerId: p.text(),
    kind: p.text().$type<IssuedKind>(),
    prepared: p.json<ChangedBy>().nullable(),
    submitted: p.json<ChangedBy>().nullable(),
    returned: p.json<ChangedBy>().nullable(),
    returnReason: p.text().nullable(),
    issued: p.json<ChangedBy>().nullable(),
    /** The terms of a fund or a commitment as they are to be. */
    proposal: p.json<object>().nullable(),
    /** Rises whenever it is prepared or issued. */
    version: p.integer().$type<number & Opt>().default(1),
  },
});

/** A later closing of a fund, with what everyone paid and received. It links the call and the distribution. */
export const Closing = defineEntity({
  name: 'Closing',
  tableName: 'closings',
  properties: {
    id: p.text().primary(),
    managerId: p.text(),
    fundId: p.text(),
    currency: p.text(),
    title: p.text(),
    closingDate: p.date(),
    dueDate: p.date(),
    firstClosing: p.date().nullable(),
    callId: p.text().nullable(),
    distributionId: p.text().nullable(),
    commitmentIds: p.array().$type<string[]>().columnType('text[]'),
    terms: p.json<StoredEqualizationTerms>(),
    figures: p.json<object>(),
    created: p.json<object>(),
  },
});

/** A transfer between two holders of an interest: of what is unfunded, or of a share of all of it. */
export const Transfer = defineEntity({
  name: 'Transfer',
  tableName: 'transfers',
  properties: {
    /** The link of the changes of both commitments. */
    id: p.text().primary(),
    managerId: p.text(),
    fundId: p.text(),
    Class: p.text().fieldName('class').nullable(),
    currency: p.text(),
    commitmentId: p.text(),
    toCommitmentId: p.text(),
    date: p.date(),
    /** What is committed with it. */
    amount: p.decimal().$type<DecimalText>(),
    sharePercent: p.decimal().$type<DecimalText>().nullable(),
    price: p.decimal().$type<DecimalText>().nullable(),
    /** Of a file. */
    documentId: p.text().nullable(),
    isDue: p.boolean().$type<boolean & Opt>().default(false),
  },
});

/** A part of a document, or a value, that a transfer of an interest moved from or to a commitment. */
export const TransferredLine = defineEntity({
  name: 'TransferredLine',
  tableName: 'transferred_lines',
  properties: {
    transferId: p.text().primary(),
    commitmentId: p.text().primary(),
    managerId: p.text(),
    fundId: p.text(),
    investorLPId: p.text().fieldName('investor_lp_id').nullable(),
    investorFundId: p.text().nullable(),
    kind: p.text().$type<'call' | 'distribution' | 'writeOff' | 'nav'>().primary(),
    sequence: p.integer().primary(),
    documentId: p.text().nullable(),
    callNumber: p.text().nullable(),
    cutOffDate: p.date(),
    dueDate: p.date().nullable(),
    paidOn: p.date().nullable(),
    purposes: p.json<CapitalLedger['calls'][number]['purposes']>().nullable(),
    amount: p.decimal().$type<DecimalText>().nullable(),
    principal: p.decimal().$type<DecimalText>().nullable(),
    components: p.json<CapitalLedger['distributions'][number]['components']>().nullable(),
    /** Of one by the waterfall. */
    basis: p.json<LedgerBasis[]>().nullable(),
    isRecallable: p.boolean().nullable(),
    totalDistributed: p.decimal().$type<DecimalText>().nullable(),
    gross: p.decimal().$type<DecimalText>().nullable(),
    net: p.decimal().$type<DecimalText>().nullable(),
    movedGross: p.decimal().$type<DecimalText>().nullable(),
    movedNet: p.decimal().$type<DecimalText>().nullable(),
    price: p.decimal().$type<DecimalText>().nullable(),
    navDate: p.date().nullable(),
  },
});

/** A distribution to the investors of a fund. Its lines are distributions. */
export const DistributionEvent = defineEntity({
  name: 'DistributionEvent',
  tableName: 'distribution_events',
  properties: {
    ...header,
    principal: p.decimal().$type<DecimalText & Opt>().default('0'),
    components: p.json<TitledComponent[] & Opt>().onCreate(() => []),
  },
});

/** A line of a capital call: one investor's part of it. */
export const Contribution = defineEntity({
  name: 'Contribution',
  tableName: 'contributions',
  properties: {
    ...documentProperties,
    status: status('Draft'),
    ...ofCommitment,
    dueDate: p.date(),
    purposes: p.json<CallPurpose[]>(),
    /** The default interest among the interest of its purposes: on which overdue call it is, and up to which day. */
    defaultInterest: p.json<ChargedInterest[] & Opt>().onCreate(() => []),
    pdfOptions: p.json<CallOptions>(),
    /** Why the investor does not pay all of its part, with the document that says so. */
    excuseReason: p.text().nullable(),
    excuseFileId: p.text().nullable(),
    ...notice,
  },
});
export type Contribution = InferEntity<typeof Contribution>;

/** A line of a distribution: one investor's part of it. */
export const Distribution = defineEntity({
  name: 'Distribution',
  tableName: 'distributions',
  properties: {
    ...documentProperties,
    status: status('Draft'),
    ...ofCommitment,
    distributionKind: p.text().$type<(typeof DISTRIBUTION_KINDS)[number]>(),
    principal: p.decimal().$type<DecimalText>(),
    components: p.json<TitledComponent[] & Opt>().onCreate(() => []),
    purposes: p.json<CallPurpose[] & Opt>().onCreate(() => []),
    pdfOptions: p.json<DistributionOptions>(),
    ...notice,
  },
});
export type Distribution = InferEntity<typeof Distribution>;

/** The net asset value of one investor's commitment on a day. */
export const Nav = defineEntity({
  name: 'Nav',
  tableName: 'navs',
  properties: {
    ...documentProperties,
    ...issuedTogether,
    status: status('Active'),
    ...ofCommitment,
    gross: p.decimal().$type<DecimalText>(),
    net: p.decimal().$type<DecimalText>(),
  },
});
export type Nav = InferEntity<typeof Nav>;

/** One investor's part of a write-off. */
export const WriteOff = defineEntity({
  name: 'WriteOff',
  tableName: 'write_offs',
  properties: {
    ...documentProperties,
    ...issuedTogether,
    status: status('Active'),
    ...ofCommitment,
    amount: p.decimal().$type<DecimalText>(),
  },
});
export type WriteOff = InferEntity<typeof WriteOff>;

const ofFunds = {
  managerId: p.text(),
  /** Null for all funds of the main fund. */
  fundId: p.text().nullable(),
  mainFundId: p.text().nullable(),
  /** Null for all classes. */
  Class: p.text().fieldName('class').nullable(),
  cutOffDate: p.date(),
  timezoneOffset: p.integer().nullable(),
  removalReason: p.text().nullable(),
};

/** An investor's capital account statement: uploaded, or computed. */
export const CapitalAccount = defineEntity({
  name: 'CapitalAccount',
  tableName: 'capital_accounts',
  properties: {
    ...documentProperties,
    ...issuedTogether,
    status: status('Draft'),
    ...ofFunds,
    ...investor,
    currency: p.text(),
    ...printed,
    /** What a computed statement says. Null for an uploaded one. */
    statement: p.json<StoredStatement>().nullable(),
  },
});
export type CapitalAccount = InferEntity<typeof CapitalAccount>;

/** A report to the investors of a fund, class or main fund. */
export const Report = defineEntity({
  name: 'Report',
  tableName: 'reports',
  properties: { ...documentProperties, status: status('Draft'), ...ofFunds, fileId: p.text() },
});
export type Report = InferEntity<typeof Report>;
