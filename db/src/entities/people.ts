import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { SecondPersonProposal, SecondPersonRules } from '@tapeline/domain/approvals/second-person.ts';
import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import type {
  InvestorType,
  KYCStatus,
  PayoutAccount,
  TaxForm,
} from '@tapeline/domain/investors/investor-record.schema.ts';
import type { PermissionKey, UserType } from '@tapeline/domain/people/actor.ts';
import { documentProperties } from './base.ts';
import { partyProperties, storedCopy } from './register.ts';

export const Manager = defineEntity({
  name: 'Manager',
  tableName: 'managers',
  properties: {
    ...documentProperties,
    ...partyProperties,
    domains: p.json<string[] & Opt>().onCreate(() => []),
    /** Whether its users are signed out after 30 minutes without a request. */
    endsIdleSessions: p.boolean().default(false),
    /** When somebody else issues a document than who prepared it: `rulesOf` has every kind. */
    secondPerson: p.json<Partial<SecondPersonRules> & Opt>().onCreate(() => ({})),
    /** A change that asks less often, until a second person confirms it. */
    secondPersonProposal: p.json<SecondPersonProposal>().nullable(),
  },
});
export type Manager = InferEntity<typeof Manager>;

export const Company = defineEntity({
  name: 'Company',
  tableName: 'companies',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    ...partyProperties,
    domains: p.json<string[] & Opt>().onCreate(() => []),
    /** As other systems call it. */
    externalCode: p.text().nullable(),
    /** Where draws are paid to. */
    payoutAccounts: p.json<PayoutAccount[] & Opt>().onCreate(() => []),
  },
});
export type Company = InferEntity<typeof Company>;

export const LP = defineEntity({
  name: 'LP',
  tableName: 'lps',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    title: p.text(),
    ...partyProperties,
    domains: p.json<string[] & Opt>().onCreate(() => []),
    /** LPs of one group share their visibility through users of the type LPGroup. */
    groupId: p.text().nullable(),
    /** As other systems call it. */
    externalCode: p.text().nullable(),
    type: p.text().$type<InvestorType>().nullable(),
    taxId: p.text().nullable(),
    /** A country. */
    taxResidence: p.text().nullable(),
    lei: p.text().nullable(),
    kycStatus: p.text().$type<KYCStatus>().default('notStarted'),
    kycDate: p.date().nullable(),
    kycExpiresOn: p.date().nullable(),
    kycReason: p.text().nullable(),
    taxForms: p.json<TaxForm[] & Opt>().onCreate(() => []),
    payoutAccounts: p.json<PayoutAccount[] & Opt>().onCreate(() => []),
    /** The first day on which a tax form or the check is no longer valid; the database calculates it. */
    expiresOn: p.date().nullable().generated("('null') stored"),
  },
});
export type LP = InferEntity<typeof LP>;

/** Investors that share their users: a user of the type LPGroup sees the documents of each. */
export const LPGroup = defineEntity({
  name: 'LPGroup',
  tableName: 'lp_groups',
  properties: { ...documentProperties, managerId: p.text(), title: p.text() },
});
export type LPGroup = InferEntity<typeof LPGroup>;

export const Role = defineEntity({
  name: 'Role',
  tableName: 'roles',
  properties: {
    ...documentProperties,
    /** The tenant that created it; null for the roles that every tenant has. */
    managerId: p.text().nullable(),
    title: p.text(),
    /** 1 is the most powerful, 30 the least. */
    level: p.integer(),
    permissions: p.array().$type<string[]>().columnType('text[]'),
  },
});
export type Role = InferEntity<typeof Role>;

export const Permission = defineEntity({
  name: 'Permission',
  tableName: 'permissions',
  properties: {
    ...documentProperties,
    title: p.text(),
    /** One that the product checks, or one of an installation's own. */
    key: p.text().$type<PermissionKey | (string & {})>(),
    /** The user types that can ever hold it. */
    allowed: p.array().$type<UserType[]>().columnType('text[]'),
  },
});
export type Permission = InferEntity<typeof Permission>;

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    ...documentProperties,
    firstName: p.text(),
    lastName: p.text(),
    /** Lower case, unique. */
    email: p.text(),
    recoveryEmail: p.text().nullable(),
    /** The recovery email that its owner confirmed. It signs in only while it is the same as `recoveryEmail`. */
    confirmedRecoveryEmail: p.text().nullable(),
    /** The email that replaces `email` once somebody who receives it has confirmed it. */
    pendingEmail: p.text().nullable(),
    roleId: p.text().nullable(),
    type: p.text().$type<UserType>(),
    assoc: p.json<Association>(),
    /** The tenant that the association belongs to; null for an admin. */
    managerId: p.text().nullable(),
    companyId: p.text().nullable(),
    LPs: p
      .array()
      .$type<string[] & Opt>()
      .columnType('text[]')
      .fieldName('lps')
      .onCreate(() => []),
    exclusiveResources: p
      .array()
      .$type<string[] & Opt>()
      .columnType('text[]')
      .onCreate(() => []),
    inclusiveResources: p
      .array()
      .$type<string[] & Opt>()
      .columnType('text[]')
      .onCreate(() => []),
    lastVisited: p.datetime().nullable(),
    isReadPrivacyAndTerms: p.boolean().default(false),
    isConfirmedUserDetails: p.boolean().default(false),
    phoneNumber: p.text().nullable(),
    name: storedCopy().nullable(),
    lpId: storedCopy().nullable(),
    lpGroupId: storedCopy().nullable(),
    organization: storedCopy().nullable(),
    roleTitle: storedCopy().nullable(),
  },
});
export type User = InferEntity<typeof User>;
