import { announcementCreateSchema } from '@tapeline/domain/communication/announcement.schema.ts';
import { companyUpdateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { type EntityInput, entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { PERMISSION_KEYS } from '@tapeline/domain/people/actor.ts';
import { type Author, changedBy } from '../../changed-by.ts';
import { Fund } from '../../entities/funds.ts';
import { Company, Manager, User } from '../../entities/people.ts';
import { publishAnnouncement, removeAnnouncements } from '../../operations/announcements/announcements.ts';
import { dueCalls, remindOfCalls } from '../../operations/capital/due-calls.ts';
import { updateCompany } from '../../operations/companies/companies.ts';
import { getEntity, updateEntity } from '../../operations/entities/entities.ts';
import { changedMetadata } from '../../operations/metadata.ts';
import type { Session } from '../../store.ts';
import { DEMONSTRATION_MANAGER, FIRST_FUND, NORTHWIND_COMPANY, UPLOADER_EMAIL } from './portfolio.ts';

/** Days before the seeding at which the portfolio was set up. */
const SET_UP = 90;

/** A time on a working day, some days before the seeding: "09:14". */
function daysBefore(now: Date, days: number, time: string): Date {
  const day = new Date(now.getTime() - days * 86_400_000);
  const weekend = { 0: 2, 6: 1 }[day.getUTCDay()] ?? 0;
  return new Date(`${new Date(day.getTime() - weekend * 86_400_000).toISOString().slice(0, 10)}T${time}:00.000Z`);
}

/** Does the work as the author: documents and the history record them, and their time. */
async function recordedAs<Result>(
  session: Session,
  author: Author,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const record = (by: Author) =>
    session.query(`select set_config('tapeline.changed_by', $1, true)`, [JSON.stringify(changedBy(by))]);
  await session.em.flush();
  await record(author);
  const result = await work({ ...session, ...author });
  await session.em.flush();
  await record(session);
  return result;
}

/** Sets the portfolio up some months before the seeding, so that its later changes are in the past too. */
export const setUpEarlier = <Result>(session: Session, work: (session: Session) => Promise<Result>): Promise<Result> =>
  recordedAs(session, { ...session, now: daysBefore(session.now, SET_UP, '08:30') }, work);

/** Does the work as a user of the manager at a time: now, if that time of today has not come yet. */
export const asManager = <Result>(
  session: Session,
  { user, managerId, at }: { user: User; managerId: string; at: string },
  work: (session: Session) => Promise<Result>,
): Promise<Result> =>
  recordedAs(
    session,
    {
      now: new Date(Math.min(Date.parse(at), session.now.getTime())),
      origin: { agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', ip: '203.0.113.24', locale: 'en-US' },
      actor: {
        kind: 'user',
        userId: user.id,
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        type: 'manager',
        roleTitle: null,
        level: 5,
        managerId,
        companyId: null,
        lpIds: [],
        assocTitle: null,
        permissions: PERMISSION_KEYS,
        blockedDocuments: [],
        allowedDocuments: [],
        onboarding: [],
      },
    },
    work,
  );

const changeEntity = async (session: Session, id: string, fields: Partial<EntityInput>): Promise<void> => {
  const entity = await getEntity(session, id);
  await updateEntity(session, { id, body: entityUpdateSchema.parse({ ...entity, ...fields }) });
};

const BANK = {
  title: 'Collection account',
  accountName: 'Northwind Consumer Loans',
  accountNumber: '4410097725',
  address: '200 Montgomery Street, San Francisco',
  type: 'Business' as const,
  abaOrRouting: '121000248',
};

/**
 * What the demonstration's first manager changed since its portfolio was set up: several weeks of work for the history.
 */
export async function changeDemonstration(session: Session): Promise<void> {
  const { em } = session;
  const { id: managerId } = await em.findOneOrFail(Manager, { name: DEMONSTRATION_MANAGER });
  const user = await em.findOneOrFail(User, { email: UPLOADER_EMAIL });
  const company = await em.findOneOrFail(Company, { managerId, name: NORTHWIND_COMPANY });
  const fund = await em.findOneOrFail(Fund, { managerId, title: FIRST_FUND });
  const onDay = <Result>(days: number, time: string, work: (session: Session) => Promise<Result>) =>
    asManager(session, { user, managerId, at: daysBefore(session.now, days, time).toISOString() }, work);
  const changeFund = (fields: { hardCap?: string; description?: string }) => async (acting: Session) => {
    em.assign(fund, { ...fields, metadata: changedMetadata(acting, fund.metadata) });
  };

  const hardCap = fund.hardCap;
  await onDay(83, '09:40', changeFund({ hardCap: '140000000' }));
  await onDay(76, '14:05', (acting) =>
    changeEntity(acting, company.entityId, {
      contacts: [{ name: 'Bea Lindqvist', email: 'borrower@tapeline.test', role: 'Head of treasury' }],
    }),
  );
  await onDay(62, '10:22', (acting) => changeEntity(acting, company.entityId, { banks: [BANK] }));
  await onDay(48, '16:31', async (acting) => {
    const { version } = company;
    const entity = company.entityId;
    const body = companyUpdateSchema.parse({ entity, domains: ['northwind.example'], version });
    await updateCompany(acting, { id: company.id, body });
  });
  await onDay(33, '11:12', changeFund({ hardCap }));
  await onDay(12, '15:47', (acting) =>
    changeEntity(acting, company.entityId, { banks: [{ ...BANK, accountNumber: '4410097733' }] }),
  );
  await announceEarlier(session, onDay);
  await remindOfLatestCall(session);
}

/** Announcements of the last weeks, with the results of their emails: one was not delivered, and one was withdrawn. */
async function announceEarlier(
  session: Session,
  onDay: <Result>(days: number, time: string, work: (session: Session) => Promise<Result>) => Promise<Result>,
): Promise<void> {
  const published = (days: number, time: string, title: string, description: string) =>
    onDay(days, time, (acting) =>
      publishAnnouncement(acting, announcementCreateSchema.parse({ resource: { kind: 'LPs' }, title, description })),
    );
  const meeting = await published(
    26,
    '10:05',
    'Annual meeting on 12 March',
    'The annual meeting of all funds is on **12 March** at 2 pm, in our office and by video. The agenda follows in February.',
  );
  await sendMails(session, meeting.id);
  const wire = await published(
    9,
    '16:40',
    'New subscription account',
    'From the next call on, please pay into the account that your notice states.',
  );
  await sendMails(session, wire.id);
  await onDay(8, '09:05', (acting) => removeAnnouncements(acting, [wire.id]));
  await sendMails(session, wire.id);
}

/** Records that the emails about an announcement were sent, but for one whose mailbox does not exist any more. */
async function sendMails(session: Session, id: string): Promise<void> {
  await session.em.flush();
  await session.query(
    `with waiting as (
       select id, row_number() over (order by id desc) = 1 as is_last from outbox
       where status = 'Queued' and (document_id = $1 or owned_by = 'announcements/' || $1))
     update outbox o set attempts = 1, status = case when is_last then 'Failed' else 'Sent' end,
       sent_at = case when is_last then null else created_at + interval '40 seconds' end,
       last_error = case when is_last then '550 5.1.1 The mailbox does not exist' end
     from waiting where waiting.id = o.id`,
    [id],
  );
}

/** Reminds the investors of the latest call, as the product did three days before it was due. */
async function remindOfLatestCall(session: Session): Promise<void> {
  await session.em.flush();
  const [latest] = await session.query<{ due: string }>(
    `select max(due_date)::text as due from contributions where status = 'Active' and investor_lp_id is not null`,
  );
  if (!latest?.due) return;
  const now = new Date(Math.min(Date.parse(`${latest.due}T06:00:00.000Z`) - 3 * 86_400_000, session.now.getTime()));
  const at = { ...session, now };
  await remindOfCalls(at, await dueCalls(at, { after: '', limit: 500 }));
}
