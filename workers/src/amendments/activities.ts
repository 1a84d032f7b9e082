import {
  facilitiesWithDueAmendments,
  putAmendmentsInForce,
} from '@tapeline/db/operations/amendments/due-amendments.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { AmendmentActivities } from '@tapeline/workflows/amendments/activities.ts';
import type { WorkerContext } from '../context.ts';
import { eachApart } from '../failures.ts';

const AMENDER = systemActor('Amendments');

/** The amendments of each facility are one transaction, so that a failure keeps what is done. */
export const createAmendmentActivities = ({
  store,
  log,
}: Pick<WorkerContext, 'store' | 'log'>): AmendmentActivities => ({
  async putAmendmentsInForce() {
    const facilities = await store.as(AMENDER, facilitiesWithDueAmendments);
    const jobOf = (transactionId: string) => `${WORKFLOW_IDS.amendments()}/${transactionId}`;
    let count = 0;
    await eachApart({ store, log }, 'putAmendmentsInForce', facilities, jobOf, async (transactionId) => {
      count += await store.as(AMENDER, (session) => putAmendmentsInForce(session, transactionId));
    });
    if (count > 0) log.info({ count }, 'amendments came into force');
    return { count };
  },
});
