import {
  drawApprovedMail,
  drawRejectedMail,
  drawReminderMail,
  drawWaitsMail,
  type MailedDraw,
} from '@tapeline/domain/mail/draw-mails.ts';
import type { MailContent, MailKind } from '@tapeline/domain/mail/mail.ts';
import { Draw } from '../../entities/draws.ts';
import { asProgram, type Session } from '../../store.ts';
import { enqueueMail } from './enqueue-mail.ts';
import type { Recipients } from './readers.ts';

const DAY_MS = 86_400_000;

interface Loaded {
  readonly draw: Draw;
  readonly mailed: MailedDraw;
}

/** The draw as it is in this transaction. The names are read as the program: not everyone sees all of them. */
async function load(session: Session, drawId: string): Promise<Loaded> {
  const draw = await session.em.findOneOrFail(Draw, { id: drawId });
  const [names] = await asProgram(session, () =>
    session.query<{ company: string; transaction: string; note: string | null }>(
      `select c.name as company, t.title as transaction, (select note ->> 'title'
         from jsonb_array_elements(t.notes) as note where note ->> 'id' = $3) as note
       from companies c, transactions t where c.id = $1 and t.id = $2`,
      [draw.companyId, draw.transactionId, draw.noteId],
    ),
  );
  if (!names) throw new Error(`the draw ${drawId} has no transaction`);
  const mailed: MailedDraw = {
    id: draw.id,
    companyName: names.company,
    transactionTitle: names.transaction,
    noteTitle: names.note ?? '',
    cutOffDate: draw.cutOffDate,
    dueDate: draw.dueDate,
    amounts: draw.draws.flatMap(({ amounts }) => amounts),
    exceptions: draw.exceptions.map(({ exception }) => exception.message),
  };
  return { draw, mailed };
}

const queue = (session: Session, { draw }: Loaded, kind: MailKind, occasion: string, mail: MailContent) =>
  enqueueMail(session, {
    ...mail,
    kind,
    resource: 'draws',
    documentId: draw.id,
    key: `${kind}/${draw.id}/${occasion}`,
    ...(kind === 'drawWaits' || kind === 'drawReminder' ? deciders(draw) : { to: requesters(draw) }),
  });

/** People of the manager who can decide: nobody decides a request that they created or last changed. */
const deciders = (draw: Draw): { to: Recipients; except: string[] } => ({
  to: { manager: draw.managerId, can: 'transactionDraw/write' },
  except: [draw.requestedBy, draw.termsChangedBy].filter((id) => id !== null && id !== undefined),
});

/** The borrower's people, and whoever requested the draw for them. */
const requesters = (draw: Draw): Recipients[] => [
  { company: draw.companyId, can: 'transactionDraw/read' },
  ...(draw.requestedBy ? [{ users: [draw.requestedBy] }] : []),
];

/** Tells the people who decide that a request was checked and waits. Again after each change of the request. */
export async function mailDrawWaits(session: Session, drawId: string): Promise<number> {
  const loaded = await load(session, drawId);
  return queue(session, loaded, 'drawWaits', String(loaded.draw.version), drawWaitsMail(loaded.mailed));
}

/** Tells the people who decide that a request still waits: at most once for each day that it has waited. */
export async function mailDrawReminder(session: Session, drawId: string): Promise<number> {
  const loaded = await load(session, drawId);
  const waitingDays = Math.floor((session.now.getTime() - Date.parse(loaded.draw.metadata.iat)) / DAY_MS);
  const mail = drawReminderMail(loaded.mailed, waitingDays);
  return queue(session, loaded, 'drawReminder', String(waitingDays), mail);
}

/** Tells the borrower that a request was approved. */
export async function mailDrawApproved(session: Session, drawId: string): Promise<number> {
  const loaded = await load(session, drawId);
  return queue(session, loaded, 'drawApproved', 'once', drawApprovedMail(loaded.mailed));
}

/** Tells the borrower that a request was rejected, with the reason in the request. */
export async function mailDrawRejected(session: Session, drawId: string): Promise<number> {
  const loaded = await load(session, drawId);
  return queue(
    session,
    loaded,
    'drawRejected',
    'once',
    drawRejectedMail(loaded.mailed, loaded.draw.rejectionMessage ?? ''),
  );
}
