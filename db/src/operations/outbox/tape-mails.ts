import { decidedMail, PROPOSAL_DECISIONS, proposedMail, tapeFailedMail } from '@tapeline/domain/mail/tape-mails.ts';
import type { CorrectionProposal, LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { completeAction } from '../notifications/notifications.ts';
import { type Message, tell, tellAll } from './tell.ts';

async function companyName(session: Session, id: string): Promise<string> {
  const [company] = await session.query<{ name: string }>('select name from companies where id = $1', [id]);
  return company?.name ?? 'a borrower';
}

/** Tells those who upload tapes, of the borrower and of the manager, that one could not be processed: once per attempt. */
export async function mailFailedTape(session: Session, tape: LoanTape, failure: string): Promise<void> {
  const { id, companyId, managerId, cutOffDate, fence } = tape;
  await tell(session, {
    ...tapeFailedMail({ id, companyName: await companyName(session, companyId), cutOffDate, failure }),
    kind: 'tapeFailed',
    resource: 'loanTapes',
    documentId: id,
    key: `tapeFailed/${id}/${fence}`,
    to: [
      { company: companyId, can: 'assets/write' },
      { manager: managerId, can: 'assets/write' },
    ],
  });
}

/** Somebody processed the tape again, replaced it or removed it. */
export const completeFailedTape = (session: Session, tapeId: string): Promise<void> =>
  completeAction(session, { resource: 'loanTapes', documentIds: [tapeId], kinds: ['tapeFailed'] });

/** Tells the manager's people who decide on corrections that a borrower has proposed some. */
export async function mailProposal(session: Session, proposal: CorrectionProposal, tape: LoanTape): Promise<void> {
  const { id, tapeId, companyId, managerId, rowNumbers, comment } = proposal;
  const { cutOffDate } = tape;
  const rows = rowNumbers.length;
  await tell(session, {
    ...proposedMail({ id, tapeId, companyName: await companyName(session, companyId), cutOffDate, rows, comment }),
    kind: 'correctionProposed',
    resource: 'correctionProposals',
    documentId: id,
    key: `correctionProposed/${id}`,
    to: { manager: managerId, can: 'assets/write' },
  });
}

/**
 * Proposals were decided, withdrawn or outdated: nothing is left to do for the manager, and the people of the borrower are
 * told, unless the borrower itself withdrew them.
 */
export async function closeProposals(session: Session, proposals: readonly CorrectionProposal[]): Promise<void> {
  const documentIds = proposals.map(({ id }) => id);
  await completeAction(session, { resource: 'correctionProposals', documentIds, kinds: ['correctionProposed'] });
  const decided = proposals.flatMap((proposal) => {
    const decision = PROPOSAL_DECISIONS.find((one) => one === proposal.status);
    return decision ? [{ proposal, decision }] : [];
  });
  if (decided.length === 0) return;
  const tapes = await session.query<{ id: string; cutOffDate: string }>(
    'select id, cut_off_date::text as "cutOffDate" from loan_tapes where id = any ($1)',
    [decided.map(({ proposal }) => proposal.tapeId)],
  );
  const dayOf = new Map(tapes.map(({ id, cutOffDate }) => [id, cutOffDate]));
  await tellAll(
    session,
    decided.flatMap(({ proposal: { id, tapeId, companyId, rowNumbers, declineReason }, decision }): Message[] => {
      const cutOffDate = dayOf.get(tapeId);
      if (cutOffDate === undefined) return [];
      return [
        {
          ...decidedMail({ id, tapeId, cutOffDate, rows: rowNumbers.length, decision, reason: declineReason }),
          kind: 'correctionDecided',
          level: decision === 'Accepted' ? 'info' : 'warning',
          resource: 'correctionProposals',
          documentId: id,
          key: `correctionDecided/${id}`,
          to: { company: companyId, can: 'assets/write' },
        },
      ];
    }),
  );
}
