import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { PermissionKey, UserType } from '@tapeline/domain/people/actor.ts';
import { type Association, documentProperties } from './base.ts';

/** A company, fund or person in law: name, formalId, nationality, business, contacts, banks ... */
export type LegalEntity = { name: string } & Record<string, unknown>;

const nameOfEntity = "(entity ->> 'name') stored";

export const Manager = defineEntity({
  name: 'Manager',
  tableName: 'managers',
  properties: {
    ...documentProperties,
    entity: p.json<LegalEntity>(),
    name: p.text().$type<string & Opt>().generated(nameOfEntity),
    domains: p.json<string[] & Opt>().onCreate(() => []),
  },
});
export type Manager = InferEntity<typeof Manager>;

export const Company = defineEntity({
  name: 'Company',
  tableName: 'companies',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    entity: p.json<LegalEntity>(),
    name: p.text().$type<string & Opt>().generated(nameOfEntity),
    domains: p.json<string[] & Opt>().onCreate(() => []),
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
    entity: p.json<LegalEntity>(),
    domains: p.json<string[] & Opt>().onCreate(() => []),
    /** LPs of one group share their sight through users of the type LPGroup. */
    groupId: p.text().nullable(),
    groupTitle: p.text().nullable(),
  },
});
export type LP = InferEntity<typeof LP>;

export const Role = defineEntity({
  name: 'Role',
  tableName: 'roles',
  properties: {
    ...documentProperties,
    /** The tenant that made it; null for the roles every tenant has. */
    managerId: p.text().nullable(),
    title: p.text(),
    /** 1 is the most powerful, 30 the least. */
    level: p.integer(),
    permissions: p.array().$type<PermissionKey[]>().columnType('text[]'),
  },
});
export type Role = InferEntity<typeof Role>;

export const Permission = defineEntity({
  name: 'Permission',
  tableName: 'permissions',
  properties: {
    ...documentProperties,
    title: p.text(),
    key: p.text().$type<PermissionKey>(),
    /** The user types that may ever hold it. */
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
    roleId: p.text().nullable(),
    type: p.text().$type<UserType>(),
    assoc: p.json<Association>(),
    /** The tenant the association belongs to; null for an admin. */
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
  },
});
export type User = InferEntity<typeof User>;
