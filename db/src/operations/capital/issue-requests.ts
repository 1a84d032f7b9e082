import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { asProgram, type Session } from '../../store.ts';
import { tellAll } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import { type HeaderCommand, seenLines } from './change-headers.ts';
import { HEADERS, type LineTable } from './headers.ts';
import { type Asked, complete, decided, issueStates, readAsked, waits, waitsForAnother } from './issue-approval.ts';

/** The draft as it was seen. @throws Refusal forbidden; notFound; badRequest if it changed since or was issued */
async function askedDraft(session: Session, table: LineTable, command: HeaderCommand): Promise<Asked> {
  requirePermission(session, `${table}/write`);
  const seen = await seenLines(session, table, command);
  if (seen.some(({ status }) => status !== 'Draft')) refuse('It was issued already', { status: 'is not Draft' });
  const [asked] = await asProgram(session, () => readAsked(session, table, [command.id]));
  if (!asked) throw new Refusal('notFound');
  return asked;
}

/**
 * Asks for a second person who issues a draft. A change of the draft ends that.
 * @throws Refusal as `askedDraft`; badRequest if it does not need one, and for anyone but who prepared it
 */
export async function submitForIssue(session: Session, table: LineTable, command: HeaderCommand): Promise<void> {
  const asked = await askedDraft(session, table, command);
  const state = (await issueStates(session, [command.id])).get(command.id);
  if (!waitsForAnother(state)) {
    refuse('Only who prepared it submits it, and only if it needs a second person. You can issue it yourself', {
      status: 'needs no other person',
    });
  }
  if (asked.isSubmitted) refuse('It waits for a second person already', { status: 'is submitted' });
  await session.query(
    `update preparations set submitted = change_author(), returned = null, return_reason = null where document_id = $1`,
    [command.id],
  );
  await tellAll(session, [waits(asked)]);
}

/**
 * Gives a draft back to who prepared it, with the reason.
 * @throws Refusal as `askedDraft`; badRequest if nobody has submitted it, or the actor prepared it
 */
export async function returnToPreparer(
  session: Session,
  table: LineTable,
  { reason, ...command }: HeaderCommand & { reason: string },
): Promise<void> {
  const asked = await askedDraft(session, table, command);
  const state = (await issueStates(session, [command.id])).get(command.id);
  if (!asked.isSubmitted || state?.isOwn) {
    refuse('It does not wait for you. Reload the page', { status: 'does not wait for you' });
  }
  await session.query(
    `update preparations set submitted = null, returned = change_author(), return_reason = $2 where document_id = $1`,
    [command.id, reason],
  );
  await complete(session, table, [asked]);
  await tellAll(session, [decided(session, asked, reason)]);
}

/** Submits what was entered or changed in this transaction. @throws Refusal as `submitForIssue` */
export async function submitEntered(session: Session, table: LineTable, id: string): Promise<void> {
  await session.em.flush();
  const [stored] = await session.query<{ version: number }>(
    `select version from ${HEADERS[table].table} where id = $1`,
    [id],
  );
  await submitForIssue(session, table, { id, version: stored?.version ?? 0 });
}
