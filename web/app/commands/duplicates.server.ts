import { refuseBorrower, requirePermission } from '@tapeline/db/operations/permission.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { duplicatesOfManager } from '@tapeline/workflows/all-workflows.ts';
import { bookSearchOf, searchNow } from '@tapeline/workflows/duplicates/messages.ts';
import type { RequestContext } from '../http/context.ts';

/**
 * Searches the book of the actor's manager now, or joins the search in progress. The page follows it.
 * @throws Refusal forbidden without assets/write and for a borrower; badRequest for an administrator who acts for no manager
 */
export async function searchDuplicates(context: RequestContext, actor: UserActor): Promise<void> {
  const { environment, temporal, log } = context;
  requirePermission({ actor }, 'assets/write');
  refuseBorrower({ actor }, 'Only the manager searches its book for the same loan twice');
  const { managerId } = actor;
  if (managerId === null) throw new Refusal('badRequest', 'Choose the manager whose book is searched');
  try {
    await temporal.workflow.signalWithStart<typeof duplicatesOfManager>(
      'duplicatesOfManager',
      bookSearchOf(environment.instanceName, managerId, searchNow),
    );
  } catch (error) {
    log.error({ err: error }, 'a search for the same loan twice could not be started');
    throw new Refusal('serverError', 'The search could not be started. Try again in a moment.', { cause: error });
  }
}
