import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { OwnershipToken, SignInCode } from '../../entities/identity.ts';
import { User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { countLimitedCall } from './limits.ts';
import { codeMatches, hashCode, hashToken, newCode, newToken } from './secrets.ts';

const MINUTE_MS = 60_000;
export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
export const OWNERSHIP_TOKEN_LIFETIME_MS = 5 * MINUTE_MS;
export const MAX_CODE_TRIES = 5;

const REQUESTS_PER_ACCOUNT = { calls: 5, windowMs: 15 * MINUTE_MS };
const REQUESTS_PER_ADDRESS = { calls: 60, windowMs: 15 * MINUTE_MS };
const TRIES_PER_ADDRESS = { calls: 120, windowMs: 15 * MINUTE_MS };

export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

export interface CodeRequest {
  email: string;
  /** The caller's network address. */
  address: string;
  now: Date;
}

/** A code to send. Null where nobody has this email: answer the caller the same, and as soon, in both cases. */
export interface CodeToSend {
  email: string;
  firstName: string;
  /** Six digits. */
  code: string;
  expiresAt: Date;
}

/**
 * Makes a sign-in code; an earlier one of the same email ends. The work is the same whether or not the email is known.
 * @throws Refusal tooMany beyond 5 requests of one account or 60 of one address in 15 minutes
 */
export async function requestSignInCode(store: Store, request: CodeRequest): Promise<CodeToSend | null> {
  const email = normaliseEmail(request.email);
  const code = newCode();
  const codeHash = await hashCode(code);
  return store.as(
    SYSTEM,
    async (session) => {
      await countLimitedCall(session, {
        [`code/account/${email}`]: REQUESTS_PER_ACCOUNT,
        [`code/address/${request.address}`]: REQUESTS_PER_ADDRESS,
      });
      const user = await session.em.findOne(User, { email, status: 'Active' });
      await session.em.nativeUpdate(SignInCode, { email, endedAt: null }, { endedAt: request.now });
      // Codes are of no use to anyone after a day.
      await session.em.nativeDelete(SignInCode, {
        expiresAt: { $lt: new Date(request.now.getTime() - 1440 * MINUTE_MS) },
      });
      const expiresAt = new Date(request.now.getTime() + CODE_LIFETIME_MS);
      session.em.create(SignInCode, {
        id: newId(request.now),
        email,
        userId: user?.id ?? null,
        codeHash,
        createdAt: request.now,
        expiresAt,
      });
      return user ? { email, firstName: user.firstName, code, expiresAt } : null;
    },
    { now: request.now },
  );
}

const wrongCode = () =>
  new Refusal('badRequest', 'The code is wrong or no longer valid. Ask for a new one.', {
    flags: { code: 'is wrong or no longer valid' },
  });

/**
 * Exchanges a code for an ownership token (5 minutes, single use). The fifth wrong try ends the code.
 * @throws Refusal badRequest for a wrong, ended or expired code; tooMany beyond 120 tries of one address in 15 minutes
 */
export async function verifySignInCode(
  store: Store,
  command: { email: string; code: string; address: string; now: Date },
): Promise<{ ownershipToken: string }> {
  const email = normaliseEmail(command.email);
  // Refusing after the transaction, not within: a try that fails must count.
  const ownershipToken = await store.as(
    SYSTEM,
    async (session) => {
      await countLimitedCall(session, { [`tries/address/${command.address}`]: TRIES_PER_ADDRESS });
      const [open] = await session.query<{ id: string; user_id: string | null; code_hash: string; tries: number }>(
        `select id, user_id, code_hash, tries from sign_in_codes
         where email = $1 and ended_at is null and expires_at > $2 order by created_at desc limit 1 for update`,
        [email, command.now],
      );
      const matches = await codeMatches(command.code.replace(/\s/g, ''), open?.code_hash ?? 'none.00');
      if (!open) return null;
      const tries = open.tries + 1;
      const right = matches && open.user_id !== null;
      const ended = right || tries >= MAX_CODE_TRIES;
      await session.query('update sign_in_codes set tries = $2, ended_at = $3 where id = $1', [
        open.id,
        tries,
        ended ? command.now : null,
      ]);
      if (!right) return null;
      const token = newToken();
      session.em.create(OwnershipToken, {
        tokenHash: hashToken(token),
        email,
        userId: open.user_id,
        createdAt: command.now,
        expiresAt: new Date(command.now.getTime() + OWNERSHIP_TOKEN_LIFETIME_MS),
      });
      return token;
    },
    { now: command.now },
  );
  if (!ownershipToken) throw wrongCode();
  return { ownershipToken };
}
