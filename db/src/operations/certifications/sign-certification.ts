import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { CallOrigin } from '../../changed-by.ts';
import type { Certification } from '../../entities/certifications.ts';
import { User } from '../../entities/people.ts';
import { type Store, SYSTEM } from '../../store.ts';
import {
  addCode,
  type CodeRequest,
  type CodeTry,
  type RequestedCode,
  tryCode,
  wrongCode,
} from '../identity/sign-in-codes.ts';
import {
  type CertificationOf,
  getCertification,
  requireSubmittable,
  type Signature,
  storeSubmission,
} from './certifications.ts';

const purposeOf = (id: string) => `certification/${id}` as const;

/**
 * Creates a code with which the actor signs one certificate, for the email of their account. The limits of sign-in codes apply.
 * @throws Refusal notFound for a certificate that the actor cannot see; badRequest for one that cannot be submitted; tooMany
 */
export async function requestSigningCode(
  store: Store,
  actor: UserActor,
  { of, ...request }: Omit<CodeRequest, 'email'> & { readonly of: CertificationOf },
): Promise<RequestedCode> {
  await store.as(actor, async (session) => {
    const { version } = await getCertification(session, of);
    await requireSubmittable(session, of, { version });
  });
  return store.as(
    SYSTEM,
    async (session) => {
      const user = await session.em.findOneOrFail(User, { id: actor.userId, status: 'Active' });
      return addCode(session, { ...request, email: user.email }, purposeOf(of.id), async () => user);
    },
    { now: request.now },
  );
}

/**
 * Submits a draft for the borrower: its user confirms it with a new code that was sent to them for this certificate.
 * @throws Refusal badRequest for a wrong code, one that was used or is too old, of another user, client or certificate; otherwise as
 *   `requireSubmittable`; tooMany
 */
export async function submitCertification(
  store: Store,
  actor: UserActor,
  {
    of,
    signature,
    origin,
    ...tried
  }: Omit<CodeTry, 'email'> & {
    readonly of: CertificationOf;
    readonly signature: Signature;
    readonly origin: CallOrigin;
  },
): Promise<Certification> {
  const { now } = tried;
  await store.as(actor, (session) => requireSubmittable(session, of, signature), { now });
  const command = { ...tried, email: actor.email };
  // Throw the refusal after the transaction, not within it: a failed try must count.
  const ownerId = await store.as(SYSTEM, (session) => tryCode(session, command, purposeOf(of.id)), { now });
  if (ownerId !== actor.userId) throw wrongCode(command);
  return store.as(actor, (session) => storeSubmission(session, of, signature), { ...origin, now });
}
