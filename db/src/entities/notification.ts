import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { NotificationLevel } from '@tapeline/domain/communication/notification-kinds.ts';
import type { ChosenChannels } from '@tapeline/domain/communication/notification-settings.schema.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';

/** What one user is told about a document. */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  properties: {
    id: p.text().primary(),
    /** Of the message: each user is told once. */
    key: p.text(),
    userId: p.text(),
    kind: p.text().$type<MailKind>(),
    resource: p.text(),
    documentId: p.text(),
    /** Another document that it belongs to: "contributions/65f0…". */
    ownedBy: p.text().nullable().lazy(),
    title: p.text(),
    description: p.text(),
    page: p.text(),
    pageTitle: p.text(),
    level: p.text().$type<NotificationLevel>(),
    actionRequired: p.boolean(),
    /** Who did what it asked for; null if it is not done, or if the system did it. */
    doneBy: p.text().nullable(),
    isRead: p.boolean().$type<boolean & Opt>().default(false),
    createdAt: p.datetime(),
    /** The document and those that it belongs to: "funds/65f0…". A trigger sets them. */
    owners: p.array().$type<string[] & Opt>().columnType('text[]').default([]).lazy(),
  },
});
export type Notification = InferEntity<typeof Notification>;

/** How one user gets each kind of message. A user without a row has the default settings. */
export const NotificationSetting = defineEntity({
  name: 'NotificationSetting',
  tableName: 'notification_settings',
  properties: {
    userId: p.text().primary(),
    channels: p.json<ChosenChannels>(),
    /** In UTC. */
    digestHour: p.smallint(),
    changedAt: p.datetime(),
  },
});

/** The address at which calendar programs read what is due for one user. */
export const CalendarFeed = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feeds',
  properties: {
    /** The address is made of it. */
    id: p.text().primary(),
    userId: p.text(),
    createdAt: p.datetime(),
    readAt: p.datetime().nullable(),
  },
});
