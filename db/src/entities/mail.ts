import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { AddressLetter } from '@tapeline/domain/identity/address-changes.ts';
import type { MAIL_KINDS, MAIL_STATUSES } from '@tapeline/domain/mail/mail.ts';

/** An email to one user, or to one contact of an entity, that is queued, sent or given up. */
export const QueuedMail = defineEntity({
  name: 'QueuedMail',
  tableName: 'outbox',
  properties: {
    id: p.text().primary(),
    /** Of the message: it is queued once for each user and each contact. */
    key: p.text(),
    /** Null for a contact. */
    userId: p.text().nullable(),
    /** The entity whose contact it is; null for a user, as the contact's name and address. */
    contactEntityId: p.text().nullable(),
    contactName: p.text().nullable(),
    contactEmail: p.text().nullable(),
    kind: p.text().$type<(typeof MAIL_KINDS)[number]>(),
    resource: p.text(),
    documentId: p.text(),
    /** Another document that the message belongs to: "contributions/65f0…". */
    ownedBy: p.text().nullable().lazy(),
    /** The documents that both belong to, and themselves. Set by the database. */
    owners: p.array().$type<string[] & Opt>().columnType('text[]').default([]).lazy(),
    subject: p.text(),
    text: p.text(),
    page: p.text(),
    pageTitle: p.text(),
    /** Whether it is sent in one email with all that is due for the digest of its user. */
    isDigest: p.boolean().$type<boolean & Opt>().default(false),
    status: p.text().$type<(typeof MAIL_STATUSES)[number] & Opt>().default('Queued'),
    createdAt: p.datetime(),
    notBefore: p.datetime(),
    attempts: p.integer().$type<number & Opt>().default(0),
    nextAttemptAt: p.datetime(),
    sentAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    /** The trace of the request or activity that queued it, which its sending continues. Set by the database. */
    traceparent: p.text().nullable(),
    /** The hold after a restore that it was or is held by, and who decided about it. */
    holdId: p.text().nullable().lazy(),
    holdDecidedAt: p.datetime().nullable().lazy(),
    holdDecidedBy: p.text().nullable().lazy(),
  },
});
export type QueuedMail = InferEntity<typeof QueuedMail>;

/** An email with a code or a link to sign in, until it is sent. */
export const SecretMail = defineEntity({
  name: 'SecretMail',
  tableName: 'secret_mails',
  properties: {
    id: p.text().primary(),
    clientHash: p.text().nullable(),
    email: p.text(),
    /** Encrypted with the secret of the program; empty if the content is written when it is sent. */
    sealed: p.text(),
    /** What an email about an address says. Its links are made when it is sent. */
    letter: p.json<AddressLetter>().nullable(),
    isWanted: p.boolean(),
    limitedCalls: p.array(),
    status: p.text().$type<(typeof MAIL_STATUSES)[number] & Opt>().default('Queued'),
    attempts: p.integer().$type<number & Opt>().default(0),
    nextAttemptAt: p.datetime(),
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});
