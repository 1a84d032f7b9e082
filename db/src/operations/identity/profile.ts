import type { UserDetails } from '@tapeline/domain/identity/user-details.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { type CallOrigin, changedBy } from '../../changed-by.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { User } from '../../entities/people.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { changedMetadata, recordAs } from '../metadata.ts';

/**
 * Runs work on the actor's own user. It runs as the system, because row-level security lets nobody write their own row,
 * and is recorded as the actor's change.
 */
export function asProfileOwner<Result>(
  store: Store,
  actor: UserActor,
  origin: CallOrigin,
  work: (session: Session, user: User) => Promise<Result> | Result,
): Promise<Result> {
  return store.as(
    SYSTEM,
    async (session) => {
      const author = { actor, origin, now: session.now };
      await recordAs(session, changedBy(author));
      const user = await session.em.findOneOrFail(User, { id: actor.userId, status: 'Active' });
      const result = await work(session, user);
      user.metadata = changedMetadata({ ...session, ...author }, user.metadata);
      return result;
    },
    origin,
  );
}

function setDetails(user: User, { firstName, lastName, phoneNumber }: Partial<UserDetails>): void {
  if (firstName !== undefined) user.firstName = firstName;
  if (lastName !== undefined) user.lastName = lastName;
  if (phoneNumber !== undefined) user.phoneNumber = phoneNumber;
}

/** Changes the actor's own names and phone number. @throws Refusal badRequest if the version is not the latest */
export const updateProfile = (
  store: Store,
  actor: UserActor,
  command: { details: UserDetails; version: number; origin: CallOrigin },
): Promise<User> =>
  asProfileOwner(store, actor, command.origin, (_session, user) => {
    if (user.version !== command.version) throw staleRefusal(user, command.version);
    setDetails(user, command.details);
    return user;
  });

/** Records that the actor has accepted the privacy notice and the terms. Accepting again changes nothing. */
export const acceptPrivacyAndTerms = (store: Store, actor: UserActor, origin: CallOrigin): Promise<User> =>
  asProfileOwner(store, actor, origin, (_session, user) => {
    user.isReadPrivacyAndTerms = true;
    return user;
  });

/** Records that the actor has confirmed their details, with corrections. */
export const confirmUserDetails = (
  store: Store,
  actor: UserActor,
  command: { details: Partial<UserDetails>; origin: CallOrigin },
): Promise<User> =>
  asProfileOwner(store, actor, command.origin, (_session, user) => {
    setDetails(user, command.details);
    user.isConfirmedUserDetails = true;
    return user;
  });
