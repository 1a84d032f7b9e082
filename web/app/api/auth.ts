import { loadActor } from '@tapeline/db/operations/identity/load-actor.ts';
import { signInByMagicLink } from '@tapeline/db/operations/identity/magic-links.ts';
import { acceptPrivacyAndTerms, confirmUserDetails } from '@tapeline/db/operations/identity/profile.ts';
import { endSession, familyLives, type SignedIn, signIn } from '@tapeline/db/operations/identity/sessions.ts';
import { verifySignInCode } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import { signUp } from '@tapeline/db/operations/identity/sign-up.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  codeRequestSchema,
  codeVerificationSchema,
  magicLinkSchema,
  signInSchema,
} from '@tapeline/domain/identity/sign-in.schema.ts';
import {
  confirmUserDetailsSchema,
  privacyAndTermsSchema,
  signUpSchema,
} from '@tapeline/domain/identity/user-details.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { userSchema } from '@tapeline/domain/people/user.schema.ts';
import { z } from 'zod';
import { sendInvitation } from '../commands/invitations.server.ts';
import { signInByIdToken } from '../commands/sign-in.server.ts';
import { sendSignInCode } from '../commands/sign-in-code.server.ts';
import { ACCESS_TOKEN_LIFETIME_SECONDS, issueAccessToken } from '../http/access-token.server.ts';
import { bearerClaims } from '../http/authentication.server.ts';
import type { RequestContext } from '../http/context.ts';
import { parseCookies } from '../http/cookies.server.ts';
import { heldCsrfToken, nonceOf } from '../http/csrf-token.server.ts';
import { cookieNames, endThisSession, originOf, renewSession, startSession } from '../http/session.server.ts';
import { clientTokenOf, limitFactorOf } from '../http/sign-in-client.server.ts';
import { logSessionEvent, logSignIn } from '../http/sign-in-log.server.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { userBody } from './user-body.ts';

/** The signed-in user: the user as /crud/users returns it, and what they are allowed to do. */
const signedInUserSchema = userSchema
  .extend({
    roleTitle: z.string().nullable(),
    level: z.int().meta({ description: 'Level of the role: 1 is the most privileged, 30 the least' }),
    managerId: z.string().nullable().meta({ description: 'The manager that the user acts for' }),
    companyId: z.string().nullable(),
    permissions: z.array(z.string()).meta({
      description: "The effective permissions: the role's, without the exclusive, with the inclusive",
    }),
  })
  .meta({ id: 'SignedInUser' });

async function signedInUser({ store }: RequestContext, actor: UserActor) {
  const user = await store.as(actor, (session) => getUser(session, actor.userId));
  return {
    ...userBody(user),
    roleTitle: actor.roleTitle,
    level: actor.level,
    managerId: actor.managerId,
    companyId: actor.companyId,
    permissions: [...actor.permissions],
  };
}

const sessionSchema = z.object({ accessToken: z.string(), user: signedInUserSchema });
const EXPIRATION_HEADER = { 'x-access-token-expiration-seconds': String(ACCESS_TOKEN_LIFETIME_SECONDS) };

async function answerSession(context: RequestContext, signedIn: SignedIn) {
  const actor = await loadActor(context.store, signedIn.userId);
  if (!actor) throw new Refusal('unauthorized');
  await startSession(context, signedIn);
  const accessToken = await issueAccessToken(context.environment.appSecret, signedIn, new Date());
  return { body: { accessToken, user: await signedInUser(context, actor) }, headers: EXPIRATION_HEADER };
}

async function signInWith(
  context: RequestContext,
  request: Request,
  body: z.infer<typeof signInSchema>,
): Promise<SignedIn> {
  const { ownershipToken, magicToken, externalIdentity } = body;
  const origin = originOf(request, context);
  const now = new Date();
  if (magicToken !== undefined) {
    return logSignIn(context, 'magic link', () => signInByMagicLink(context.store, { magicToken, now, ...origin }));
  }
  if (ownershipToken !== undefined) {
    return logSignIn(context, 'ownership token', () => signIn(context.store, { ownershipToken, now, ...origin }));
  }
  if (externalIdentity !== undefined) {
    const nonce = nonceOf(heldCsrfToken(request) ?? '');
    return signInByIdToken(context, request, externalIdentity.idToken, { nonce, email: externalIdentity.email });
  }
  throw new Refusal('badRequest');
}

