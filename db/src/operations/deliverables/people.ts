import { deliverableCollection } from '@tapeline/domain/deliverables/deliverable.collection.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';

/** The permission to send what is owed: that of uploading tapes, which borrowers hold. */
export const SEND_PERMISSION = 'assets/write';

/** Of one borrower, so many at most are offered. */
const MAX_PEOPLE = 200;

/** A user that a deliverable can name. */
export interface DeliverablePerson {
  readonly value: string;
  readonly label: string;
  readonly side: 'sender' | 'reviewer';
}

/** SQL of whether a user `u` can be named: a borrower's who can send, or a manager's who can review. Pending users sign in later. */
const CAN_BE_NAMED = `u.status in ('Active', 'Pending')
  and exists (select from rights_of(u.type, u.role_id, u.exclusive_resources, u.inclusive_resources) as own
    where own.held and own.key = case u.type when 'company' then '${SEND_PERMISSION}' else '${deliverableCollection.write}' end)`;

/**
 * The users of a borrower who can send what it owes, and those of its manager who can review it, by name.
 * @param ids these alone; all if null
 */
export const deliverablePeople = (session: ReadSession, companyId: string, ids: readonly string[] | null = null) =>
  session.query<DeliverablePerson>(
    `select u.id as value, concat_ws(' ', u.first_name, u.last_name) as label,
       case u.type when 'company' then 'sender' else 'reviewer' end as side
     from users u join companies c on c.id = $1
     where (u.company_id = c.id or (u.type = 'manager' and u.manager_id = c.manager_id))
       and ($2::text[] is null or u.id = any ($2)) and ${CAN_BE_NAMED}
     order by 2, 1 limit ${MAX_PEOPLE}`,
    [companyId, ids && [...ids]],
  );

/** Which of the people that deliverables name can still do what they are named for, whether the actor sees them or not. */
export async function ablePeople(
  session: Session,
  deliverables: readonly { readonly senderId?: string | null; readonly reviewerId?: string | null }[],
): Promise<ReadonlySet<string>> {
  const named = new Set(deliverables.flatMap(({ senderId, reviewerId }) => [senderId ?? [], reviewerId ?? []].flat()));
  if (named.size === 0) return named;
  const rows = await asProgram(session, () =>
    session.query<{ id: string }>(`select u.id from users u where u.id = any ($1) and ${CAN_BE_NAMED}`, [[...named]]),
  );
  return new Set(rows.map(({ id }) => id));
}
