import { Distribution } from '@tapeline/db/entities/capital.ts';
import { Fund } from '@tapeline/db/entities/funds.ts';
import { Company, Manager } from '@tapeline/db/entities/people.ts';
import { publishAnnouncement, removeAnnouncements } from '@tapeline/db/operations/announcements/announcements.ts';
import { changeDistributions } from '@tapeline/db/operations/capital/distributions.ts';
import { activitiesOf } from '@tapeline/db/operations/capital/issue-approval.ts';
import { submitEntered } from '@tapeline/db/operations/capital/issue-requests.ts';
import { createWriteOffs, WRITE_OFFS } from '@tapeline/db/operations/capital/write-offs.ts';
import { dueCalls, remindOfCalls } from '@tapeline/db/operations/cash/reminders.ts';
import { updateCompany } from '@tapeline/db/operations/companies/companies.ts';
import { getEntity, updateEntity } from '@tapeline/db/operations/entities/entities.ts';
import { changeSecondPerson, readSecondPerson } from '@tapeline/db/operations/managers/second-person.ts';
import { changedMetadata } from '@tapeline/db/operations/metadata.ts';
import type { Session } from '@tapeline/db/store.ts';
import { secondPersonSchema } from '@tapeline/domain/approvals/second-person.ts';
import { writeOffCreateSchema } from '@tapeline/domain/capital/write-off.schema.ts';
import { announcementCreateSchema } from '@tapeline/domain/communication/announcement.schema.ts';
import { companyUpdateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { type EntityInput, entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { asManager, type Done, daysBefore } from './acting.ts';
import { readData } from './data.ts';
import { addAccountRequests, addInvestorRecords } from './investor-records.ts';
import { DEMONSTRATION_MANAGER, FIRST_FUND, NORTHWIND_COMPANY } from './names.ts';

interface Changes {
  /** When two people are needed, and when the distribution that needs them was prepared. */
  readonly secondPerson: Done & {
    readonly rules: unknown;
    readonly prepared: Done;
    readonly text: string;
    readonly distribution: { readonly fund: string; readonly number: string };
    readonly writeOff: Done & { readonly fund: string; readonly amount: number };
  };
  /** Changes of the first fund, of Northwind or of its entity. */
  readonly changes: readonly (Done & {
    readonly fund?: { readonly hardCap?: string };
    readonly company?: { readonly domains: string[] };
    readonly entity?: Partial<EntityInput>;
  })[];
  /** Announcements to the investors, of which one is withdrawn. */
  readonly announcements: readonly (Done & {
    readonly title: string;
    readonly description: string;
    readonly withdrawn?: Done;
  })[];
}

/**
 * What the demonstration's first manager changed since its portfolio was set up: several weeks of work for the history.
 */
export async function changeDemonstration(session: Session): Promise<void> {
  const { em } = session;
  const { id: managerId } = await em.findOneOrFail(Manager, { name: DEMONSTRATION_MANAGER });
  const when = <Result>({ daysAgo, time }: Done, work: (session: Session) => Promise<Result>) =>
    asManager(session, daysBefore(session.now, daysAgo, time).toISOString(), work);
  const { changes, announcements } = readData<Changes>('changes');
  for (const change of changes) {
    await when(change, async (acting) => {
      const company = await em.findOneOrFail(Company, { managerId, name: NORTHWIND_COMPANY });
      if (change.fund) {
        const fund = await em.findOneOrFail(Fund, { managerId, title: FIRST_FUND });
        em.assign(fund, { ...change.fund, metadata: changedMetadata(acting, fund.metadata) });
      }
      if (change.company) {
        const { version, entityId: entity } = company;
        const body = companyUpdateSchema.parse({ entity, version, ...change.company });
        await updateCompany(acting, { id: company.id, body });
      }
      if (change.entity) {
        const entity = await getEntity(acting, company.entityId);
        const body = entityUpdateSchema.parse({ ...entity, ...change.entity });
        await updateEntity(acting, { id: company.entityId, body });
      }
    });
  }
  for (const { title, description, withdrawn, ...published } of announcements) {
    const body = announcementCreateSchema.parse({ resource: { kind: 'LPs' }, title, description });
    const { id } = await when(published, (acting) => publishAnnouncement(acting, body));
    await sendMails(session, id);
    if (!withdrawn) continue;
    await when(withdrawn, (acting) => removeAnnouncements(acting, [id]));
    await sendMails(session, id);
  }
  await addInvestorRecords(session);
  await addAccountRequests(session);
  await remindOfLatestCall(session);
}

/** Who prepared the distribution and the write-off that wait for a second person. */
const PREPARER_EMAIL = 'helen.marsh@harbourcredit.test';

/**
 * The first manager issues large calls, distributions and write-offs with two people, and one distribution and one
 * write-off wait for the second. In a transaction after what was issued before: the rule holds when a transaction commits.
 */
export async function requireSecondPerson(session: Session): Promise<void> {
  const { secondPerson } = readData<Changes>('changes');
  const at = ({ daysAgo, time }: Done) => daysBefore(session.now, daysAgo, time).toISOString();
  await asManager(session, at(secondPerson), async (acting) => {
    const { version } = await readSecondPerson(acting);
    await changeSecondPerson(acting, { version, rules: secondPersonSchema.parse(secondPerson.rules) });
  });
  const [draft] = await session.query<{ id: string }>(
    `select h.id from distribution_events h join managers m on m.id = h.manager_id join funds f on f.id = h.fund_id
     where m.name = $1 and f.title = $2 and h.number = $3 and h.status = 'Draft'`,
    [DEMONSTRATION_MANAGER, secondPerson.distribution.fund, secondPerson.distribution.number],
  );
  if (!draft) throw new Error('The demonstration has no draft distribution');
  const submit = async (acting: Session, trailingDescription: string) => {
    const lines = await acting.em.find(Distribution, { activityId: draft.id, status: 'Draft' });
    await changeDistributions(
      acting,
      lines.map(({ id, version }) => ({ id, version, trailingDescription })),
    );
    await submitEntered(acting, 'distributions', draft.id);
  };
  await asManager(session, at(secondPerson.prepared), (acting) => submit(acting, secondPerson.text), PREPARER_EMAIL);
  const { writeOff } = secondPerson;
  await asManager(
    session,
    at(writeOff),
    async (acting) => {
      const fund = await acting.em.findOneOrFail(Fund, { title: writeOff.fund, status: 'Active' });
      const body = writeOffCreateSchema.parse({
        fund: fund.id,
        cutOffDate: at(writeOff).slice(0, 10),
        amount: { sum: writeOff.amount, currency: fund.currency },
        status: 'Draft',
      });
      const written = await createWriteOffs(acting, [body]);
      const [id] = await activitiesOf(
        acting,
        WRITE_OFFS,
        written.map((part) => part.id),
      );
      if (!id) throw new Error('The demonstration has no draft write-off');
      await submitEntered(acting, 'write_offs', id);
    },
    PREPARER_EMAIL,
  );
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
