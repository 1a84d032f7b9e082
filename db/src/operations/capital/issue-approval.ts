import type { CollectionName } from '@tapeline/domain/collections/collections.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { issueDecidedMail, issueWaitsMail } from '@tapeline/domain/mail/issue-mails.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { changedBy } from '../../changed-by.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import type { Listable } from '../listing/define-lists.ts';
import { completeAction } from '../notifications/notifications.ts';
import { type Message, tellAll } from '../outbox/tell.ts';
import { HEADERS, type LineTable } from './headers.ts';

/** Who prepared a document, and whether somebody else must issue it. */
export interface IssueState {
  /** Whether the manager's rule asks for a second person for its amount. */
  readonly isNeeded: boolean;
  /** In words; null if it is not known. */
  readonly preparedBy: string | null;
  /** Whether the actor prepared it. */
  readonly isOwn: boolean;
  /** ISO instant: since when it waits for a second person. */
  readonly submittedAt: string | null;
  readonly returned: { readonly by: string | null; readonly at: string | null; readonly reason: string } | null;
}

interface StateRow {
  readonly id: string;
  readonly isNeeded: boolean;
  readonly prepared: ChangedBy | null;
  readonly preparedBy: string | null;
  readonly submitted: ChangedBy | null;
  readonly returned: ChangedBy | null;
  readonly reason: string | null;
}

export const nameOf = (by: ChangedBy | null): string | null => (by ? makerOf({ iat: '', createdBy: by }) : null);

/** The condition that a preparation `p` of the manager `m` needs a second person. */
export const NEEDS_SECOND_PERSON = (amount: string, currency: string) =>
  `needs_second_person(m.second_person -> p.kind, ${amount}, ${currency})`;

export const issueStateOf = (
  { actor }: Pick<ReadSession, 'actor'>,
  { isNeeded, prepared, preparedBy, submitted, returned, reason }: Omit<StateRow, 'id'>,
): IssueState => ({
  isNeeded,
  preparedBy: nameOf(prepared),
  isOwn: preparedBy !== null && actor.kind === 'user' && preparedBy === actor.userId,
  submittedAt: submitted?.timestamp ?? null,
  returned: returned ? { by: nameOf(returned), at: returned.timestamp ?? null, reason: reason ?? '' } : null,
});

/** The columns of `issueStateOf`, of a preparation `p`. */
export const ISSUE_STATE = `p.prepared, p.prepared_by as "preparedBy", p.submitted, p.returned, p.return_reason as reason`;

/** The same of the drafts of a page of lines, by call or distribution. */
export const ISSUES_OF_PAGE = `
  select p.document_id as id, ${NEEDS_SECOND_PERSON('i.amount', 'i.currency')} as "isNeeded", ${ISSUE_STATE}
  from (select distinct activity_id from page where status = 'Draft') as draft
    join preparations p on p.document_id = draft.activity_id join managers m on m.id = p.manager_id
    cross join lateral amount_to_issue(p.kind, p.document_id) as i`;

const statesOf = (session: ReadSession, rows: readonly StateRow[]): ReadonlyMap<string, IssueState> =>
  new Map(rows.map(({ id, ...row }) => [id, issueStateOf(session, row)]));

/** The state of each draft of a page, by what `ISSUES_OF_PAGE` found; null for what is issued. */
export function issueStatesOfPage(session: ReadSession, rows: readonly object[]) {
  const states = statesOf(session, rows as StateRow[]);
  return ({ status, activityId }: { status: string; activityId: string }): IssueState | null =>
    status === 'Draft' ? (states.get(activityId) ?? null) : null;
}

/** The same of each draft of a page, for lines without a header. What they share is added up once, not for each line. */
export const ISSUES_OF_LINES = `
  select page.id, state."isNeeded", state.prepared, state."preparedBy", state.submitted, state.returned, state.reason
  from page join (with state as materialized (${ISSUES_OF_PAGE}) select * from state) as state on state.id = page.activity_id where page.status = 'Draft'`;

/** Documents of a page with the state of each draft, by what `ISSUES_OF_LINES` found. */
export function withIssueStates<Document extends { id: string }>(
  session: ReadSession,
  documents: readonly Document[],
  rows: readonly object[] = [],
): (Document & { secondPerson: IssueState | null })[] {
  const states = statesOf(session, rows as StateRow[]);
  return documents.map((document) => ({ ...document, secondPerson: states.get(document.id) ?? null }));
}

