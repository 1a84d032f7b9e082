import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AddressKind } from '@tapeline/domain/identity/address-changes.ts';

export const SignInCode = defineEntity({
  name: 'SignInCode',
  tableName: 'sign_in_codes',
  properties: {
    id: p.text().primary(),
    /**
     * `sign-in`, `recovery-email` for the code that confirms the email as the user's recovery email, or the borrower's
     * certificate that the user signs with it.
     */
    purpose: p.text().$type<'sign-in' | 'recovery-email' | `certification/${string}`>().default('sign-in'),
    email: p.text(),
    /**
     * Null if no user has this email. Such a code is stored only so that work and time are the same; it never works.
     */
    userId: p.text().nullable(),
    /** The client that requested the code; only this client can use it. */
    clientHash: p.text(),
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
    /** One family per sign-in. Every rotation adds a member; one reuse ends all of them. */
    familyId: p.text(),
    userId: p.text(),
    /** The successor is derived from this and the token itself, so that parallel calls agree and no token is stored. */
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
    /** What is limited, and for whom, for example "code/account/ann@example.com". */
    limitKey: p.text(),
    calledAt: p.datetime(),
  },
});
export type LimitedCall = InferEntity<typeof LimitedCall>;

export const MagicLink = defineEntity({
  name: 'MagicLink',
  tableName: 'magic_links',
  properties: {
    id: p.text().primary(),
    userId: p.text(),
    /** The address that the link was sent to. */
    email: p.text(),
    tokenHash: p.text(),
    timeToRemove: p.datetime(),
    createdAt: p.datetime(),
  },
});
export type MagicLink = InferEntity<typeof MagicLink>;

/** A change of an address that opens an account: what the links of its emails refer to. */
export const AddressChange = defineEntity({
  name: 'AddressChange',
  tableName: 'address_changes',
  properties: {
    id: p.text().primary(),
    userId: p.text(),
    kind: p.text().$type<AddressKind>(),
    /** The address that signs in before the change, and after it. */
    oldAddress: p.text().nullable(),
    newAddress: p.text().nullable(),
    byName: p.text(),
    /** The person who asked for it; null for the program and for the owner. */
    byUserId: p.text().nullable(),
    createdAt: p.datetime(),
    confirmedAt: p.datetime().nullable(),
    /** When its links end. */
    expiresAt: p.datetime(),
    /** When it was stopped, cancelled or replaced. */
    endedAt: p.datetime().nullable(),
  },
});

/** An id token of the identity provider that has signed in, and cannot again. */
export const UsedIdToken = defineEntity({
  name: 'UsedIdToken',
  tableName: 'used_id_tokens',
  properties: { tokenHash: p.text().primary(), expiresAt: p.datetime() },
});
