import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { OwnershipToken, SignInCode } from '../../entities/identity.ts';
import { newId } from '../../ids.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { type CallLimit, countCall, countLimitedCall } from './limits.ts';
import { queueSecretMail } from './secret-mails.ts';
import { hashCode, hashToken, isSameHash, newCode, newToken } from './secrets.ts';

const MINUTE_MS = 60_000;
export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
export const OWNERSHIP_TOKEN_LIFETIME_MS = 5 * MINUTE_MS;
export const MAX_CODE_TRIES = 5;

const REQUESTS_PER_CLIENT = { calls: 5, windowMs: 15 * MINUTE_MS };
const REQUESTS_PER_ADDRESS = { calls: 60, windowMs: 15 * MINUTE_MS };
const TRIES_PER_ADDRESS = { calls: 120, windowMs: 15 * MINUTE_MS };

/**
 * Anyone can make requests for an account, so they are never refused: that would lock its owner out. Beyond
 * `promptRequests`, responses are delayed. Beyond `shortCodes`, codes are too long to be guessed: 20 codes of six
 * digits with 5 tries each are the 100 tries per hour that OWASP ASVS 2.2.1 allows for one account.
 */
const ACCOUNT = { windowMs: 60 * MINUTE_MS, promptRequests: 5, shortCodes: 20 };
const MAX_SLOW_DOWN_MS = 5000;
const SHORT_CODE_DIGITS = 6;
const LONG_CODE_DIGITS = 12;

export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

export interface CodeRequest {
  email: string;
  /** The token of the browser or program that makes the request; only it can use the code. */
  clientToken: string;
  /** The caller's network address. */
  address: string;
  now: Date;
  /** Multiplies every limit; 1 in production. */
  limitFactor?: number;
  /** Writes and encrypts the email, to be queued with the code. */
  sealedMailOf?: (code: Omit<CodeToSend, 'expiresAt'>) => string;
}

export interface CodeToSend {
  email: string;
  firstName: string;
  /** Six digits, or twelve while the account gets unusually many requests. */
  code: string;
  expiresAt: Date;
}

export interface RequestedCode {
  /** Null if no user has this email. The caller must get the same response after the same time in both cases. */
  toSend: CodeToSend | null;
  /** The queued email: the same for an unknown address, to which nothing is sent. Null if none was to be queued. */
  mailId: string | null;
  /** How long to delay the response and the email. */
  slowDownMs: number;
}

const times = (limit: CallLimit, factor: number): CallLimit => ({ ...limit, calls: limit.calls * factor });

interface Owner {
  id: string;
  firstName: string;
}

/**
 * The user whom an email signs in: an Active or invited user with this email, otherwise the Active user who confirmed
 * it as their recovery email. Always one statement, so that the work does not depend on the answer.
 */
async function findOwner(session: Session, email: string): Promise<Owner | null> {
  const [owner] = await session.query<Owner>(
    `select id, first_name as "firstName" from users
     where (email = $1 and status in ('Active', 'Pending'))
       or (confirmed_recovery_email = $1 and recovery_email = $1 and status = 'Active')
     order by email = $1 desc limit 1`,
    [email],
  );
  return owner ?? null;
}

/** Counts the request against the limits, and stores a new code of this client. */
export async function addCode(
  session: Session,
  request: CodeRequest,
  purpose: SignInCode['purpose'],
  ownerOf: (email: string) => Promise<Owner | null>,
): Promise<RequestedCode> {
  const { clientToken, address, limitFactor = 1 } = request;
  const { now } = session;
  const email = normaliseEmail(request.email);
  const clientHash = hashToken(clientToken);
  const limited = await countLimitedCall(session, {
    [`code/client/${clientHash}`]: times(REQUESTS_PER_CLIENT, limitFactor),
    [`code/address/${address}`]: times(REQUESTS_PER_ADDRESS, limitFactor),
  });
  const { calls: requests, id: counted } = await countCall(session, `code/account/${email}`, ACCOUNT.windowMs);
  const user = await ownerOf(email);
  const isShort = requests <= ACCOUNT.shortCodes * limitFactor;
  const code = newCode(isShort ? SHORT_CODE_DIGITS : LONG_CODE_DIGITS);
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
  session.em.create(SignInCode, {
    id: newId(now),
    purpose,
    email,
    userId: user?.id ?? null,
    clientHash,
    codeHash: hashCode(clientToken, code),
    createdAt: now,
    expiresAt,
  });
  const sealed = request.sealedMailOf?.({ email, firstName: user?.firstName ?? '', code });
  const mailId = sealed
    ? await queueSecretMail(session, {
        email,
        sealed,
        isWanted: user !== null,
        clientHash,
        limitedCalls: [...limited, counted],
        expiresAt,
      })
    : null;
  const excess = Math.max(0, requests - ACCOUNT.promptRequests * limitFactor);
  return {
    mailId,
    toSend: user ? { email, firstName: user.firstName, code, expiresAt } : null,
    slowDownMs: Math.min(excess * 1000, MAX_SLOW_DOWN_MS),
  };
}

