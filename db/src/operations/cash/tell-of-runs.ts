import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { type MailedRun, type RunDecision, runDecidedMail, runWaitsMail } from '@tapeline/domain/mail/run-mails.ts';
import { changedBy } from '../../changed-by.ts';
import type { PaymentRun } from '../../entities/payment-runs.ts';
import type { Session } from '../../store.ts';
import { completeAction } from '../notifications/notifications.ts';
import { tell } from '../outbox/tell.ts';

type Told = PaymentRun & { readonly bankAccountTitle: string };

const nameOf = (by: ChangedBy | null | undefined): string | null => (by ? makerOf({ iat: '', createdBy: by }) : null);

/** The id of the user who did something; null if it was a call or the system. */
export const personOf = (by: ChangedBy | null | undefined): string | null =>
  by && 'id' in by.entity ? by.entity.id : null;

const mailed = (run: Told): MailedRun => ({
  id: run.id,
  code: run.code,
  accountTitle: run.bankAccountTitle,
  count: run.count,
  total: { sum: run.total, currency: run.currency },
  executeOn: run.executeOn,
});

const RESOURCE = 'paymentRuns';
const about = ({ id }: Told) => ({ resource: RESOURCE, documentId: id });

const complete = (session: Session, { id }: Told): Promise<void> =>
  completeAction(session, { resource: RESOURCE, documentIds: [id], kinds: ['runWaits'] });

/**
 * Tells those who may release a run that it waits for them: neither who prepared it, nor who released it as the first of
 * two people, after whom it waits for the others once more.
 */
export async function tellOfWaiting(session: Session, run: Told): Promise<void> {
  await complete(session, run);
  await tell(session, {
    ...runWaitsMail(mailed(run), { by: nameOf(run.prepared), first: nameOf(run.firstReleased) }),
    ...about(run),
    kind: 'runWaits',
    key: `run-waits/${run.id}/${run.firstReleased ? 'second' : 'first'}`,
    to: { manager: run.managerId, can: 'payments/release' },
    except: [run.prepared, run.firstReleased].flatMap((by) => personOf(by) ?? []),
  });
}

/** Ends the requests to release a run, and tells who prepared it what became of it, unless they decided that themselves. */
export async function tellOfDecision(
  session: Session,
  run: Told,
  { as, reason = null }: { as: RunDecision; reason?: string | null },
): Promise<void> {
  await complete(session, run);
  const by = changedBy(session);
  const preparer = personOf(run.prepared);
  if (preparer === null || preparer === personOf(by)) return;
  await tell(session, {
    ...runDecidedMail(mailed(run), { as, by: nameOf(by), reason }),
    ...about(run),
    kind: 'runDecided',
    level: as === 'released' ? 'info' : 'warning',
    // Several payments of a run can come back.
    key: `run-decided/${run.id}/${as}/${run.returns}`,
    to: { users: [preparer] },
  });
}
