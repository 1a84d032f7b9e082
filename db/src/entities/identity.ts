import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const SignInCode = defineEntity({
  name: 'SignInCode',
  tableName: 'sign_in_codes',
  properties: {
    id: p.text().primary(),
    email: p.text(),
    /** Null where nobody has this email: such a code is kept for the same work and time, and never opens anything. */
    userId: p.text().nullable(),
    codeHash: p.text(),
    tries: p.integer().default(0),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
  },
});
export type SignInCode = InferEntity<typeof SignInCode>;

export const OwnershipToken = defineEntity({
  name: 'OwnershipToken',
  tableName: 'ownership_tokens',
  properties: {
    tokenHash: p.text().primary(),
    email: p.text(),
    userId: p.text().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  },
});
export type OwnershipToken = InferEntity<typeof OwnershipToken>;

export const RefreshToken = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  properties: {
    tokenHash: p.text().primary(),
    /** One family per sign-in; every rotation adds a member, and one reuse ends them all. */
    familyId: p.text(),
    userId: p.text(),
    /** With the token itself this gives the successor, so that parallel calls agree and no token is stored. */
    successorSalt: p.text(),
    agent: p.text().nullable(),
    ip: p.text().nullable(),
    signedInAt: p.datetime(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    rotatedAt: p.datetime().nullable(),
  },
});
export type RefreshToken = InferEntity<typeof RefreshToken>;

export const LimitedCall = defineEntity({
  name: 'LimitedCall',
  tableName: 'limited_calls',
  properties: {
    id: p.text().primary(),
    /** What is limited and for whom, for example "code/account/ann@example.com". */
    limitKey: p.text(),
    calledAt: p.datetime(),
  },
});
export type LimitedCall = InferEntity<typeof LimitedCall>;
