import type { ReadSession } from '../../read-session.ts';

/** The first steps of a new manager: each is done once its documents exist. */
export const FIRST_STEPS = ['party', 'people', 'bank', 'record'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export interface FirstSteps {
  /** A borrower or a fund; somebody else who can sign in; a bank account, of a fund if there is one; a loan tape or a commitment. */
  readonly done: Readonly<Record<FirstStep, boolean>>;
  /**
   * The entity to which a bank account can be added: that of a fund, or the manager's own while there is no fund. Null if
   * none is visible.
   */
  readonly entity: string | null;
  /** The fund that needs an entity first; null if one has it, or there is no fund. */
  readonly fund: string | null;
}

const QUERY = `select jsonb_build_object(
    'party', exists (select from companies where status <> 'Removed') or exists (select from funds where status <> 'Removed'),
    'people', exists (select from users where status in ('Active', 'Pending') and id <> (select actor_user())),
    -- Notices state the account of the fund.
    'bank', exists (select from entities e where jsonb_array_length(e.banks) > 0
      and (exists (select from funds f where f.entity_id = e.id and f.status <> 'Removed')
        or not exists (select from funds where status <> 'Removed'))),
    'record', exists (select from loan_tapes where status <> 'Removed')
      or exists (select from lp_commitments where status <> 'Removed')) as done,
  (select e.id from entities e join (
      select entity_id, 1 as rank, id from funds where status <> 'Removed'
      union all select entity_id, 2, id from managers where id = $1 and not exists (select from funds where status <> 'Removed')
    ) as owner on owner.entity_id = e.id
    order by owner.rank, owner.id limit 1) as entity,
  (select f.id from funds f where f.status <> 'Removed'
    and not exists (select from funds where entity_id is not null and status <> 'Removed') order by f.id limit 1) as fund`;

/**
 * What a manager has of what it needs to start, as far as the actor can see it. Null if all of it is there, and for whoever
 * acts for no manager.
 */
export async function firstStepsOf(session: ReadSession): Promise<FirstSteps | null> {
  const { actor } = session;
  if (actor.kind !== 'user' || actor.managerId === null) return null;
  const [found] = await session.query<FirstSteps>(QUERY, [actor.managerId], { kept: true });
  return found && FIRST_STEPS.some((step) => !found.done[step]) ? found : null;
}
