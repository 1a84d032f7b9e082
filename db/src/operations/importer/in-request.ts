import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportCheck, ImportInput } from '@tapeline/domain/importer/check.ts';
import type { Session } from '../../store.ts';
import { tenantOf } from '../permission.ts';
import { checkImport, type Imported, importWithWarnings } from './imports.ts';

/** Limit of checks, and of imports, within requests that run at once in one tenant. */
export const MAX_AT_ONCE = 4;

const RETRY = { retryAfterSeconds: 5 };
const NOUNS = { check: 'import check', import: 'import' } as const;

/**
 * Refuses instead of waiting, because a caller waits for the answer: each user has one check and one import in a request
 * at a time, and each tenant a few, so that one tenant does not take all the connections. It counts until the transaction
 * ends.
 * @throws Refusal tooMany while others run
 */
export async function limitAtOnce(session: Session, what: keyof typeof NOUNS): Promise<void> {
  const { actor } = session;
  const noun = NOUNS[what];
  const [own] = await session.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1 || '-of-user/' || $2, 0)) as taken`,
    [what, actor.kind === 'user' ? actor.userId : actor.name],
  );
  if (!own?.taken)
    throw new Refusal('tooMany', `You have another ${noun} in progress. Try again when it has ended.`, RETRY);
  const free = await session.query<{ number: number }>(
    `select number from generate_series(1, ${MAX_AT_ONCE}) as number
     where pg_try_advisory_xact_lock(hashtextextended($1 || '-of-tenant/' || $2 || '/' || number, 0)) limit 1`,
    [what, await tenantOf(session)],
  );
  if (free.length > 0) return;
  throw new Refusal(
    'tooMany',
    `Your organization has ${MAX_AT_ONCE} ${noun}s in progress, which is the limit. Try again when one of them has ended.`,
    RETRY,
  );
}

/** Imports while few others run: the caller waits for it. @throws Refusal tooMany; badRequest as `importRows` */
export async function importInRequest(session: Session, input: ImportInput): Promise<Imported> {
  await limitAtOnce(session, 'import');
  return importWithWarnings(session, input);
}

/** A dry run while few others run: a large one is as much work as an import. @throws Refusal tooMany */
export async function checkInRequest(session: Session, input: ImportInput): Promise<ImportCheck> {
  await limitAtOnce(session, 'check');
  return checkImport(session, input);
}
