import type { Approval, ApprovalTab } from '@tapeline/db/operations/approvals/approvals.ts';
import { CONSEQUENCE_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatCount, writtenAmount } from '../../components/figures/format.ts';
import { releaseBlock, releaseQuestion } from '../cash/runs/release-words.ts';
import { approvalBlock, pendingOf } from '../monitoring/draws/draw/approval-block.ts';
import { amountText, issueIntent, SET_NOUNS, termsIntent } from './approval-words.ts';
import type { ApprovalDetails } from './details.server.ts';
import { toldOfSet, toldText } from './told-words.ts';

/** Why the request cannot be approved now; null if it can. */
export function blockOf(details: ApprovalDetails, tab: ApprovalTab): string | null {
  switch (details.kind) {
    case 'draw':
      return approvalBlock(details);
    case 'correction':
      if (details.isInProgress) return 'The tape is being processed. Accept when it is complete.';
      return details.mayDecide || tab !== 'mine' ? null : (details.problem ?? 'It can no longer be decided.');
    case 'call':
    case 'distribution':
      if (details.mustSubmit && details.secondPerson?.submittedAt != null) {
        return 'You prepared it, so somebody else must issue it.';
      }
      if (details.isTooLarge) return 'It has too many investors to be reviewed here. Issue it on its page.';
      return details.problem;
    case 'writeOff':
    case 'navs':
    case 'statements':
      if (details.mustSubmit && details.secondPerson?.submittedAt != null) {
        return `You prepared ${SET_NOUNS[details.kind].isPlural ? 'them' : 'it'}, so somebody else must issue ${SET_NOUNS[details.kind].isPlural ? 'them' : 'it'}.`;
      }
      return details.problem;
    case 'fundTerms':
    case 'investorTerms':
      if (!details.isOpen) return 'This change was decided already, or withdrawn.';
      return details.isOwn ? 'You proposed these terms, so somebody else must confirm them.' : null;
    case 'contract':
      return null;
    case 'adjustment':
      if (!details.isOpen) return 'This adjustment has already been decided.';
      return details.isOwn ? 'You entered it, so somebody else must approve it.' : null;
    case 'waiver':
      if (!details.isOpen) return 'This waiver has already been decided.';
      if (details.isReplaced) return 'A later test or a cure has replaced this breach. Decline the waiver.';
      if (details.isOver) return 'The last day of this waiver has passed. Decline it, and ask for another one.';
      return details.isOwn ? 'You asked for it, so somebody else must approve it.' : null;
    case 'payoutAccount':
      if (details.bank === null) return 'The bank account has been changed since. Choose it again on the record.';
      if (!details.isOpen) return 'This request has already been decided.';
      return details.isOwn ? 'A second person confirms the account: you chose it, or changed it last.' : null;
    case 'paymentRun':
      return releaseBlock(details);
  }
}

/** What a dialog asks before an approval. */
interface Question {
  readonly intent: string;
  readonly label: string;
  readonly title: string;
  readonly consequence: string;
  readonly confirm: string;
}

