import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { CommitmentFees } from '@tapeline/domain/funds/fees.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';
import { partyProperties } from './register.ts';

export const Fund = defineEntity({
  name: 'Fund',
  tableName: 'funds',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    title: p.text(),
    type: p.text(),
    strategy: p.text(),
    currency: p.text(),
    targetSize: p.decimal().$type<DecimalText>(),
    hardCap: p.decimal().$type<DecimalText>(),
    closingDate: p.date().nullable(),
    description: p.text().nullable(),
    classes: p.json<{ name: string; uniqueKey: string }[] & Opt>().onCreate(() => []),
    /** Null if the fund has no entity of its own. */
    entityId: p.text().nullable(),
    name: partyProperties.name,
  },
});
export type Fund = InferEntity<typeof Fund>;

export const LPCommitment = defineEntity({
  name: 'LPCommitment',
  tableName: 'lp_commitments',
  properties: {
    ...documentProperties,
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
    fees: p.json<CommitmentFees & Opt>().onCreate(() => ({})),
  },
});
export type LPCommitment = InferEntity<typeof LPCommitment>;
