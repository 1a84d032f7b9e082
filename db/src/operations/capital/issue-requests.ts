import { atPaths, isRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { asProgram, type Session } from '../../store.ts';
import { tellAll } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import type { ActivityKind, CapitalLine, LineChange, Termed } from './activity-kind.ts';
import { changeDocuments } from './capital-changes.ts';
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
  const [submitted] = await session.query<{ id: string }>(
    `update preparations set submitted = change_author(), returned = null, return_reason = null
     where document_id = $1 and submitted is null and issued is null returning document_id as id`,
    [command.id],
  );
  // Also if somebody else has submitted it at the same moment.
  if (!submitted) refuse('It waits for a second person already', { status: 'is submitted' });
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
  const [returned] = state?.isOwn
    ? []
    : await session.query<{ id: string }>(
        `update preparations set submitted = null, returned = change_author(), return_reason = $2
         where document_id = $1 and submitted is not null and issued is null returning document_id as id`,
        [command.id, reason],
      );
  // Also if somebody else has returned or issued it at the same moment.
  if (!returned) refuse('It does not wait for you. Reload the page', { status: 'does not wait for you' });
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

/** Lines of calls or distributions as they were read. */
export type SeenParts = readonly HeaderCommand[];

/**
 * Does something with the whole calls or distributions of which these are all parts, as they were read, and shows them.
 * @throws Refusal as `changeDocuments`; badRequest if a part of one is not named; as `work`
 */
export async function ofWholes<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  parts: SeenParts,
  work: (command: HeaderCommand) => Promise<void>,
): Promise<View[]> {
  const { documents } = await changeDocuments(session, kind.changes, parts, () => ({})).catch((error) => {
    throw isRefusal(error) ? atPaths(error, (path) => `documents.${path}`) : error;
  });
  const wholes = await session.query<HeaderCommand & { isAll: boolean }>(
    `select h.id, h.version, not exists (
       select from ${kind.table} t where t.activity_id = h.id and t.status <> 'Removed' and t.id <> all ($2)) as "isAll"
     from ${HEADERS[kind.table].table} h where h.id = any ($1) order by h.id`,
    [documents.map(({ activityId }) => activityId), parts.map(({ id }) => id)],
  );
  if (wholes.some(({ isAll }) => !isAll)) {
    refuse('It is issued as a whole. Name the documents of all its investors', { documents: 'must name all parts' });
  }
  for (const { id, version } of wholes) await work({ id, version });
  return kind.views(session, documents);
}

/** Submits drafts for issue by a second person, all or none. @throws Refusal as `ofWholes` and `submitForIssue` */
export const submitParts = <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  parts: SeenParts,
): Promise<View[]> => ofWholes(session, kind, parts, (command) => submitForIssue(session, kind.table, command));

/** Returns submitted drafts, all or none. @throws Refusal as `ofWholes` and `returnToPreparer` */
export const returnParts = <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  parts: SeenParts,
  reason: string,
): Promise<View[]> =>
  ofWholes(session, kind, parts, (command) => returnToPreparer(session, kind.table, { ...command, reason }));
