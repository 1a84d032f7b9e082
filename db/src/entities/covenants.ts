import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { RequestStatus } from '@tapeline/domain/approvals/request-status.ts';
import type { CovenantTerms } from '@tapeline/domain/covenants/covenant.schema.ts';
import type { CovenantOutcome } from '@tapeline/domain/covenants/covenant-labels.ts';
import type { TestedPeriod } from '@tapeline/domain/covenants/test-covenant.ts';
import type { FacilityFigureStatus } from '@tapeline/domain/facility-figures/facility-figure-labels.ts';
import type { PayoutPerson } from '@tapeline/domain/investors/investor-record.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

const ofCompany = { ...documentProperties, managerId: p.text(), companyId: p.text() };
const decimal = () => p.decimal().$type<DecimalText>();

/** A dated figure of a borrower that no tape holds. */
export const FacilityFigure = defineEntity({
  name: 'FacilityFigure',
  tableName: 'facility_figures',
  properties: {
    ...ofCompany,
    status: p.text().$type<FacilityFigureStatus & Opt>().default('Entered'),
    title: p.text(),
    date: p.date(),
    value: decimal(),
    currency: p.text().nullable(),
    remark: p.text().nullable(),
    fileId: p.text().nullable(),
    enteredBy: p.json<PayoutPerson>(),
    reviewedBy: p.json<PayoutPerson>().nullable(),
    reviewedAt: p.datetime().nullable(),
  },
});
export type FacilityFigure = InferEntity<typeof FacilityFigure>;

/** A test of a note, and what follows while it is breached. */
export const Covenant = defineEntity({
  name: 'Covenant',
  tableName: 'covenants',
  properties: {
    ...ofCompany,
    transactionId: p.text(),
    noteId: p.text(),
    title: p.text(),
    clause: p.text().nullable(),
    clauseText: p.text().nullable(),
    formula: p.text(),
    unit: p.text().$type<CovenantTerms['unit']>(),
    currency: p.text().nullable(),
    bound: p.text().$type<CovenantTerms['bound']>(),
    steps: p.json<CovenantTerms['steps']>(),
    frequency: p.text().$type<CovenantTerms['frequency']>(),
    firstTest: p.date(),
    periods: p.integer(),
    daysToReport: p.integer(),
    warningDistance: decimal().nullable(),
    cureDays: p.integer(),
    consequence: p.text().$type<CovenantTerms['consequence']>(),
    /** In per cent. */
    defaultRate: decimal().nullable(),
    springing: p.json<NonNullable<CovenantTerms['springing']>>().nullable(),
  },
});
export type Covenant = InferEntity<typeof Covenant>;

/** What the test of a date found. It is never changed; another test of the date supersedes it. */
export const CovenantResult = defineEntity({
  name: 'CovenantResult',
  tableName: 'covenant_results',
  properties: {
    ...ofCompany,
    covenantId: p.text(),
    transactionId: p.text(),
    testDate: p.date(),
    outcome: p.text().$type<CovenantOutcome | 'notApplicable'>(),
    value: decimal(),
    limitValue: decimal().nullable(),
    headroom: decimal().nullable(),
    periods: p.json<TestedPeriod[]>(),
    /** What it was tested against. */
    terms: p.json<CovenantTerms>(),
    testedAt: p.datetime(),
    cureUntil: p.date().nullable(),
    curedOn: p.date().nullable(),
    curedBy: p.json<PayoutPerson>().nullable(),
    cureReason: p.text().nullable(),
    cureFileId: p.text().nullable(),
  },
});
export type CovenantResult = InferEntity<typeof CovenantResult>;

/** A breach that one person asks to waive until a day, and another one decides. */
export const CovenantWaiver = defineEntity({
  name: 'CovenantWaiver',
  tableName: 'covenant_waivers',
  properties: {
    ...ofCompany,
    status: p.text().$type<RequestStatus & Opt>().default('Requested'),
    resultId: p.text(),
    covenantId: p.text(),
    transactionId: p.text(),
    waivedUntil: p.date(),
    reason: p.text(),
    fileId: p.text().nullable(),
    enteredBy: p.json<PayoutPerson>(),
    enteredAt: p.datetime(),
    decidedBy: p.json<PayoutPerson>().nullable(),
    decidedAt: p.datetime().nullable(),
    declineReason: p.text().nullable(),
  },
});
export type CovenantWaiver = InferEntity<typeof CovenantWaiver>;
