import { deliverableCollection } from '@tapeline/domain/deliverables/deliverable.collection.ts';
import type { ReadSession } from '../../read-session.ts';

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

/**
 * The users of a borrower who can send what it owes, and those of its manager who can review it, by name.
 * @param ids these alone; all if null
 */
export const deliverablePeople = (session: ReadSession, companyId: string, ids: readonly string[] | null = null) =>
  session.query<DeliverablePerson>(
    `select u.id as value, concat_ws(' ', u.first_name, u.last_name) as label, one.side
     from users u join companies c on c.id = $1
       cross join lateral (select case when u.company_id = c.id then 'sender' else 'reviewer' end as side) as one
     where u.status in ('Active', 'Pending') and (u.company_id = c.id or (u.type = 'manager' and u.manager_id = c.manager_id))
       and ($2::text[] is null or u.id = any ($2))
       and exists (select from rights_of(u.type, u.role_id, u.exclusive_resources, u.inclusive_resources) as own
         where own.held and own.key = case one.side when 'sender' then $3 else $4 end)
     order by 2, 1 limit ${MAX_PEOPLE}`,
    [companyId, ids && [...ids], SEND_PERMISSION, deliverableCollection.write],
  );