/** How it stands with the issue of calls or distributions, by id. An investor is told nothing about it. */
export async function issueStates(
  session: ReadSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IssueState>> {
  const rows = await session.query<StateRow>(
    `select p.document_id as id, ${NEEDS_SECOND_PERSON('i.amount', 'i.currency')} as "isNeeded", ${ISSUE_STATE}
     from preparations p join managers m on m.id = p.manager_id cross join lateral amount_to_issue(p.kind, p.document_id) as i
     where p.document_id = any ($1)`,
    [[...ids]],
    { kept: true },
  );
  return statesOf(session, rows);
}

/** Whether somebody else than the actor, who prepared it, must issue it. */
export const waitsForAnother = (state: IssueState | null | undefined): boolean =>
  state?.isNeeded === true && state.isOwn;

/**
 * How it stands with the issue of drafts that are issued together, which is the state of one of them: of one that the actor
 * still submits, or else has submitted; or else of one that waits for the actor, or that others prepared.
 * @param states that of the draft that is shown first
 */
export function jointState(states: readonly (IssueState | null | undefined)[]): IssueState | null {
  const needed = states.filter((state) => state?.isNeeded);
  const own = needed.filter(waitsForAnother);
  const isSubmitted = (state: IssueState | null | undefined) => state?.submittedAt !== null;
  return (
    own.find((state) => !isSubmitted(state)) ?? own[0] ?? needed.find(isSubmitted) ?? needed[0] ?? states[0] ?? null
  );
}

/** The tables of the lines of what is prepared and issued. */
export type IssuedTable = LineTable | 'write_offs' | 'navs' | 'capital_accounts';

interface IssuedKindOf {
  /** The collection of its lines. */
  readonly resource: CollectionName;
  readonly write: PermissionKey;
  /** The number, the fund or main fund, the day and the version of a preparation `p`: of its header, or of its lines. */
  readonly header: string;
  /** The condition that a preparation `p` is issued. Of what has no header, each line can be issued alone. */
  readonly isIssued: string;
}

const ofHeader = (table: LineTable) => ({
  header: `
  select h.number, f.id as "fundId", null as "mainFundId", f.title as title, h.${HEADERS[table].days.at(-1)} as day, h.currency, h.version
  from ${HEADERS[table].table} h left join funds f on f.id = h.fund_id where h.id = p.document_id`,
  isIssued: 'p.issued is not null',
});

const ofSet = (table: IssuedTable, mainFund = 'null') => ({
  header: `
  select null as number, f.id as "fundId", m.id as "mainFundId", coalesce(f.title, m.title) as title, t.cut_off_date as day, t.currency, p.version
  from ${table} t left join funds f on f.id = t.fund_id left join main_funds m on m.id = ${mainFund}
  where t.activity_id = p.document_id order by t.status = 'Removed', t.code limit 1`,
  isIssued: `p.issued is not null and not exists (select from ${table} t where t.activity_id = p.document_id and t.status = 'Draft')`,
});

/** How each kind of what is issued is stored. Those without a header are prepared and issued by the lines that share an `activity_id`. */
export const ISSUED: Readonly<Record<IssuedTable, IssuedKindOf>> = {
  contributions: { resource: 'contributions', write: 'contributions/write', ...ofHeader('contributions') },
  distributions: { resource: 'distributions', write: 'distributions/write', ...ofHeader('distributions') },
  write_offs: { resource: 'writeOffs', write: 'funds/write', ...ofSet('write_offs') },
  navs: { resource: 'navs', write: 'funds/write', ...ofSet('navs') },
  capital_accounts: {
    resource: 'capitalAccounts',
    write: 'funds/write',
    ...ofSet('capital_accounts', 't.main_fund_id'),
  },
};

export interface Asked {
  readonly id: string;
  readonly managerId: string;
  /** Null for what has none. */
  readonly number: string | null;
  readonly fundId: string | null;
  readonly mainFundId: string | null;
  readonly fundTitle: string | null;
  readonly date: string;
  /** Null for what has none. */
  readonly amount: DecimalText | null;
  readonly currency: string;
  readonly version: number;
  readonly lines: string[];
  readonly prepared: ChangedBy | null;
  readonly preparedBy: string | null;
  readonly isSubmitted: boolean;
  readonly isIssued: boolean;
}

/** What messages about the issue say. Called as the program. */
export const readAsked = (session: ReadSession, table: IssuedTable, ids: readonly string[]): Promise<Asked[]> =>
  session.query<Asked>(
    `select p.document_id as id, p.manager_id as "managerId", h.number, h."fundId", h."mainFundId", h.title as "fundTitle",
       h.day::text as date, i.amount::text as amount, h.currency, h.version, p.prepared, p.prepared_by as "preparedBy",
       array(select t.id::text from ${table} t where t.activity_id = p.document_id order by t.status = 'Removed', t.id) as lines,
       p.submitted is not null as "isSubmitted", ${ISSUED[table].isIssued} as "isIssued"
     from preparations p cross join lateral (${ISSUED[table].header}) as h
       left join lateral amount_to_issue(p.kind, p.document_id) as i on true
     where p.document_id = any ($1)`,
    [[...ids]],
    { kept: true },
  );

const mailed = (table: IssuedTable, asked: Asked) => ({
  ...pick(asked, 'id', 'number', 'fundId', 'mainFundId'),
  resource: ISSUED[table].resource,
  fundTitle: asked.fundTitle ?? '',
  investor: null,
  amount: asked.amount === null ? null : { sum: asked.amount, currency: asked.currency },
  date: formatCalendarDate(asked.date),
});

/** A document's messages are about its first line, which those who may see it can see. */
const about = (table: IssuedTable, asked: Asked) => ({
  resource: ISSUED[table].resource,
  documentId: asked.lines[0] ?? asked.id,
});

export const waits = (table: IssuedTable, asked: Asked): Message => ({
  ...issueWaitsMail({ ...mailed(table, asked), by: nameOf(asked.prepared) }),
  ...about(table, asked),
  kind: 'issueWaits',
  key: `issue-waits/${asked.id}/${asked.prepared?.timestamp ?? ''}`,
  to: { manager: asked.managerId, can: ISSUED[table].write },
  except: asked.preparedBy ? [asked.preparedBy] : [],
});

export const decided = (session: Session, table: IssuedTable, asked: Asked, reason: string | null): Message => ({
  ...issueDecidedMail({ ...mailed(table, asked), by: nameOf(changedBy(session)), reason }),
  ...about(table, asked),
  kind: 'issueDecided',
  level: reason === null ? 'info' : 'warning',
  // A draft can be returned several times. It is issued once, and closed and withdrawn later.
  key: `issue-decided/${asked.id}/${reason === null ? (asked.prepared?.timestamp ?? '') : session.now.toISOString()}`,
  to: { users: asked.preparedBy ? [asked.preparedBy] : [] },
});

export const complete = (session: Session, table: IssuedTable, asked: readonly Asked[]): Promise<void> =>
  completeAction(session, {
    resource: ISSUED[table].resource,
    documentIds: asked.flatMap(({ lines }) => lines),
    kinds: ['issueWaits'],
  });

/**
 * Ends the requests for a second person that changes have answered: the draft is another one now, is gone, or is issued, of
 * which who prepared it is told.
 */
export async function settleRequests(session: Session, table: IssuedTable, ids: readonly string[]): Promise<void> {
  const known = [...new Set(ids)];
  if (known.length === 0) return;
  const all = await asProgram(session, () => readAsked(session, table, known));
  const ended = all.filter(({ isSubmitted, isIssued }) => !isSubmitted || isIssued);
  await complete(session, table, ended);
  await tellAll(
    session,
    ended
      .filter(({ isSubmitted, preparedBy }) => isSubmitted && preparedBy !== null)
      .map((asked) => decided(session, table, asked, null)),
  );
}

type IssuedList = Pick<Listable<{ id: string }>, 'table'>;
const isIssuedTable = (table: string): table is IssuedTable => Object.hasOwn(ISSUED, table);

/** What these lines belong to: the database says so once they are stored. */
export async function activitiesOf(
  session: ReadSession,
  { table }: IssuedList,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select distinct activity_id as id from ${table} where id = any ($1)`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}

/**
 * Ends the requests of what changed lines belong to, as `settleRequests` does.
 * @param before what they belonged to before: another day is another document
 */
export async function settleLines(
  session: Session,
  list: IssuedList,
  changed: readonly ({ id: string } | null)[],
  before: readonly string[] = [],
): Promise<void> {
  const { table } = list;
  if (!isIssuedTable(table) || changed.length === 0) return;
  await session.em.flush();
  const ids = changed.flatMap((line) => line?.id ?? []);
  await settleRequests(session, table, [
    ...before,
    ...(await asProgram(session, () => activitiesOf(session, list, ids))),
  ]);
}

/** What a dry run says of documents that its actor may not issue. */
export async function secondPersonWarnings(
  session: ReadSession,
  written: readonly { readonly activityId: string }[],
): Promise<string[]> {
  const states = await issueStates(session, [...new Set(written.map(({ activityId }) => activityId))]);
  return [...states.values()].some(waitsForAnother)
    ? ['Somebody else must issue it: your firm requires a second person']
    : [];
}

/** The lines among these that were issued, and that their actor may not issue. */
export async function linesForAnother(
  session: Session,
  table: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!isIssuedTable(table) || ids.length === 0) return new Set();
  await session.em.flush();
  const lines = await session.query<{ id: string; activity: string }>(
    `select id, activity_id as activity from ${table} where id = any ($1) and status = 'Active'`,
    [[...ids]],
  );
  const states = await issueStates(session, [...new Set(lines.map(({ activity }) => activity))]);
  return new Set(lines.flatMap(({ id, activity }) => (waitsForAnother(states.get(activity)) ? [id] : [])));
}
