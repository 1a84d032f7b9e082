import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isPending } from '@tapeline/domain/draws/exceptions.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import type { Session } from '../../store.ts';
import { tell } from '../outbox/tell.ts';
import type { DrawView } from './draw-views.ts';

function factsOf(draw: DrawView): string[] {
  const amounts = draw.draws.flatMap(({ type, amounts: sums }) => sums.map((sum) => `${type}: ${writtenAmount(sum)}`));
  return [
    `${draw.companyName}, ${draw.transactionTitle}, ${draw.noteTitle}`,
    ...amounts,
    `Cut-off date: ${formatCalendarDate(draw.cutOffDate)}`,
    `Due date: ${formatCalendarDate(draw.dueDate)}`,
  ];
}

/** What the checks found, as one line. */
function foundLine(draw: DrawView): string {
  const pending = [...new Set(draw.exceptions.filter(isPending).map(({ exception }) => exception.message))];
  return pending.length === 0 ? 'All checks passed.' : `Pending exceptions: ${pending.join(', ')}.`;
}

const mailOf = (draw: DrawView, kind: MailKind) => ({
  kind,
  resource: 'draws',
  documentId: draw.id,
  page: `/monitoring/draws/${draw.id}`,
  pageTitle: 'Open the draw request',
});

/** Those who can decide: nobody decides a request that they created or last changed. */
const toDeciders = (draw: DrawView) => ({
  to: { manager: draw.managerId, can: 'transactionDraw/write' as const },
  except: [draw.requestedBy, draw.termsChangedBy].filter((id) => id != null),
});

/** Those who asked: the borrower, and whoever entered or changed the request. */
const askers = (draw: DrawView) => [
  { company: draw.companyId, can: 'transactionDraw/read' as const },
  { users: [draw.requestedBy, draw.termsChangedBy].filter((id) => id != null) },
];

/** Tells the manager that a new or changed request waits. */
export const mailWaiting = (session: Session, draw: DrawView): Promise<number> =>
  tell(session, {
    ...mailOf(draw, 'drawWaits'),
    ...toDeciders(draw),
    key: `draw-waits/${draw.id}/${draw.version}`,
    subject: `Draw ${draw.code} of ${draw.companyName} waits for a decision`,
    lines: ['A draw request waits for a decision.', '', ...factsOf(draw), '', foundLine(draw)],
  });

/** Reminds the manager of a request that still waits. */
export const mailReminder = (session: Session, draw: DrawView): Promise<number> =>
  tell(session, {
    ...mailOf(draw, 'drawReminder'),
    ...toDeciders(draw),
    key: `draw-reminder/${draw.id}/${draw.dueDate}`,
    subject: `Draw ${draw.code} of ${draw.companyName} is due on ${formatCalendarDate(draw.dueDate)}`,
    lines: ['A draw request still waits for a decision.', '', ...factsOf(draw), '', foundLine(draw)],
  });

/** Tells the borrower of the decision. */
export function mailDecision(session: Session, draw: DrawView): Promise<number> {
  const isApproved = draw.status === 'Approved';
  const decision = isApproved ? 'approved' : 'rejected';
  return tell(session, {
    ...mailOf(draw, isApproved ? 'drawApproved' : 'drawRejected'),
    to: askers(draw),
    key: `draw-${decision}/${draw.id}`,
    subject: `Draw ${draw.code} was ${decision}`,
    lines: [
      `The draw request was ${decision}.`,
      '',
      ...factsOf(draw),
      ...(isApproved ? [] : ['', `Reason: ${draw.rejectionMessage ?? ''}`]),
    ],
  });
}
