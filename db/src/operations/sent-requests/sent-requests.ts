import { createHash } from 'node:crypto';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { asProgram, type Session } from '../../store.ts';

/** Seconds within which the same content is the same form sent twice. */
const SENT_TWICE_SECONDS = 5;
/** How long the answer to a request with a key is kept. */
const KEPT = `interval '24 hours'`;
/** An answer that is not there after this time was lost with its process. */
const LOST = `interval '10 minutes'`;
/** Old rows that each new one removes. */
const MAX_FORGOTTEN = 20;

const hashOf = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A request of a user with a key that no other request of that user has. */
export interface KeyedRequest {
  readonly userId: string;
  readonly key: string;
  /** Of what makes it the same request: `contentHash` of its address, its body and what its user can see. */
  readonly content: string;
}

/** The answer to a request that was carried out before. */
export interface KeptAnswer {
  readonly status: number;
  readonly text: string;
}

/** Identifies the content of a request. Computed once: a body can have megabytes. */
export const contentHash = (content: unknown): string => hashOf('request', content);

const idOf = ({ userId, key }: KeyedRequest): string => hashOf('key', userId, key);

/** Removes some old rows, without waiting for others who do. */
const forgetOld = (session: Session) =>
  session.query(
    `delete from sent_requests where id = any (array(
       select id from sent_requests where sent_at < now() - ${KEPT} order by sent_at limit ${MAX_FORGOTTEN} for update skip locked))`,
  );

/**
 * Refuses to record the same money twice: what a double click or a repeated request sends. Of two that run at once, the
 * second waits for the first. The content of one transaction may repeat, and so may a request with a key of its own.
 * @param sent what the person entered, as parsed
 * @throws Refusal badRequest (flag on `flag`) if the same was saved within the last seconds
 */
export async function refuseSentTwice(
  session: Session,
  { noun, flag, sent }: { noun: string; flag: string; sent: unknown },
): Promise<void> {
  if (session.isKeyed) return;
  const tenant = session.actor.kind === 'user' ? session.actor.managerId : null;
  const saved = await asProgram(session, async () => {
    await forgetOld(session);
    // A request that waited for the first one is as old as when it began.
    return session.query(
      `insert into sent_requests as known (id, request) values ($1, $1)
       on conflict (id) do update set sent_at = clock_timestamp(), transaction = pg_current_xact_id()
         where known.sent_at < now() - interval '${SENT_TWICE_SECONDS} seconds' or known.transaction = pg_current_xact_id()
       returning id`,
      [hashOf('content', tenant, noun, sent)],
    );
  });
  if (saved.length > 0) return;
  throw new Refusal('badRequest', `The same ${noun} was saved a moment ago. Look whether it is this one`, {
    flags: { [flag]: 'was saved a moment ago' },
  });
}

/**
 * Takes the key of a request for this transaction. Of two that run at once, the second waits for the first.
 * @returns `taken`; or as `keptAnswer`
 * @throws Refusal badRequest if the earlier request was another one
 */
export async function takeKey(
  session: Session,
  request: KeyedRequest,
): Promise<'taken' | 'released' | KeptAnswer | null> {
  return asProgram(session, async () => {
    await forgetOld(session);
    const taken = await session.query(
      `insert into sent_requests as known (id, request) values ($1, $2)
       on conflict (id) do update set request = excluded.request, status = null, answer = null, sent_at = clock_timestamp(),
         transaction = pg_current_xact_id() where known.sent_at < now() - ${KEPT} returning id`,
      [idOf(request), request.content],
    );
    return taken.length > 0 ? 'taken' : keptAnswer(session, request);
  });
}

/**
 * The answer to an earlier request with the key; null while it is not there yet, `released` if it gave its key back. Runs
 * as the program.
 * @throws Refusal badRequest if the earlier request was another one, or its answer was lost
 */
export async function keptAnswer(session: Session, request: KeyedRequest): Promise<KeptAnswer | 'released' | null> {
  const [known] = await session.query<{ request: string; status: number | null; answer: string | null; lost: boolean }>(
    `select request, status, answer, sent_at < now() - ${LOST} as lost from sent_requests where id = $1`,
    [idOf(request)],
  );
  if (!known) return 'released';
  if (known.request !== request.content) {
    throw new Refusal('badRequest', 'This Idempotency-Key was sent with another request. Use a new key for each');
  }
  if (known.status === null && known.lost) {
    throw new Refusal(
      'badRequest',
      'The first request with this Idempotency-Key may have been carried out, but its answer was lost. Look for what it created',
    );
  }
  return known.status === null ? null : { status: known.status, text: known.answer ?? '' };
}

/** Keeps the answer to a request whose key was taken. Runs as the program. */
export const keepAnswer = (session: Session, request: KeyedRequest, { status, text }: KeptAnswer) =>
  session.query('update sent_requests set status = $2, answer = $3 where id = $1', [idOf(request), status, text]);

/** Gives back the key of a request that failed. Runs as the program. */
export const releaseKey = (session: Session, request: KeyedRequest) =>
  session.query('delete from sent_requests where id = $1 and status is null', [idOf(request)]);
