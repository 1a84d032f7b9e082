import { recheckDraw, remindOfDraw } from '@tapeline/db/operations/draws/recheck-draws.ts';
import { markWatched } from '@tapeline/db/operations/draws/watched-draws.ts';
import { forgetJobFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { remindAt } from '@tapeline/domain/draws/reminder.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { DrawActivities } from '@tapeline/workflows/draw/activities.ts';
import type { WorkerContext } from '../context.ts';

const CHECKER = systemActor('Draw checks');
/** Steps that a check repeats. That nobody was reminded stays recorded. */
const REPEATED = ['checkDraw', 'restartUnwatchedDraws'];

export const createDrawActivities = (context: WorkerContext): DrawActivities => ({
  async checkDraw(command) {
    const state = await context.store.as(CHECKER, async (session) => {
      const checked = await recheckDraw(session, command);
      if (checked) await markWatched(session, { id: command.drawId, version: checked.version });
      await forgetJobFailures(session, WORKFLOW_IDS.draw(command.drawId), REPEATED);
      return checked;
    });
    if (!state) return null;
    const { isOpen, dueDate, requestedAt } = state;
    return { isOpen, dueDate, requestedAt, remindAt: remindAt(dueDate) };
  },
  async remindOfDraw(command) {
    const people = await context.store.as(CHECKER, (session) => remindOfDraw(session, command));
    context.log.info({ drawId: command.drawId, people }, 'a waiting draw request was reminded of');
  },
});
