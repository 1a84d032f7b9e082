import { BLOCKED_FOR_ACTOR, type Session } from '../../store.ts';
import { asAdministrator } from '../holds/holds.ts';

/** An email that was given up. */
export interface FailedMail {
  readonly id: string;
  readonly title: string;
  readonly to: string | null;
  /** What the mail server answered last. */
  readonly reason: string | null;
  readonly attempts: number;
  /** ISO instant. */
  readonly createdAt: string;
}

/**
 * The latest emails that were given up, as long as retention keeps them, and the number of all. What is about a blocked
 * document is not named.
 * @throws Refusal forbidden for anyone but an administrator
 */
export const listFailedMails = (
  session: Session,
  { limit }: { limit: number },
): Promise<{ rows: FailedMail[]; total: number }> =>
  asAdministrator(session, 'managers/read', async () => {
    const rows = await session.query<FailedMail & { total: number }>(
      `select o.id,
         case when o.owners && ${BLOCKED_FOR_ACTOR} then 'About a document that is blocked for you' else o.subject end as title,
         coalesce(o.contact_email, u.email) as to, o.last_error as reason, o.attempts,
         to_json(o.created_at) #>> '{}' as "createdAt", (count(*) over ())::int as total
       from outbox o left join users u on u.id = o.user_id
       where o.status = 'Failed' order by o.created_at desc, o.id desc limit $1`,
      [limit],
    );
    return { rows: rows.map(({ total: _, ...mail }) => mail), total: rows[0]?.total ?? 0 };
  });