export const authEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/auth/code',
    access: 'public',
    summary:
      'Email a 6-digit sign-in code. The code is valid for 10 minutes and only with the cookie set by this call. The response is the same whether or not the email is known. A 429 response includes Retry-After',
    body: codeRequestSchema,
    response: z.object({}),
    status: 200,
    async handle({ body, context, request }) {
      await sendSignInCode(request, context, body.email);
      return { body: {} };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/code/verification',
    access: 'public',
    summary:
      'Exchange a code for a single-use ownership token, valid for 5 minutes. Requires the cookie set by POST /auth/code. A code ends after 5 failed attempts',
    body: codeVerificationSchema,
    response: z.object({ ownershipToken: z.string() }),
    status: 200,
    async handle({ body, context, request }) {
      const command = {
        ...body,
        clientToken: clientTokenOf(request, context),
        address: context.clientAddress,
        now: new Date(),
        limitFactor: limitFactorOf(context.environment),
      };
      return { body: await logSignIn(context, 'email code', () => verifySignInCode(context.store, command)) };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/signIn',
    access: 'public',
    summary:
      'Sign in with an ownership token, the token of a magic link, or an id token of the configured identity provider whose nonce is BASE64URL(SHA-256(value of the cookie tapeline_csrf)). Each works once. Sets the refresh cookie',
    body: signInSchema,
    response: sessionSchema,
    status: 200,
    async handle({ body, context, request }) {
      return answerSession(context, await signInWith(context, request, body));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/signUp',
    access: 'public',
    summary:
      'Sign up an invited (Pending) user with the ownership token of their email, and sign them in. Type, association, role and LPs come from the invitation',
    body: signUpSchema,
    response: sessionSchema,
    async handle({ body, context, origin }) {
      const { ownershipToken, createUser: details } = body;
      const command = { ownershipToken, details, now: new Date(), ...origin };
      return answerSession(context, await logSignIn(context, 'sign-up', () => signUp(context.store, command)));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/magicLink',
    access: 'users/write',
    summary:
      'Email a user a link that signs them in once within 7 days. It replaces an earlier link; while that one is valid, `resend` is required. An invited user who follows it becomes Active',
    body: magicLinkSchema,
    response: z.object({}),
    status: 200,
    async handle({ body, context, actor }) {
      await sendInvitation(context, actor, body);
      return { body: {} };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/signOut',
    access: 'signed-in',
    summary: 'Sign out of this session',
    response: z.object({}),
    status: 200,
    async handle({ request, context, actor }) {
      await endThisSession(request, context);
      logSessionEvent(context, 'signed out', { userId: actor.userId });
      const claims = await bearerClaims(request, context, new Date());
      // If the token belongs to the cookie's sign-in, there is nothing left to end.
      if (claims && (await familyLives(context.store, claims, new Date()))) {
        await endSession(context.store, { userId: actor.userId, familyId: claims.familyId, now: new Date() });
      }
      return { body: {} };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/auth/me',
    access: 'signed-in',
    summary: 'Get the signed-in user and their effective permissions',
    response: signedInUserSchema,
    async handle({ actor, context }) {
      return { body: await signedInUser(context, actor) };
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/auth/privacyAndTerms',
    access: 'signed-in',
    summary:
      'Accept the privacy notice and the terms of use. Until then, and until the details are confirmed, every call outside /auth returns 403',
    body: privacyAndTermsSchema,
    response: signedInUserSchema,
    async handle({ actor, context, origin }) {
      await acceptPrivacyAndTerms(context.store, actor, origin);
      return { body: await signedInUser(context, actor) };
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/auth/confirmUserDetails',
    access: 'signed-in',
    summary: 'Confirm your names and phone number, with corrections. Details that are left out stay as they are',
    body: confirmUserDetailsSchema,
    response: signedInUserSchema,
    async handle({ body, actor, context, origin }) {
      await confirmUserDetails(context.store, actor, { details: body, origin });
      return { body: await signedInUser(context, actor) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/auth/refreshAccessToken',
    access: 'refresh cookie',
    summary: 'Get a new access token with the refresh cookie. The cookie is rotated',
    response: sessionSchema,
    async handle({ request, context }) {
      const refreshToken = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).refresh];
      if (!refreshToken) throw new Refusal('unauthorized');
      return answerSession(context, await renewSession(request, context, refreshToken));
    },
  }),
];
