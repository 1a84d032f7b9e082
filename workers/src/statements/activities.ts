import { deliveryId, managersWithDeliveries } from '@tapeline/db/operations/cash/statement-files.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { type DeliveredObject, listDeliveries, takeDelivery } from '@tapeline/lake/storage/statement-deliveries.ts';
import type { StatementActivities, TakenStatements } from '@tapeline/workflows/statements/activities.ts';
import type { WorkerContext } from '../context.ts';
import { currentAttempt, eachApart } from '../failures.ts';

type StatementContext = Pick<WorkerContext, 'store' | 'objects' | 'log'>;

const TAKER = systemActor('Statement delivery');
/** A run ends before its activity would time out. The next one continues. */
const LONGEST_RUN_MS = 5 * 60_000;

export const createStatementActivities = (context: StatementContext): StatementActivities => ({
  takeStatements: () => takeStatements(context),
});

const jobOf = (id: string): string => `${WORKFLOW_IDS.deliveredStatements()}/${id}`;

/** One manager, and one file, does not keep the others waiting: what fails is recorded, and the next one is taken. */
export async function takeStatements(
  context: StatementContext,
  { now = () => new Date() }: { now?: () => Date } = {},
): Promise<TakenStatements> {
  const { store, objects, log } = context;
  const taken: TakenStatements = { imported: 0, refused: 0 };
  const until = Date.now() + LONGEST_RUN_MS;
  const isOver = () => Date.now() >= until || currentAttempt().isCancelled;
  const take = async (object: DeliveredObject): Promise<void> => {
    if (isOver()) return;
    const outcome = await takeDelivery(context, object, now());
    if (outcome === 'waits') return;
    taken[outcome] += 1;
    log.info({ key: object.key, outcome }, 'a delivered file of bank statements was taken');
  };
  const all = await store.read(TAKER, managersWithDeliveries);
  // A manager with much to take does not always come before the same others.
  const first = Math.floor(now().getTime() / 60_000) % Math.max(all.length, 1);
  const managers = [...all.slice(first), ...all.slice(0, first)];
  await eachApart(context, 'takeStatements', managers, jobOf, async (managerId) => {
    if (isOver()) return;
    const { ready, hasMore } = await listDeliveries(objects, managerId, now());
    if (hasMore) log.warn({ managerId }, 'more files of bank statements are delivered than one run takes');
    await eachApart(context, 'takeStatements', ready, ({ delivery }) => jobOf(deliveryId(delivery)), take);
  });
  return taken;
}
