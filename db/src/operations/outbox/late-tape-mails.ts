import { tapeLateMail, tapeLateManagerMail } from '@tapeline/domain/mail/tape-mails.ts';
import type { Session } from '../../store.ts';
import type { TapeDue } from '../monitoring/tapes-due.ts';
import { tell } from './tell.ts';

/**
 * Tells the people of the borrower and of the manager who upload tapes that one is late: once for each late tape.
 * @returns how many people were told
 */
export async function mailLateTape(session: Session, tape: TapeDue): Promise<number> {
  const about = { kind: 'tapeLate', resource: 'companies', documentId: tape.companyId } as const;
  const key = `tapeLate/${tape.companyId}/${tape.cutOffDate}`;
  const borrower = await tell(session, {
    ...tapeLateMail(tape),
    ...about,
    key: `${key}/borrower`,
    to: { company: tape.companyId, can: 'assets/write' },
  });
  const manager = await tell(session, {
    ...tapeLateManagerMail(tape, borrower),
    ...about,
    key: `${key}/manager`,
    to: { manager: tape.managerId, can: 'assets/write' },
  });
  return borrower + manager;
}
