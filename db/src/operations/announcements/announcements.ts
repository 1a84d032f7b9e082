import type {
  ANNOUNCEMENT_KINDS,
  announcementCreateSchema,
} from '@tapeline/domain/communication/announcement.schema.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { atItem, isRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { requireClassOf } from '@tapeline/domain/funds/class-of-fund.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import { Announcement } from '../../entities/announcements.ts';
import { newId } from '../../ids.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listReaders, recordReads } from '../activities/activities.ts';
import { filesById } from '../capital/notices.ts';
import { COMPANIES } from '../companies/companies.ts';
import { uploadedFile } from '../files/files.ts';
import { FUNDS } from '../funds/funds.ts';
import { LPS } from '../investors/investors.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, type Page, type PageOptions } from '../listing/list-documents.ts';
import { type Groups, groupDocuments } from '../listing/list-figures.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { INVESTOR_TYPES } from '../outbox/readers.ts';
import { tell } from '../outbox/tell.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { tellWithdrawnAnnouncements } from './withdrawn-announcements.ts';

export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number];
type AnnouncementCreate = z.output<typeof announcementCreateSchema>;

/** How many people were told is for the manager only: it says how many investors or borrowers there are. */
const RECIPIENTS = 'case when (select actor_sees_all()) or t.manager_id = (select actor_manager()) then t.users end';
const seesRecipients = ({ actor }: ReadSession): boolean =>
  actor.kind !== 'user' || actor.type === 'admin' || actor.type === 'manager';

const TARGET = 'coalesce(t.fund_id, t.lp_id, t.company_id)';

export const ANNOUNCEMENTS = listOf('announcements', {
  'resource.kind': 't.kind',
  'resource.id': TARGET,
  users: RECIPIENTS,
});

/** An announcement with its files, and whether the actor has read it. */
export type AnnouncementView = Omit<Announcement, 'users'> & {
  /** The number of recipients; null for people other than the manager's. */
  users: number | null;
  /** The fund, investor or company that it is for; null if it is for all. */
  targetId: string | null;
  /** What that one is called, if the actor can see it. */
  target: string | null;
  /** The class of the fund that it is for, by its name. */
  className: string | null;
  files: (FileMetadata & { id: string })[];
  isRead: boolean;
};

const STATEMENTS = [
  `select id, bucket, key, name, size, type, checksum from files
   where id = any (array(select unnest(file_ids) from page)) and status = 'Active'`,
  `select document_id as id from activities
   where resource = 'announcements' and user_id = (select actor_user()) and document_id in (select id from page)`,
  `select page.id, coalesce(f.title, l.title, c.name) as title,
     (select each ->> 'name' from jsonb_array_elements(f.classes) each where each ->> 'uniqueKey' = page.class) as "className"
   from page left join funds f on f.id = page.fund_id
   left join lps l on l.id = page.lp_id left join companies c on c.id = page.company_id`,
];

function shown(
  announcements: readonly Announcement[],
  [files, reads = [], targets = []]: readonly Row[][],
  session: ReadSession,
): AnnouncementView[] {
  const fileOf = filesById(files);
  const read = new Set(reads.map(({ id }) => id));
  const named = new Map(targets.map((target) => [target.id, target]));
  return announcements.map((announcement) => {
    const { id, fundId, lpId, companyId, fileIds } = announcement;
    const { title, className } = named.get(id) ?? {};
    return {
      ...announcement,
      users: seesRecipients(session) ? announcement.users : null,
      targetId: fundId ?? lpId ?? companyId ?? null,
      target: typeof title === 'string' ? title : null,
      className: typeof className === 'string' ? className : null,
      files: fileIds.flatMap((file) => {
        const found = fileOf.get(file);
        return found ? [{ id: file, ...found }] : [];
      }),
      isRead: read.has(id),
    };
  });
}

/** One kind of announcements; every kind with `all`. */
const ofKind = (kind: AnnouncementKind): Pick<PageOptions, 'narrowing'> =>
  kind === 'all' ? {} : { narrowing: { condition: (parameter: string) => `t.kind = ${parameter}`, value: kind } };

/** Groups of the announcements of one kind that the actor can see. */
export const groupAnnouncements = (session: ReadSession, kind: AnnouncementKind, query: unknown): Promise<Groups> =>
  groupDocuments(session, ANNOUNCEMENTS, query, ofKind(kind));

/** A page of the announcements of one kind that the actor can see; of every kind with `all`. */
export const listAnnouncements = (
  session: ReadSession,
  kind: AnnouncementKind,
  query: unknown = {},
): Promise<Page<AnnouncementView>> => VIEWS.list(session, query, ofKind(kind));

const VIEWS = viewsOf(ANNOUNCEMENTS, STATEMENTS, shown);

/**
 * An announcement, which the actor has read by this.
 * @param command.kind its kind, or `all` for any
 * @throws Refusal notFound
 */
export async function readAnnouncement(
  session: Session,
  { kind = 'all', id }: { kind?: AnnouncementKind; id: string },
): Promise<AnnouncementView> {
  const announcement = await getDocument(session, ANNOUNCEMENTS, id);
  if (kind !== 'all' && announcement.kind !== kind) throw new Refusal('notFound');
  await recordReads(session, [{ resource: 'announcements', documentId: id }]);
  return VIEWS.one(session, announcement);
}

