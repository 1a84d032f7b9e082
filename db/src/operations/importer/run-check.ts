import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportCheck, ImportInput } from '@tapeline/domain/importer/check.ts';
import type { Session, Store } from '../../store.ts';
import { loadActor } from '../identity/load-actor.ts';
import { requirePermission } from '../permission.ts';
import { checkImport } from './imports.ts';
import { IMPORTER, MAX_FAILURE } from './run-import.ts';
import type { OnWritten } from './write-rows.ts';

const IN_PROGRESS = `check_status in ('Pending', 'Processing')`;
/** Other people change what a result depends on, so it is not shown for longer. */
const FRESH = '10 minutes';

/** The check of a version of a draft. */
export interface DraftVersion {
  readonly id: string;
  readonly version: number;
}

/** How far the check of a draft is. `result` is the answer of a completed one. */
export interface DraftCheck {
  readonly status: 'Pending' | 'Processing' | 'Completed' | 'Failed';
  readonly total: number;
  readonly result: ImportCheck | null;
  readonly failure: string | null;
  readonly tookMs: number | null;
}

/** The check of this version of the user's draft; null if there is none, or it is too old. */
export async function draftCheck(session: Session, { id, version }: DraftVersion): Promise<DraftCheck | null> {
  const [check] = await session.query<DraftCheck>(
    `select check_status as status, check_total as total, check_result as result, check_failure as failure,
       (extract(epoch from check_ended_at - check_began_at) * 1000)::float as "tookMs"
     from import_drafts where id = $1 and check_version = $2 and check_status is not null
       and (check_ended_at is null or check_ended_at > now() - interval '${FRESH}')`,
    [id, version],
  );
  return check ?? null;
}

/** A check that waits for its workflow. */
export interface AcceptedCheck extends DraftVersion {
  readonly managerId: string;
  /** The version whose check it replaces before its end; null if there is none. */
  readonly replaced: number | null;
}

/**
 * Accepts the check of a draft, whose workflow the caller starts after the commit. It replaces an earlier one, and what the
 * earlier queue had stored of it, which may not be more than the rows of this one.
 * @throws Refusal forbidden without `importer/write`; notFound
 */
export async function acceptCheck(
  session: Session,
  { id, version, input }: DraftVersion & { input: ImportInput },
): Promise<AcceptedCheck> {
  requirePermission(session, 'importer/write');
  const [accepted] = await session.query<AcceptedCheck>(
    `with earlier as (select check_version as version from import_drafts where id = $1 and check_version <> $2 and ${IN_PROGRESS})
     update import_drafts set check_status = 'Pending', check_version = $2, check_input = $3, check_total = $4,
       check_done = 0, check_attempts = 0, check_began_at = null, check_ended_at = null, check_result = null, check_failure = null
     where id = $1 returning id, check_version as version, manager_id as "managerId", (select version from earlier) as replaced`,
    [id, version, JSON.stringify(input), input.rows.length],
  );
  if (!accepted) throw new Refusal('notFound');
  return accepted;
}

/** The next page checks the draft again. */
export async function forgetCheck(session: Session, id: string): Promise<void> {
  await session.query(`update import_drafts set check_status = null, check_input = null where id = $1`, [id]);
}

/** A page of the checks that wait or run, by the id of the draft. */
export const checksInProgress = (
  store: Store,
  { after, limit }: { after: string | null; limit: number },
): Promise<(DraftVersion & { managerId: string })[]> =>
  store.read(IMPORTER, (session) =>
    session.query(
      `select id, check_version as version, manager_id as "managerId" from import_drafts
       where ${IN_PROGRESS} and ($1::text is null or id > $1) order by id limit $2`,
      [after, limit],
    ),
  );

/** Changes a check that waits or runs, and was not replaced. */
const changeCheck = (store: Store, { id, version }: DraftVersion, sql: string, values: readonly unknown[] = []) =>
  store.as(IMPORTER, (session) =>
    session.query<{ userId: string; managerId: string; input: ImportInput }>(
      `update import_drafts set ${sql} where id = $1 and check_version = $2 and ${IN_PROGRESS}
       returning user_id as "userId", manager_id as "managerId", check_input as input`,
      [id, version, ...values],
    ),
  );

/**
 * Runs the check of a draft that waits, or whose worker was lost: an import that is rolled back. One that is over or was
 * replaced is left alone.
 * @param onWritten is told how many rows are checked, and ends the work if it throws
 */
export async function runCheck(store: Store, checked: DraftVersion, onWritten: OnWritten): Promise<void> {
  const [draft] = await changeCheck(store, checked, `check_status = 'Processing', check_began_at = now()`);
  if (!draft) return;
  const { userId, managerId, input } = draft;
  const actor = await loadActor(store, userId, { managerId });
  if (!actor) throw new Refusal('forbidden', 'The user who prepares this import is no longer active');
  const result = await store.as(actor, (session) => checkImport(session, input, onWritten), { rollback: true });
  await changeCheck(
    store,
    checked,
    `check_status = 'Completed', check_result = $3, check_input = null, check_ended_at = now()`,
    [JSON.stringify(result)],
  );
}

/** Records why a check gave no answer, unless it is over or was replaced. */
export async function failCheck(store: Store, checked: DraftVersion, failure: string): Promise<void> {
  const ended = `check_status = 'Failed', check_failure = $3, check_input = null, check_ended_at = now()`;
  await changeCheck(store, checked, ended, [failure.slice(0, MAX_FAILURE)]);
}