/** The question of an approval, what it does, and who is told. An account has a form instead, and no question. */
export function questionOf(details: ApprovalDetails, approval: Approval): Question | null {
  const amount = amountText(approval.amounts);
  switch (details.kind) {
    case 'draw': {
      const skipped = details.exceptions.length - pendingOf(details).length;
      const checks =
        skipped > 0 ? `${formatCount(skipped, 'exception is', 'exceptions are')} skipped.` : 'All checks pass.';
      return {
        intent: 'approveDraw',
        label: 'Approve',
        title: `Approve draw ${approval.number}: ${amount ?? ''}?`,
        consequence: `${details.companyName}, ${details.noteTitle}, due ${formatCalendarDate(details.dueDate)}. ${checks} It counts as drawn from its due date and cannot be taken back. The users of ${details.companyName} are told by email.`,
        confirm: `Approve ${amount ?? ''}`,
      };
    }
    case 'correction': {
      const rows = formatCount(approval.count ?? 0, 'row');
      return {
        intent: 'acceptCorrection',
        label: 'Accept',
        title: `Accept ${rows} of ${details.title}?`,
        consequence: `Cut-off ${formatCalendarDate(details.cutOffDate)}. The rows are reprocessed and published, and borrowing bases of the tape are calculated again. The users of ${approval.party ?? 'the borrower'} are told by email.`,
        confirm: `Accept ${rows}`,
      };
    }
    case 'call':
    case 'distribution': {
      const noun = details.kind === 'call' ? 'capital call' : 'distribution';
      const date = details.kind === 'call' ? `due ${formatCalendarDate(details.due)}` : formatCalendarDate(details.due);
      const warnings = details.warnings.length > 0 ? ` ${details.warnings.join(' ')}` : '';
      return {
        intent: details.kind === 'call' ? 'issueCall' : 'issueDistribution',
        label: 'Issue',
        title: details.netted
          ? `Issue ${noun} ${details.callNumber} and ${details.netted.name}?`
          : `Issue ${noun} ${details.callNumber}: ${amount ?? ''}?`,
        consequence: `${details.fundTitle ?? ''}, ${formatCount(details.investors, 'investor')}, ${date}. ${toldText(details)}${warnings} It can then only be closed, or withdrawn with a reason.`,
        confirm: details.netted ? 'Issue both' : `Issue ${amount ?? ''}`,
      };
    }
    case 'writeOff':
    case 'navs':
    case 'statements': {
      const { noun, isPlural } = SET_NOUNS[details.kind];
      const effect = {
        writeOff: 'It lowers the net capital called and the NAV from its date on.',
        navs: 'They enter the figures, fees and statements of the fund from their date on.',
        statements: 'Investors see them from then on.',
      }[details.kind];
      return {
        intent: issueIntent('issue', details.kind),
        label: 'Issue',
        title: `Issue the ${noun} of ${formatCalendarDate(details.cutOffDate)}?`,
        consequence: [
          `${details.fundTitle ?? ''}, ${formatCount(details.drafts, 'investor')}.`,
          effect,
          toldOfSet(details),
          ...details.warnings,
        ].join(' '),
        confirm: isPlural ? `Issue ${noun}` : `Issue ${amount ?? ''}`,
      };
    }
    case 'fundTerms':
    case 'investorTerms':
      return {
        intent: termsIntent('confirm', details.kind),
        label: 'Confirm',
        title: `Confirm the terms of ${approval.detail ?? approval.party ?? ''}?`,
        consequence: `${formatCount(details.changes.length, 'term')} ${details.changes.length === 1 ? 'changes' : 'change'}, from the days that they name on. Issued calls and distributions do not change. ${details.by ?? 'Who proposed it'} is told by email.`,
        confirm: 'Confirm the terms',
      };
    case 'paymentRun':
      return { intent: 'releaseRun', ...releaseQuestion(details) };
    case 'adjustment': {
      const { availableBase = null } = details.after ?? {};
      const effect = availableBase ? `The available base becomes ${writtenAmount(availableBase)}.` : '';
      return {
        intent: 'approveAdjustment',
        label: 'Approve',
        title: `Adjust the borrowing base by ${amount ?? ''}?`,
        consequence: `${approval.party ?? ''}, ${approval.detail ?? ''}, ${formatCalendarDate(details.cutOffDate)}. ${effect} A new version of the certificate replaces the latest one, and draws are checked against it. No one is told by email.`,
        confirm: `Approve ${amount ?? ''}`,
      };
    }
    case 'waiver':
      return {
        intent: 'approveWaiver',
        label: 'Approve',
        title: `Waive the breach until ${formatCalendarDate(details.until)}?`,
        consequence: `${approval.party ?? ''}, ${approval.detail ?? ''}, test of ${formatCalendarDate(details.testDate)}. Until then, the breach has no consequences: ${CONSEQUENCE_LABELS[details.consequence].toLowerCase()} is off. The borrower sees the waiver. No one is told by email.`,
        confirm: `Waive until ${formatCalendarDate(details.until)}`,
      };
    case 'payoutAccount':
      return null;
    case 'contract':
      return {
        intent: 'activateContract',
        label: 'Activate',
        title: `Activate contract v${details.revision}?`,
        consequence: `${approval.party ?? ''}, ${approval.detail ?? ''}. It applies to borrowing bases of tapes from ${formatCalendarDate(details.cutOffDate)} on and can no longer be edited. An active contract with the same cut-off date is closed. No one is told by email.`,
        confirm: 'Activate',
      };
  }
}
