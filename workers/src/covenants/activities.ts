import { borrowersWithCovenants, testDueCovenants } from '@tapeline/db/operations/covenants/test-due-covenants.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { CovenantActivities } from '@tapeline/workflows/covenants/activities.ts';
import type { WorkerContext } from '../context.ts';
import { eachApart } from '../failures.ts';

const TESTER = systemActor('Covenants');

/** The tests of each borrower are one transaction, so that a failure keeps what is done. */
export const createCovenantActivities = ({ store, log }: Pick<WorkerContext, 'store' | 'log'>): CovenantActivities => ({
  async testCovenants() {
    const companies = await store.as(TESTER, borrowersWithCovenants);
    const jobOf = (companyId: string) => `${WORKFLOW_IDS.covenants()}/${companyId}`;
    let tested = 0;
    await eachApart({ store, log }, 'testCovenants', companies, jobOf, async (companyId) => {
      tested += (await store.as(TESTER, (session) => testDueCovenants(session, { companyId }))).length;
    });
    if (tested > 0) log.info({ tested }, 'covenants were tested');
    return { tested };
  },
});