/**
 * Creates a sign-in code for one client. Earlier codes stay valid, including those of other clients. The work is the
 * same whether or not the email is known.
 * @throws Refusal tooMany beyond 5 requests from one client or 60 from one address in 15 minutes
 */
export function requestSignInCode(store: Store, request: CodeRequest): Promise<RequestedCode> {
  const { now } = request;
  return store.as(SYSTEM, (session) => addCode(session, request, 'sign-in', (email) => findOwner(session, email)), {
    now,
  });
}

const FLAGS = { code: 'is wrong or no longer valid' };

/** The refusal of a code that does not match. */
export const wrongCode = ({ clientToken }: Pick<CodeTry, 'clientToken'>): Refusal =>
  new Refusal(
    'badRequest',
    clientToken === null
      ? 'A code works only where it was requested. Request a new one here.'
      : 'The code is wrong or no longer valid. Request a new one.',
    { flags: FLAGS },
  );

export interface CodeTry {
  email: string;
  code: string;
  /** Null if the caller has no token, and so never requested a code. */
  clientToken: string | null;
  address: string;
  now: Date;
  limitFactor?: number;
}

/** Tries a code against those of the client and email. Returns the user of the code, or null if it is wrong. */
export async function tryCode(
  session: Session,
  command: CodeTry,
  purpose: SignInCode['purpose'],
): Promise<string | null> {
  const { clientToken, address, limitFactor = 1 } = command;
  const { now } = session;
  const code = command.code.replace(/\s/g, '');
  await countLimitedCall(session, { [`tries/address/${address}`]: times(TRIES_PER_ADDRESS, limitFactor) });
  if (clientToken === null) return null;
  const open = await session.query<{ id: string; user_id: string | null; code_hash: string }>(
    `select id, user_id, code_hash from sign_in_codes
     where client_hash = $1 and email = $2 and purpose = $3 and ended_at is null and expires_at > $4
     order by id for update`,
    [hashToken(clientToken), normaliseEmail(command.email), purpose, now],
  );
  const tried = hashCode(clientToken, code);
  const right = open.find((one) => isSameHash(one.code_hash, tried) && one.user_id !== null);
  await session.query(
    `update sign_in_codes set tries = tries + 1, ended_at = case when $2 or tries + 1 >= $3 then $4::timestamptz end
     where id = any($1)`,
    [open.map(({ id }) => id), right !== undefined, MAX_CODE_TRIES, now],
  );
  return right?.user_id ?? null;
}

/**
 * Exchanges a code for an ownership token (5 minutes, single use). A wrong try counts against every code that is valid
 * for this client and email, and the fifth invalidates a code. Codes of other clients are not affected.
 * @throws Refusal badRequest for a wrong, invalidated or expired code; tooMany beyond 120 tries from one address in 15
 *   minutes
 */
export async function verifySignInCode(store: Store, command: CodeTry): Promise<{ ownershipToken: string }> {
  const { now } = command;
  // Throw the refusal after the transaction, not within it: a failed try must count.
  const ownershipToken = await store.as(
    SYSTEM,
    async (session) => {
      const userId = await tryCode(session, command, 'sign-in');
      if (userId === null) return null;
      const token = newToken();
      session.em.create(OwnershipToken, {
        tokenHash: hashToken(token),
        email: normaliseEmail(command.email),
        userId,
        createdAt: now,
        expiresAt: new Date(now.getTime() + OWNERSHIP_TOKEN_LIFETIME_MS),
      });
      return token;
    },
    { now },
  );
  if (ownershipToken) return { ownershipToken };
  throw wrongCode(command);
}
