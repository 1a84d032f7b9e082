import { borrowersWithDeliverables, remindOfDeliverables } from '@tapeline/db/operations/deliverables/reminders.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { DeliverableActivities } from '@tapeline/workflows/deliverables/activities.ts';
import type { WorkerContext } from '../context.ts';
import { eachApart } from '../failures.ts';

const REMINDER = systemActor('Deliverables');

/** The reminders of each borrower are one transaction, so that a failure keeps what is done. */
export const createDeliverableActivities = ({
  store,
  log,
}: Pick<WorkerContext, 'store' | 'log'>): DeliverableActivities => ({
  async remindOfDeliverables() {
    const companies = await store.as(REMINDER, borrowersWithDeliverables);
    const jobOf = (companyId: string) => `${WORKFLOW_IDS.deliverables()}/${companyId}`;
    let told = 0;
    await eachApart({ store, log }, 'remindOfDeliverables', companies, jobOf, async (companyId) => {
      told += await store.as(REMINDER, (session) => remindOfDeliverables(session, companyId));
    });
    if (told > 0) log.info({ told }, 'people were told of deliverables');
    return { told };
  },
});
