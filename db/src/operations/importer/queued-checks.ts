import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportCheck, ImportInput } from '@tapeline/domain/importer/check.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { isServiceFault, reasonOf } from '../../service-faults.ts';
import type { Session, Store } from '../../store.ts';
import { loadActor } from '../identity/load-actor.ts';
import { requirePermission } from '../permission.ts';
import { countAttempt, IMPORTER } from './attempts.ts';
import { checkImport } from './imports.ts';
import { takePlace } from './places.ts';

const MAX_DUE = 100;
const MAX_FAILURE = 4000;
/** A check that no worker has finished by then is announced again: its worker may be gone. */
const ANNOUNCED_EVERY = '20 seconds';
/** Other people change what a result depends on, so it is not shown for longer. */
const FRESH = '10 minutes';

/** How far the check of a draft is. `result` is the answer of a completed one. */
export interface DraftCheck {
  readonly status: 'Pending' | 'Processing' | 'Completed' | 'Failed';
  readonly done: number;
  readonly total: number;
  readonly result: ImportCheck | null;
  readonly failure: string | null;
  readonly tookMs: number | null;
}

/** The check of this version of the user's draft; null if there is none, or it is too old. */
export async function draftCheck(session: Session, { id, version }: { id: string; version: number }) {
  const [check] = await session.query<DraftCheck>(
    `select check_status as status, check_done as done, check_total as total, check_result as result, check_failure as failure,
       (extract(epoch from check_ended_at - check_began_at) * 1000)::float as "tookMs"
     from import_drafts where id = $1 and check_version = $2 and check_status is not null
       and (check_ended_at is null or check_ended_at > now() - interval '${FRESH}')`,
    [id, version],
  );
  if (!check) return null;
  if (check.status === 'Pending' || check.status === 'Processing') {
    const again = await session.query<{ id: string }>(
      `update import_drafts set check_queued_at = now() where id = $1 and check_version = $2
         and check_queued_at < now() - interval '${ANNOUNCED_EVERY}' returning id`,
      [id, version],
    );
    if (again.length > 0) session.announce('importCheckQueued');
  }
  return check;
}

/** Hands the check of a draft to the workers. It replaces an earlier one. @throws Refusal forbidden without `importer/write` */
export async function queueCheck(
  session: Session,
  { id, version, input }: { id: string; version: number; input: ImportInput },
): Promise<void> {
  requirePermission(session, 'importer/write');
  await session.query(
    `update import_drafts set check_status = 'Pending', check_version = $2, check_input = $3, check_total = $4, check_done = 0,
       check_attempts = 0, check_queued_at = now(), check_began_at = null, check_ended_at = null, check_result = null, check_failure = null
     where id = $1`,
    [id, version, JSON.stringify(input), input.rows.length],
  );
  session.announce('importCheckQueued');
}

/** The next page checks the draft again. */
export async function forgetCheck(session: Session, id: string): Promise<void> {
  await session.query(`update import_drafts set check_status = null, check_input = null where id = $1`, [id]);
}

interface DueCheck {
  readonly id: string;
  readonly version: number;
}

/** Checks that wait for a worker, or whose worker may be gone: the oldest of each user. The tenants take turns. */
export const listDueChecks = (store: Store): Promise<DueCheck[]> =>
  store.read(IMPORTER, (session) =>
    session.query<DueCheck>(
      `select id, version from (
         select distinct on (user_id) id, manager_id, check_version as version, check_queued_at as queued from import_drafts
         where check_status in ('Pending', 'Processing') order by user_id, id
       ) oldest order by row_number() over (partition by manager_id order by queued), queued limit ${MAX_DUE}`,
    ),
  );

const unexpected = (error: unknown): string =>
  `The rows could not be checked (${reasonOf(error)}). Retrying does not help. Correct the rows that this names, or send this text to support.`;

/** A dry run while few others run: a large one is as much work as an import. @throws Refusal tooMany */
export async function checkAlone(session: Session, input: ImportInput): Promise<ImportCheck> {
  await takePlace(session, 'check');
  return checkImport(session, input);
}

/**
 * Runs the check of a draft that waits, or whose worker was killed. Few of a user and of a tenant run at once.
 * @param onProblem is told of an error that is not the fault of the rows
 */
export async function runCheck(
  store: Store,
  { id, version }: DueCheck,
  onProblem: (error: unknown) => void = () => undefined,
): Promise<'checked' | 'failed' | 'busy' | 'over'> {
  const asImporter = (sql: string, values: readonly unknown[]) =>
    store.as(IMPORTER, (session) =>
      session.query<{ userId: string; managerId: string; input: ImportInput }>(
        `update import_drafts set ${sql} where id = $1 and check_version = $2 and check_status in ('Pending', 'Processing')
         returning user_id as "userId", manager_id as "managerId", check_input as input`,
        [id, version, ...values],
      ),
    );
  try {
    const [draft] = await asImporter(`check_status = 'Processing'`, []);
    if (!draft) return 'over';
    const actor: UserActor | null = await loadActor(store, draft.userId, { managerId: draft.managerId });
    if (!actor) throw new Refusal('forbidden', 'The user who prepares this import is no longer active');
    const report = async (rows: number): Promise<void> => {
      await asImporter('check_done = least($3::integer, check_total)', [rows]);
    };
    const result = await store.as(
      actor,
      async (session) => {
        await takePlace(session, 'check');
        await countAttempt(store, 'check', id);
        return checkImport(session, draft.input, report);
      },
      { rollback: true },
    );
    await asImporter(
      `check_status = 'Completed', check_result = $3, check_input = null, check_ended_at = now(), check_done = check_total`,
      [JSON.stringify(result)],
    );
    return 'checked';
  } catch (error) {
    if (isRefusal(error) && error.code === 'tooMany') return 'busy';
    if (isServiceFault(error)) throw error;
    if (!isRefusal(error)) onProblem(error);
    const failure = isRefusal(error) ? error.message : unexpected(error);
    await asImporter(`check_status = 'Failed', check_failure = $3, check_input = null, check_ended_at = now()`, [
      failure.slice(0, MAX_FAILURE),
    ]);
    return 'failed';
  }
}
