import { isDeepStrictEqual } from 'node:util';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { issueDecidedMail, issueWaitsMail, type MailedIssue } from '@tapeline/domain/mail/issue-mails.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { changedBy } from '../../changed-by.ts';
import { SECOND_PERSON_TERMS, termsProposedRefusal } from '../../database-refusals.ts';
import type { Fund, LPCommitment } from '../../entities/funds.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { ISSUE_STATE, type IssueState, issueStateOf, nameOf } from '../capital/issue-approval.ts';
import { completeAction } from '../notifications/notifications.ts';
import { tellAll } from '../outbox/tell.ts';

/** Terms that a second person confirms: what a fund agrees with all, and what it agrees with one investor. */
export interface TermsOf {
  readonly funds: Pick<Fund, 'feeTerms' | 'investmentPeriodEnd'>;
  readonly LPCommitments: Pick<LPCommitment, 'fees' | 'sideLetters'>;
}
export type TermsResource = keyof TermsOf;

export const TERMS_PERMISSIONS: Readonly<Record<TermsResource, PermissionKey>> = {
  funds: 'funds/write',
  LPCommitments: 'LPs/commitments/write',
};

const TABLES: Readonly<Record<TermsResource, string>> = { funds: 'funds', LPCommitments: 'lp_commitments' };

/** A change of terms that somebody proposed, and that is not confirmed. */
export interface TermsProposal<Terms = object> extends Omit<IssueState, 'isNeeded'> {
  readonly version: number;
  readonly terms: Terms;
}

