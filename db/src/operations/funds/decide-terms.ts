import { reason } from '@tapeline/domain/errors/reason.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { SECOND_PERSON_TERMS, staleRefusal } from '../../database-refusals.ts';
import { type Fund, LPCommitment } from '../../entities/funds.ts';
import type { Session } from '../../store.ts';
import { lockFunds, lockFundsOf } from '../commitments/change-commitments.ts';
import { ownSideLetters } from '../commitments/side-letters.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { requireFeeTerms, termProblems } from './fee-terms.ts';
import { FUNDS, LP_COMMITMENTS } from './funds.ts';
import {
  proposerOf,
  TERMS_PERMISSIONS,
  type TermsOf,
  type TermsProposal,
  type TermsResource,
  tellTermsDecided,
  termsProposals,
} from './terms-approval.ts';

/** Names a proposal of a fund or commitment as the person saw it. */
export interface TermsCommand {
  readonly id: string;
  readonly version: number;
}

/** The proposal as it was seen. @throws Refusal forbidden; notFound; badRequest if it changed since or was decided */
async function seenProposal<Resource extends TermsResource>(
  session: Session,
  resource: Resource,
  { id, version }: TermsCommand,
): Promise<TermsProposal<TermsOf[Resource]>> {
  requirePermission(session, TERMS_PERMISSIONS[resource]);
  await (resource === 'funds' ? lockFunds(session, [id]) : lockFundsOf(session, [id]));
  await getDocument(session, resource === 'funds' ? FUNDS : (LP_COMMITMENTS as never), id);
  const proposal = (await termsProposals(session, resource, [id])).get(id);
  if (proposal?.submittedAt == null) {
    return refuse('This change was decided already, or withdrawn', { status: 'is not proposed' });
  }
  if (proposal.version !== version) throw staleRefusal();
  return proposal;
}

/** @throws Refusal badRequest for sums of side letters that they cannot have */
function requireLetters(commitment: LPCommitment, { sideLetters }: TermsOf['LPCommitments']): void {
  const problems = sideLetters.flatMap(({ terms }, index) =>
    termProblems(terms, commitment.currency).map(([path, why]) => [`sideLetters.${index}.terms.${path}`, why]),
  );
  if (problems.length > 0) throw new Refusal('badRequest', undefined, { flags: Object.fromEntries(problems) });
}

/**
 * Confirms proposed terms, which apply from then on.
 * @throws Refusal as `seenProposal`; badRequest for who proposed them, and if the fund no longer has a class that they name
 */
export async function confirmTerms(session: Session, resource: TermsResource, command: TermsCommand): Promise<void> {
  const { id } = command;
  const proposal = await seenProposal(session, resource, command);
  if (proposal.isOwn) {
    throw new Refusal('badRequest', SECOND_PERSON_TERMS, { flags: { terms: reason('secondPerson') } });
  }
  const preparedById = await proposerOf(session, id);
  if (resource === 'funds') {
    const fund: Fund = await getDocument(session, FUNDS, id);
    const terms = proposal.terms as TermsOf['funds'];
    requireFeeTerms(fund, terms.feeTerms);
    Object.assign(fund, terms, { metadata: changedMetadata(session, fund.metadata) });
  } else {
    const commitment = await getDocument(session, LP_COMMITMENTS, id);
    const terms = proposal.terms as TermsOf['LPCommitments'];
    requireLetters(commitment, terms);
    Object.assign(commitment, terms, { metadata: changedMetadata(session, commitment.metadata) });
  }
  await session.em.flush();
  if (resource === 'LPCommitments')
    await ownSideLetters(session, [await session.em.findOneOrFail(LPCommitment, { id })]);
  const { version } = proposal;
  await tellTermsDecided(session, resource, { id, proposal: { preparedById, version }, why: null });
}

/**
 * Returns proposed terms to who proposed them, with the reason.
 * @throws Refusal as `seenProposal`; badRequest for who proposed them, who withdraws them instead
 */
export async function returnTerms(
  session: Session,
  resource: TermsResource,
  { reason: why, ...command }: TermsCommand & { reason: string },
): Promise<void> {
  const { id } = command;
  const { isOwn, version } = await seenProposal(session, resource, command);
  if (isOwn) refuse('You proposed it, so you withdraw it', { status: 'does not wait for you' });
  const preparedById = await proposerOf(session, id);
  await session.query(
    `update preparations set submitted = null, returned = change_author(), return_reason = $2 where document_id = $1`,
    [id, why],
  );
  await tellTermsDecided(session, resource, { id, proposal: { preparedById, version }, why });
}

/** Withdraws proposed terms. @throws Refusal as `seenProposal`; badRequest for anybody but who proposed them */
export async function withdrawTerms(session: Session, resource: TermsResource, command: TermsCommand): Promise<void> {
  const { id } = command;
  const { isOwn, version } = await seenProposal(session, resource, command);
  if (!isOwn) refuse('Only who proposed it withdraws it', { status: 'was not proposed by you' });
  await session.query('update preparations set submitted = null where document_id = $1', [id]);
  await tellTermsDecided(session, resource, { id, proposal: { preparedById: null, version }, why: null });
}