/** The columns of whom it is for. @throws Refusal badRequest for what the actor cannot see, and for a foreign class */
async function targetOf(session: Session, { resource: { kind, id }, Class }: AnnouncementCreate) {
  const find = async <Found>(read: () => Promise<Found>): Promise<Found> => {
    try {
      return await read();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return refuse('Choose whom the announcement is for', { 'resource.id': 'is not one that you can see' });
    }
  };
  if (Class && (kind !== 'funds' || !id)) {
    refuse('Only an announcement for one fund can name a class', { Class: 'needs a fund' });
  }
  if (!id) return { target: null };
  if (kind === 'funds') {
    const fund = await find(() => getDocument(session, FUNDS, id));
    requireClassOf([fund], Class);
    return { fundId: id, target: fund.managerId };
  }
  if (kind === 'LPs') return { lpId: id, target: (await find(() => getDocument(session, LPS, id))).managerId };
  return { companyId: id, target: (await find(() => getDocument(session, COMPANIES, id))).managerId };
}

/** The uploaded files, in order. @throws Refusal badRequest with a flag at each that is not one */
async function filesOf(session: Session, files: AnnouncementCreate['files']): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, { key }] of files.entries()) {
    try {
      ids.push((await uploadedFile(session, { bucket: 'announcements', keyOrId: key })).id);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refuse(error.message, { [`files.${index}`]: 'is not an uploaded file' });
    }
  }
  return [...new Set(ids)];
}

/** Users of these types are told. Others of the manager can see it. */
const TOLD: Readonly<Record<AnnouncementKind, readonly UserType[]>> = {
  all: ['manager', 'LP', 'LPGroup', 'company'],
  funds: INVESTOR_TYPES,
  LPs: INVESTOR_TYPES,
  companies: ['company'],
};

/** Which of the people it is for have read an announcement, the latest first, with the number of all. */
export function readersOfAnnouncement(
  session: ReadSession,
  { id, kind, metadata }: Pick<Announcement, 'id' | 'kind' | 'metadata'>,
  limit: number,
): ReturnType<typeof listReaders> {
  const author = metadata.createdBy?.entity;
  const except = author && 'id' in author ? author.id : undefined;
  return listReaders(session, { resource: 'announcements', documentId: id }, { limit, among: TOLD[kind], except });
}

/** Emails name no files: what they are called can say as much as what is in them. */
const filesInWords = (count: number): string[] =>
  count === 0 ? [] : ['', count === 1 ? 'One file is on the page below.' : `${count} files are on the page below.`];

async function publish(session: Session, body: AnnouncementCreate): Promise<Announcement> {
  const { target, ...columns } = await targetOf(session, body);
  const managerId = target ?? (await tenantOf(session));
  const announcement = session.em.create(Announcement, {
    id: newId(session.now),
    managerId,
    kind: body.resource.kind,
    ...columns,
    Class: body.Class ?? null,
    title: body.title,
    subTitle: body.subTitle || null,
    description: body.description,
    fileIds: await filesOf(session, body.files),
    disableEmail: body.disableEmail,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  announcement.users = await tell(session, {
    kind: 'announcement',
    resource: 'announcements',
    documentId: announcement.id,
    key: `announcement/${announcement.id}`,
    to: { everyoneOf: managerId, types: TOLD[announcement.kind], can: 'announcements/read' },
    except: session.actor.kind === 'user' ? [session.actor.userId] : [],
    isWithoutEmail: announcement.disableEmail,
    subject: announcement.title,
    lines: [
      ...(announcement.subTitle ? [announcement.subTitle, ''] : []),
      announcement.description,
      ...filesInWords(announcement.fileIds.length),
    ],
    page: MAIL_PAGES.announcement(announcement.id),
    pageTitle: 'Open the announcement',
  });
  await session.em.flush();
  return announcement;
}

/**
 * Publishes announcements, all or none, and tells the people they are for.
 * @param bodies as `announcementCreateSchema` returns them
 * @throws Refusal forbidden without `announcements/write`; badRequest with flags, naming the item
 */
export async function publishAnnouncements(
  session: Session,
  bodies: readonly AnnouncementCreate[],
): Promise<AnnouncementView[]> {
  requirePermission(session, 'announcements/write');
  const published: Announcement[] = [];
  for (const [index, body] of bodies.entries()) {
    try {
      published.push(await publish(session, body));
    } catch (error) {
      throw bodies.length === 1 ? error : atItem(error, index);
    }
  }
  return VIEWS.all(session, published);
}

/** @throws Refusal as `publishAnnouncements` */
export async function publishAnnouncement(session: Session, body: AnnouncementCreate): Promise<AnnouncementView> {
  const [published] = await publishAnnouncements(session, [body]);
  return published!;
}

/**
 * Withdraws announcements (soft delete): their audience no longer sees them, and whoever was told of them is told.
 * @throws Refusal forbidden; notFound
 */
export async function removeAnnouncements(session: Session, ids: readonly string[]): Promise<void> {
  requirePermission(session, 'announcements/write');
  const known = ids.filter(isId);
  const found = await session.em.find(Announcement, { id: { $in: known }, status: { $ne: 'Removed' } });
  if (found.length !== new Set(ids).size) throw new Refusal('notFound');
  await tellWithdrawnAnnouncements(session, found);
  for (const announcement of found) {
    announcement.status = 'Removed';
    announcement.metadata = changedMetadata(session, announcement.metadata);
  }
  await session.em.flush();
}