/** The open proposals of funds or commitments, also those that were returned, by id. */
export async function termsProposals<Resource extends TermsResource>(
  session: ReadSession,
  resource: Resource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TermsProposal<TermsOf[Resource]>>> {
  const rows = await session.query<
    { id: string; version: number; terms: TermsOf[Resource] } & Parameters<typeof issueStateOf>[1]
  >(
    `select p.document_id as id, p.version, p.proposal as terms, true as "isNeeded", ${ISSUE_STATE}
     from preparations p join ${TABLES[resource]} o on o.id = p.document_id
     where p.document_id = any ($1) and p.kind = 'terms' and p.issued is null and coalesce(p.submitted, p.returned) is not null`,
    [[...ids]],
    { kept: true },
  );
  return new Map(
    rows.map(({ id, version, terms, ...row }) => {
      const { isNeeded: _needed, ...state } = issueStateOf(session, row);
      return [id, { version, terms, ...state }];
    }),
  );
}

/** How a proposal of a fund or commitment stands, for its page; null without one. */
export async function shownProposal(
  session: ReadSession,
  resource: TermsResource,
  id: string,
): Promise<Omit<TermsProposal, 'terms'> | null> {
  const found = (await termsProposals(session, resource, [id])).get(id);
  if (!found) return null;
  const { terms: _, ...shown } = found;
  return shown;
}

/** 1.50 is 1.5, and a part that is null is left out. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'string' && /^\d+\.\d+$/.test(value)) return value.replace(/\.?0+$/, '');
  if (value === null || typeof value !== 'object') return value ?? null;
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => (part == null ? [] : [[key, plain(part)]])));
}
const saysSame = (one: object, other: object): boolean => isDeepStrictEqual(plain(one), plain(other));

async function mailedTerms(session: Session, resource: TermsResource, id: string): Promise<MailedIssue> {
  const [found] = await asProgram(session, () =>
    session.query<{ fundId: string; fundTitle: string; investor: string | null }>(
      resource === 'funds'
        ? `select id as "fundId", title as "fundTitle", null as investor from funds where id = $1`
        : `select f.id as "fundId", f.title as "fundTitle", coalesce(l.title, i.title) as investor
           from lp_commitments c join funds f on f.id = c.fund_id left join lps l on l.id = c.investor_lp_id
           left join funds i on i.id = c.investor_fund_id where c.id = $1`,
      [id],
    ),
  );
  const { fundId = null, fundTitle = '', investor = null } = found ?? {};
  return {
    id,
    resource,
    fundId,
    mainFundId: null,
    fundTitle,
    investor,
    number: null,
    amount: null,
    date: '',
    by: nameOf(changedBy(session)),
  };
}

/** Ends the messages about a proposal, and tells who made it what was decided. @param why it was returned; null if it was confirmed */
export async function tellTermsDecided(
  session: Session,
  resource: TermsResource,
  { id, proposal, why }: { id: string; proposal: { preparedById: string | null; version: number }; why: string | null },
): Promise<void> {
  await completeAction(session, { resource, documentIds: [id], kinds: ['issueWaits'] });
  if (proposal.preparedById === null) return;
  await tellAll(session, [
    {
      ...issueDecidedMail({ ...(await mailedTerms(session, resource, id)), reason: why }),
      resource,
      documentId: id,
      kind: 'issueDecided',
      level: why === null ? 'info' : 'warning',
      key: `terms-decided/${id}/${proposal.version}`,
      to: { users: [proposal.preparedById] },
    },
  ]);
}

/** Who proposed the terms of a document. */
export async function proposerOf(session: ReadSession, id: string): Promise<string | null> {
  const [row] = await session.query<{ by: string | null }>(
    `select prepared_by as by from preparations where document_id = $1 and kind = 'terms'`,
    [id],
  );
  return row?.by ?? null;
}

interface Termed {
  readonly id: string;
  readonly managerId: string;
  readonly status: string;
}

/**
 * The terms that a document has after a change. If the manager requires a second person for changes of terms, they are
 * those of now, and the change is proposed; the same terms, entered by somebody else, confirm it.
 * @throws Refusal badRequest while another change is proposed, and if nobody can be named as who proposes it
 */
export async function termsAfter<Resource extends TermsResource>(
  session: Session,
  resource: Resource,
  { id, managerId, status }: Termed,
  { now, next }: { now: TermsOf[Resource]; next: TermsOf[Resource] },
): Promise<TermsOf[Resource]> {
  if (saysSame(now, next)) return now;
  if (status === 'Draft') return next;
  const [rule] = await session.query<{ isNeeded: boolean }>(
    `select needs_second_person(second_person -> 'terms', null, null) as "isNeeded" from managers where id = $1`,
    [managerId],
  );
  const proposal = (await termsProposals(session, resource, [id])).get(id);
  if (proposal?.submittedAt != null) {
    const { isOwn, version } = proposal;
    if ((rule?.isNeeded && isOwn) || !saysSame(proposal.terms, next)) throw termsProposedRefusal();
    const preparedById = isOwn ? null : await proposerOf(session, id);
    await tellTermsDecided(session, resource, { id, proposal: { preparedById, version }, why: null });
    return proposal.terms;
  }
  if (!rule?.isNeeded) return next;
  if (session.actor.kind !== 'user') {
    throw new Refusal('badRequest', SECOND_PERSON_TERMS, { flags: { terms: reason('secondPerson') } });
  }
  // What is proposed is stored as it will be: the database compares both.
  await session.query('select propose_terms($1, $2)', [id, JSON.stringify(next)]);
  await completeAction(session, { resource, documentIds: [id], kinds: ['issueWaits'] });
  await tellAll(session, [
    {
      ...issueWaitsMail(await mailedTerms(session, resource, id)),
      resource,
      documentId: id,
      kind: 'issueWaits',
      key: `terms-wait/${id}/${session.now.toISOString()}`,
      to: { manager: managerId, can: TERMS_PERMISSIONS[resource] },
      except: [session.actor.userId],
    },
  ]);
  return now;
}

/** Warns a caller whose change of terms is only proposed. Screens say so on the page. */
export async function warnOfProposals(
  session: Session,
  resource: TermsResource,
  ids: readonly string[],
): Promise<void> {
  const now = session.now.toISOString();
  for (const [documentId, { isOwn, submittedAt }] of await termsProposals(session, resource, ids)) {
    if (!isOwn || submittedAt !== now) continue;
    const message = 'The change of terms is proposed. The current terms apply until somebody else confirms it';
    session.warn({ documentId, message });
  }
}
