import type { IssuedKind } from '@tapeline/domain/approvals/second-person.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { issueDecidedMail, issueWaitsMail } from '@tapeline/domain/mail/issue-mails.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { changedBy } from '../../changed-by.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { completeAction } from '../notifications/notifications.ts';
import { type Message, tellAll } from '../outbox/tell.ts';
import { HEADERS, type LineTable } from './headers.ts';

/** Who prepared a call or distribution, and whether somebody else must issue it. */
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

const nameOf = (by: ChangedBy | null): string | null => (by ? makerOf({ iat: '', createdBy: by }) : null);

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
  );
  return statesOf(session, rows);
}

/** Whether somebody else than the actor, who prepared it, must issue it. */
export const waitsForAnother = (state: IssueState | null | undefined): boolean =>
  state?.isNeeded === true && state.isOwn;

const TABLES: Readonly<Record<IssuedKind, LineTable>> = {
  calls: 'contributions',
  distributions: 'distributions',
};

export interface Asked {
  readonly id: string;
  readonly kind: IssuedKind;
  readonly managerId: string;
  readonly number: string;
  readonly fundTitle: string | null;
  readonly date: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly lines: string[];
  readonly prepared: ChangedBy | null;
  readonly preparedBy: string | null;
  readonly isSubmitted: boolean;
  readonly isIssued: boolean;
}

/** What messages about the issue of calls or distributions say. Called as the program. */
export const readAsked = (session: ReadSession, table: LineTable, ids: readonly string[]): Promise<Asked[]> =>
  session.query<Asked>(
    `select p.document_id as id, p.kind, p.manager_id as "managerId", h.number, f.title as "fundTitle",
       h.${HEADERS[table].days.at(-1)}::text as date, i.amount::text as amount, h.currency, p.prepared, p.prepared_by as "preparedBy",
       array(select t.id::text from ${table} t where t.activity_id = h.id order by t.id) as lines,
       p.submitted is not null as "isSubmitted", p.issued is not null as "isIssued"
     from preparations p join ${HEADERS[table].table} h on h.id = p.document_id left join funds f on f.id = h.fund_id
       cross join lateral amount_to_issue(p.kind, p.document_id) as i
     where p.document_id = any ($1)`,
    [[...ids]],
  );

const mailed = (asked: Asked) => ({
  id: asked.id,
  table: TABLES[asked.kind],
  number: asked.number,
  fundTitle: asked.fundTitle ?? '',
  amount: { sum: asked.amount, currency: asked.currency },
  date: formatCalendarDate(asked.date),
});

/** A document's messages are about its first line, which those who may see it can see. */
const about = (asked: Asked) => ({ resource: TABLES[asked.kind], documentId: asked.lines[0] ?? asked.id });

export const waits = (asked: Asked): Message => ({
  ...issueWaitsMail({ ...mailed(asked), by: nameOf(asked.prepared) }),
  ...about(asked),
  kind: 'issueWaits',
  key: `issue-waits/${asked.id}/${asked.prepared?.timestamp ?? ''}`,
  to: { manager: asked.managerId, can: `${TABLES[asked.kind]}/write` },
  except: asked.preparedBy ? [asked.preparedBy] : [],
});

export const decided = (session: Session, asked: Asked, reason: string | null): Message => ({
  ...issueDecidedMail({ ...mailed(asked), by: nameOf(changedBy(session)), reason }),
  ...about(asked),
  kind: 'issueDecided',
  level: reason === null ? 'info' : 'warning',
  // A draft can be returned several times. It is issued once, and closed and withdrawn later.
  key: `issue-decided/${asked.id}/${reason === null ? (asked.prepared?.timestamp ?? '') : session.now.toISOString()}`,
  to: { users: asked.preparedBy ? [asked.preparedBy] : [] },
});

export const complete = (session: Session, table: LineTable, asked: readonly Asked[]): Promise<void> =>
  completeAction(session, {
    resource: table,
    documentIds: asked.flatMap(({ lines }) => lines),
    kinds: ['issueWaits'],
  });

/**
 * Ends the requests for a second person that changes have answered: the draft is another one now, is gone, or is issued, of
 * which who prepared it is told.
 */
export async function settleRequests(session: Session, table: LineTable, ids: readonly string[]): Promise<void> {
  const known = [...new Set(ids)];
  const all = await asProgram(session, () => readAsked(session, table, known));
  const ended = all.filter(({ isSubmitted, isIssued }) => !isSubmitted || isIssued);
  await complete(session, table, ended);
  await tellAll(
    session,
    ended
      .filter(({ isSubmitted, preparedBy }) => isSubmitted && preparedBy !== null)
      .map((asked) => decided(session, asked, null)),
  );
}

/** What a dry run says of calls or distributions that its actor may not issue. */
export async function secondPersonWarnings(
  session: ReadSession,
  lines: readonly { activityId: string }[],
): Promise<string[]> {
  const states = await issueStates(session, [...new Set(lines.map(({ activityId }) => activityId))]);
  return [...states.values()].some(waitsForAnother)
    ? ['Somebody else must issue it: your firm requires a second person']
    : [];
}
