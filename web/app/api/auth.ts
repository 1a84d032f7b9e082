import { loadActor } from '@tapeline/db/operations/identity/load-actor.ts';
import {
  endSession,
  familyLives,
  rotateRefreshToken,
  type SignedIn,
  signIn,
} from '@tapeline/db/operations/identity/sessions.ts';
import { verifySignInCode } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { codeRequestSchema, codeVerificationSchema, signInSchema } from '@tapeline/domain/identity/sign-in.schema.ts';
import { PERMISSION_KEYS, USER_TYPES, type UserActor } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { ACCESS_TOKEN_LIFETIME_SECONDS, issueAccessToken } from '../access-token.server.ts';
import type { RequestContext } from '../context.ts';
import { parseCookies } from '../cookies.server.ts';
import { cookieNames, endThisSession, startSession } from '../session.server.ts';
import { sendSignInCode } from '../sign-in-code.server.ts';
import { bearerFamily } from './authentication.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const userSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    type: z.enum(USER_TYPES),
    role: z.string().nullable(),
    level: z.int(),
    managerId: z.string().nullable(),
    companyId: z.string().nullable(),
    LPs: z.array(z.string()),
    permissions: z.array(z.enum(PERMISSION_KEYS as [string, ...string[]])),
  })
  .meta({ id: 'SignedInUser' });

const toUser = (actor: UserActor): z.infer<typeof userSchema> => ({
  id: actor.userId,
  email: actor.email,
  firstName: actor.firstName,
  lastName: actor.lastName,
  type: actor.type,
  role: actor.roleTitle,
  level: actor.level,
  managerId: actor.managerId,
  companyId: actor.companyId,
  LPs: [...actor.lpIds],
  permissions: [...actor.permissions],
});

const sessionSchema = z.object({ accessToken: z.string(), user: userSchema });
const EXPIRATION_HEADER = { 'x-access-token-expiration-seconds': String(ACCESS_TOKEN_LIFETIME_SECONDS) };

async function answerSession(context: RequestContext, signedIn: SignedIn) {
  const actor = await loadActor(context.store, signedIn.userId);
  if (!actor) throw new Refusal('unauthorized');
  await startSession(context, signedIn);
  const accessToken = await issueAccessToken(context.environment.appSecret, signedIn, new Date());
  return { body: { accessToken, user: toUser(actor) }, headers: EXPIRATION_HEADER };
}

export const authEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/auth/code',
    access: 'public',
    summary: 'Send a sign-in code of six digits by mail; the answer is the same whether or not the email is known',
    body: codeRequestSchema,
    response: z.object({}),
    status: 200,
    async handle({ body, context }) {
      await sendSignInCode(context, body.email);
      return { body: {} };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/code/verification',
    access: 'public',
    summary: 'Exchange the code for an ownership token (5 minutes, single use)',
    body: codeVerificationSchema,
    response: z.object({ ownershipToken: z.string() }),
    status: 200,
    async handle({ body, context }) {
      const verified = await verifySignInCode(context.store, {
        ...body,
        address: context.clientAddress,
        now: new Date(),
      });
      return { body: verified };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/signIn',
    access: 'public',
    summary: 'Sign in with an ownership token; sets the refresh cookie',
    body: signInSchema,
    response: sessionSchema,
    status: 200,
    async handle({ body, context, origin }) {
      return answerSession(context, await signIn(context.store, { ...body, now: new Date(), ...origin }));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/signOut',
    access: 'signed-in',
    summary: 'End this sign-in',
    response: z.object({}),
    status: 200,
    async handle({ request, context, actor }) {
      await endThisSession(request, context);
      const familyId = await bearerFamily(request, context, new Date());
      // Nothing is left to end where the token belongs to the sign-in of the cookie.
      if (familyId && (await familyLives(context.store, familyId, new Date()))) {
        await endSession(context.store, { userId: actor.userId, familyId, now: new Date() });
      }
      return { body: {} };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/auth/me',
    access: 'signed-in',
    summary: 'Who is signed in, with the rights that count now',
    response: userSchema,
    async handle({ actor }) {
      return { body: toUser(actor) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/auth/refreshAccessToken',
    access: 'refresh cookie',
    summary: 'A new access token by the refresh cookie, which is exchanged for its successor',
    response: sessionSchema,
    async handle({ request, context, origin }) {
      const refreshToken = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).refresh];
      if (!refreshToken) throw new Refusal('unauthorized');
      return answerSession(
        context,
        await rotateRefreshToken(context.store, { refreshToken, now: new Date(), ...origin }),
      );
    },
  }),
];
