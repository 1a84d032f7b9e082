import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { CapitalStatus } from '@tapeline/domain/capital/states.ts';
import { REMINDER_KINDS, type ReminderKind } from '@tapeline/domain/cash/reminders.ts';
import type { StoredEqualizationTerms } from '@tapeline/domain/closings/equalization-terms.schema.ts';
import type { CommitmentDelta } from '@tapeline/domain/commitments/commitment.schema.ts';
import type { CommitmentFees, FundFeeTerms, SideLetter } from '@tapeline/domain/funds/fees.schema.ts';
import type {
  FUND_STRATEGIES,
  FUND_TYPES,
  FundTimelineEntry,
  NonRecyclable,
} from '@tapeline/domain/funds/fund.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';
import { partyProperties } from './register.ts';

/** Properties that funds and main funds share. */
const fundTerms = {
  ...documentProperties,
  status: p.text().$type<CapitalStatus & Opt>().default('Active'),
  managerId: p.text(),
  title: p.text(),
  type: p.text().$type<(typeof FUND_TYPES)[number]>(),
  strategy: p.text().$type<(typeof FUND_STRATEGIES)[number]>(),
  currency: p.text(),
  targetSize: p.decimal().$type<DecimalText>(),
  hardCap: p.decimal().$type<DecimalText>(),
  closingDate: p.date().nullable(),
  nonRecyclable: p.json<NonRecyclable>().nullable(),
  description: p.text().nullable(),
};

/** A fund that groups funds of its currency. */
export const MainFund = defineEntity({ name: 'MainFund', tableName: 'main_funds', properties: fundTerms });
export type MainFund = InferEntity<typeof MainFund>;

const ids = () =>
  p
    .array()
    .$type<string[] & Opt>()
    .columnType('text[]')
    .onCreate(() => []);

export const Fund = defineEntity({
  name: 'Fund',
  tableName: 'funds',
  properties: {
    ...fundTerms,
    classes: p.json<{ name: string; uniqueKey: string }[] & Opt>().onCreate(() => []),
    /** The lasting place of each class that the fund has had, by its key, kept by the database for payment references. */
    classPlaces: p.json<Record<string, number> & Opt>().generated("('{}') stored"),
    timeline: p.json<FundTimelineEntry[] & Opt>().onCreate(() => []),
    /** Entities: the general partners, and the management company. */
    gpIds: ids(),
    managementCompanyId: p.text().nullable(),
    serviceProviderIds: ids(),
    mainFundId: p.text().nullable(),
    excludeFromIrrCalculations: p.boolean().default(false),
    /** The most that an investor takes over of what others are excused from, in percent of its own share; null without a limit. */
    excuseCap: p.decimal().$type<DecimalText>().nullable(),
    /** The fee terms of each class, or of all, with the day that they begin on. */
    feeTerms: p.json<FundFeeTerms[] & Opt>().onCreate(() => []),
    /** The last day of the investment period; null if it is not set. */
    investmentPeriodEnd: p.date().nullable(),
    /** Which reminders of its calls the fund sends. */
    reminders: p
      .array()
      .$type<ReminderKind[] & Opt>()
      .columnType('text[]')
      .onCreate(() => [...REMINDER_KINDS]),
    /** By what terms later closings are equalized; null if the fund has none. */
    equalization: p.json<StoredEqualizationTerms>().nullable(),
    /** As other systems call it. */
    externalCode: p.text().nullable(),
    /** Null if the fund has no entity of its own. */
    entityId: p.text().nullable(),
    name: partyProperties.name,
    /** The names of the general partners and the management company by id, kept by the database for investors. */
    partyNames: p.json<Record<string, string> & Opt>().generated("('{}') stored"),
  },
});
export type Fund = InferEntity<typeof Fund>;

export const LPCommitment = defineEntity({
  name: 'LPCommitment',
  tableName: 'lp_commitments',
  properties: {
    ...documentProperties,
    status: p.text().$type<CapitalStatus & Opt>().default('Active'),
    managerId: p.text(),
    fundId: p.text(),
    investorKind: p.text().$type<'fund' | 'LP'>(),
    /** The LP that invests; null if the investor is a fund. */
    investorLPId: p.text().fieldName('investor_lp_id').nullable(),
    investorFundId: p.text().nullable(),
    Class: p.text().fieldName('class').nullable(),
    closingDate: p.date(),
    currency: p.text(),
    maxCommitment: p.decimal().$type<DecimalText>(),
    activeCommitment: p.decimal().$type<DecimalText>(),
    deltas: p.json<CommitmentDelta[] & Opt>().onCreate(() => []),
    fees: p.json<CommitmentFees & Opt>().onCreate(() => ({})),
    sideLetters: p.json<SideLetter[] & Opt>().onCreate(() => []),
  },
});
export type LPCommitment = InferEntity<typeof LPCommitment>;
