import { atPaths, isRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { asProgram, type Session } from '../../store.ts';
import { tellAll } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import { type CapitalDocument, type ChangeableCapital, changeDocuments } from './capital-changes.ts';
import { type HeaderCommand, seenLines } from './change-headers.ts';
import { HEADERS, type LineTable } from './headers.ts';
import {
  type Asked,
  activitiesOf,
  complete,
  decided,
  ISSUED,
  type IssuedTable,
  type IssueState,
  issueStates,
  readAsked,
  waits,
  waitsForAnother,
} from './issue-approval.ts';
import { otherTable } from './netted-lines.ts';

/** @throws Refusal notFound; badRequest if it changed since it was seen, or was issued */
async function requireSeenDraft(session: Session, table: IssuedTable, command: HeaderCommand): Promise<void> {
  const isDraft = isLineTable(table)
    ? (await seenLines(session, table, command)).every(({ status }) => status === 'Draft')
    : (await seenDrafts(session, table, command)).length > 0;
  if (!isDraft) refuse('It was issued already', { status: 'is not Draft' });
}

/**
 * The drafts among what was prepared together, as it was seen: those that the actor can see, which are all.
 * @throws Refusal notFound; badRequest if it changed since, or cannot be seen as a whole
 */
export async function seenDrafts(
  session: Session,
  table: IssuedTable,
  { id, version }: HeaderCommand,
): Promise<{ id: string; version: number }[]> {
  const sql = `select t.id, t.version, t.status from ${table} t where t.activity_id = $1 and t.status <> 'Removed' order by t.id`;
  const seen = await session.query<{ id: string; version: number; status: string }>(sql, [id]);
  if (seen.length === 0) throw new Refusal('notFound');
  const [all, [stored]] = await asProgram(session, async () => [
    await session.query(sql, [id]),
    await session.query<{ version: number }>('select version from preparations where document_id = $1', [id], {
      kept: true,
    }),
  ]);
  if (stored?.version !== version) throw staleRefusal();
  if (all.length !== seen.length) {
    refuse('You cannot see every investor of this, so you cannot submit, return, issue or discard it', {
      investors: 'are not all visible to you',
    });
  }
  return seen.filter(({ status }) => status === 'Draft');
}

const isLineTable = (table: IssuedTable): table is LineTable => Object.hasOwn(HEADERS, table);

/**
 * The condition that what was read as a draft of the version $2 still is one when it is written. A set of which some are
 * issued has drafts nevertheless; its version rises with each issue.
 */
const stillDraft = (table: IssuedTable): string =>
  isLineTable(table) ? '$2::int is not null and issued is null' : 'version = $2';

/** The draft as it was seen. @throws Refusal forbidden; notFound; badRequest if it changed since or was issued */
async function askedDraft(session: Session, table: IssuedTable, command: HeaderCommand): Promise<Asked> {
  requirePermission(session, ISSUED[table].write);
  await requireSeenDraft(session, table, command);
  const [asked] = await asProgram(session, () => readAsked(session, table, [command.id]));
  if (!asked) throw new Refusal('notFound');
  return asked;
}

/** Of a line table, what a draft is netted with, if the actor can see it. */
async function partnerOf(session: Session, table: LineTable, id: string): Promise<HeaderCommand | null> {
  const [found] = await session.query<{ id: string; version: number }>(
    `select id, version from ${HEADERS[otherTable(table)].table}
     where id in (select netted_with from ${table} where activity_id = $1 and status <> 'Removed')`,
    [id],
  );
  return found ?? null;
}

/**
 * Does something with a draft, as it was seen, and with what it is netted with, which is issued with it: with those of the two
 * that it concerns, or else with the named one, which is refused.
 */
async function withNetted(
  session: Session,
  table: IssuedTable,
  command: HeaderCommand,
  concerns: (state: IssueState) => boolean,
  work: (table: IssuedTable, command: HeaderCommand) => Promise<void>,
): Promise<void> {
  const partner = isLineTable(table) ? await partnerOf(session, table, command.id) : null;
  if (!(partner && isLineTable(table))) return work(table, command);
  const states = await issueStates(session, [command.id, partner.id]);
  const isConcerned = ({ id }: HeaderCommand) => {
    const state = states.get(id);
    return state !== undefined && concerns(state);
  };
  await askedDraft(session, table, command);
  if (isConcerned(command) || !isConcerned(partner)) await work(table, command);
  if (isConcerned(partner)) await work(otherTable(table), partner);
}

/**
 * Asks for a second person who issues a draft and what it is netted with. A change of a draft ends that.
 * @throws Refusal as `askedDraft`; badRequest if neither needs one, and for anyone but who prepared it
 */
export const submitForIssue = (session: Session, table: IssuedTable, command: HeaderCommand): Promise<void> =>
  withNetted(
    session,
    table,
    command,
    (state) => waitsForAnother(state) && state.submittedAt === null,
    (each, draft) => submitOne(session, each, draft),
  );

async function submitOne(session: Session, table: IssuedTable, command: HeaderCommand): Promise<void> {
  const asked = await askedDraft(session, table, command);
  const state = (await issueStates(session, [command.id])).get(command.id);
  if (!waitsForAnother(state)) {
    refuse('Only who prepared it submits it, and only if it needs a second person. You can issue it yourself', {
      status: 'needs no other person',
    });
  }
  const [submitted] = await session.query<{ id: string }>(
    `update preparations set submitted = change_author(), returned = null, return_reason = null
     where document_id = $1 and submitted is null and ${stillDraft(table)} returning document_id as id`,
    [command.id, command.version],
    { kept: true },
  );
  // Also if somebody else has submitted it at the same moment.
  if (!submitted) refuse('It waits for a second person already', { status: 'is submitted' });
  await tellAll(session, [waits(table, asked)]);
}

/**
 * Gives a draft and what it is netted with back to who prepared them, with the reason.
 * @throws Refusal as `askedDraft`; badRequest if nobody has submitted either, or the actor prepared it
 */
export const returnToPreparer = (
  session: Session,
  table: IssuedTable,
  { reason, ...command }: HeaderCommand & { reason: string },
): Promise<void> =>
  withNetted(
    session,
    table,
    command,
    ({ isOwn, submittedAt }) => submittedAt !== null && !isOwn,
    (each, draft) => returnOne(session, each, { ...draft, reason }),
  );

async function returnOne(
  session: Session,
  table: IssuedTable,
  { reason, ...command }: HeaderCommand & { reason: string },
): Promise<void> {
  const asked = await askedDraft(session, table, command);
  const state = (await issueStates(session, [command.id])).get(command.id);
  const [returned] = state?.isOwn
    ? []
    : await session.query<{ id: string }>(
        `update preparations set submitted = null, returned = change_author(), return_reason = $3
         where document_id = $1 and submitted is not null and ${stillDraft(table)} returning document_id as id`,
        [command.id, command.version, reason],
        { kept: true },
      );
  // Also if somebody else has returned or issued it at the same moment.
  if (!returned) refuse('It does not wait for you. Reload the page', { status: 'does not wait for you' });
  await complete(session, table, [asked]);
  await tellAll(session, [decided(session, table, asked, reason)]);
}

/** Submits what was entered or changed in this transaction. @throws Refusal as `submitForIssue` */
export async function submitEntered(session: Session, table: IssuedTable, id: string): Promise<void> {
  await session.em.flush();
  const [stored] = await asProgram(session, () => readAsked(session, table, [id]));
  await submitForIssue(session, table, { id, version: stored?.version ?? 0 });
}

/** Lines of calls or distributions as they were read. */
export type SeenParts = readonly HeaderCommand[];

/** What is issued as a whole: its table, how its lines are changed and how they are shown. */
interface IssuedParts<Line extends CapitalDocument, View> {
  readonly table: IssuedTable;
  readonly changes: ChangeableCapital<Line>;
  readonly views: (session: Session, lines: readonly Line[]) => Promise<View[]>;
}

/**
 * Does something with the whole documents of which these are all parts, as they were read, and shows them.
 * @throws Refusal as `changeDocuments`; badRequest if a part of one is not named; as `work`
 */
export async function ofWholes<Line extends CapitalDocument, View>(
  session: Session,
  kind: IssuedParts<Line, View>,
  parts: SeenParts,
  work: (command: HeaderCommand) => Promise<void>,
): Promise<View[]> {
  const { documents } = await changeDocuments(session, kind.changes, parts, () => ({})).catch((error) => {
    throw isRefusal(error) ? atPaths(error, (path) => `documents.${path}`) : error;
  });
  const ids = parts.map(({ id }) => id);
  const { header } = ISSUED[kind.table];
  // Of what has no header, some lines can be issued already.
  const counted = isLineTable(kind.table) ? `t.status <> 'Removed'` : `t.status = 'Draft'`;
  const wholes = await session.query<HeaderCommand & { isAll: boolean }>(
    `select p.document_id as id, h.version, not exists (
       select from ${kind.table} t where t.activity_id = p.document_id and ${counted} and t.id <> all ($2)) as "isAll"
     from preparations p cross join lateral (${header}) as h where p.document_id = any ($1) order by p.document_id`,
    [await activitiesOf(session, kind, ids), ids],
  );
  if (wholes.some(({ isAll }) => !isAll)) {
    refuse('It is issued as a whole. Name the documents of all its investors', { documents: 'must name all parts' });
  }
  for (const { id, version } of wholes) await work({ id, version });
  return kind.views(session, documents);
}

/** Submits drafts for issue by a second person, all or none. @throws Refusal as `ofWholes` and `submitForIssue` */
export const submitParts = <Line extends CapitalDocument, View>(
  session: Session,
  kind: IssuedParts<Line, View>,
  parts: SeenParts,
): Promise<View[]> => ofWholes(session, kind, parts, (command) => submitForIssue(session, kind.table, command));

/** Returns submitted drafts, all or none. @throws Refusal as `ofWholes` and `returnToPreparer` */
export const returnParts = <Line extends CapitalDocument, View>(
  session: Session,
  kind: IssuedParts<Line, View>,
  parts: SeenParts,
  reason: string,
): Promise<View[]> =>
  ofWholes(session, kind, parts, (command) => returnToPreparer(session, kind.table, { ...command, reason }));

/**
 * Issues the drafts among what was prepared together, as it was seen.
 * @throws Refusal forbidden; as `seenDrafts`; badRequest if nothing is a draft, and as the change of its lines
 */
export async function issueSeen<Item extends { id: string; version: number }>(
  session: Session,
  { table, issue }: { table: IssuedTable; issue: (session: Session, items: Item[]) => Promise<unknown> },
  command: HeaderCommand,
): Promise<void> {
  requirePermission(session, ISSUED[table].write);
  const drafts = await seenDrafts(session, table, command);
  if (drafts.length === 0) refuse('It was issued already', { status: 'is not Draft' });
  await issue(session, drafts.map(({ id, version }) => ({ id, version, status: 'Active' })) as unknown as Item[]);
}
