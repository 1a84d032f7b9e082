import { managerNameOf } from '@tapeline/db/operations/managers/managers.ts';
import { listTapesDue } from '@tapeline/db/operations/monitoring/tapes-due.ts';
import { deliveriesOf, seesDeliveries } from '@tapeline/db/operations/outbox/deliveries.ts';
import { getProposal } from '@tapeline/db/operations/tapes/proposals.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { shownOrigin } from '@tapeline/domain/tapes/corrections.schema.ts';
import { proposalFacts, proposes, reviewProposal } from '../../../commands/proposals.server.ts';
import { visibleErroredRows } from '../../../commands/rerun.server.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { withChange } from './note-change.ts';

/** Number of a proposal's rows that its page shows. */
const SHOWN_ROWS = 100;
/** A borrower's user sees one company; more than its affiliates are not looked through. */
const MAX_COMPANIES = 100;

/** What the borrower is told about its open proposal: who decides, and when its next tape is due. */
async function nextOf(session: Session, { managerId, companyId }: { managerId: string; companyId: string }) {
  const { tapes } = await listTapesDue(session, { limit: MAX_COMPANIES });
  const next = tapes.find((tape) => tape.companyId === companyId);
  return {
    manager: await managerNameOf(session, managerId),
    nextTape: next ? pick(next, 'cutOffDate', 'dueDate') : null,
  };
}

/** A proposal: its rows before and after, and for the manager, while it is open, the effect of accepting it. */
export async function readProposalPage(screen: Screen) {
  const { actor, context, params } = screen;
  const { proposal, tape, next, deliveries } = await screen.db(async (session) => {
    const found = await getProposal(session, params.proposal ?? '');
    return {
      proposal: found,
      tape: await getTape(session, found.tapeId),
      next: proposes(actor) ? await nextOf(session, found) : null,
      deliveries: seesDeliveries(session, 'correctionProposals')
        ? await deliveriesOf(session, 'correctionProposals', [found.id])
        : null,
    };
  });
  const facts = proposalFacts(proposal, tape);
  const isOpen = facts.status === 'Proposed' && !facts.beingAccepted;
  const mayDecide = isOpen && can(actor, 'assets/write') && !proposes(actor);
  const { review, problem } = mayDecide ? await reviewed(screen, proposal.id) : { review: null, problem: null };
  const shown = proposal.correctedRows.slice(0, SHOWN_ROWS);
  const origins = isOpen
    ? await visibleErroredRows(
        context,
        actor,
        tape.id,
        shown.map(({ row }) => row),
      ).then(({ rows }) => new Map(rows.map(({ row, origin }) => [row, origin])))
    : new Map();
  return {
    tape: {
      id: tape.id,
      title: tape.attachment.name,
      cutOffDate: tape.cutOffDate,
      isInProgress: tape.schedulerStatus === 'Processing',
    },
    proposal: facts,
    rows: shown.map(({ row, cells, reasons }) => ({
      row,
      reasons,
      cells: Object.entries(cells).map(([header, { before, after }]) => ({
        header,
        before: shownOrigin(before),
        after: shownOrigin(after),
      })),
      rest: Object.entries(origins.get(row) ?? {}).flatMap(([header, cell]) =>
        Object.hasOwn(cells, header) ? [] : [{ header, text: shownOrigin(cell as string | number | boolean | null) }],
      ),
      result: review?.shown.find((each) => each.row === row) ?? null,
    })),
    outcome: review && { rows: review.rows, assets: review.assets, errored: review.errored },
    notes: review?.notes.map(withChange),
    calculates: review?.calculates ?? false,
    problem,
    deliveries,
    may: { decide: mayDecide && review !== null, withdraw: isOpen && proposes(actor) && can(actor, 'assets/write') },
    proposes: proposes(actor),
    next: isOpen ? next : null,
  };
}
export type ProposalPage = Awaited<ReturnType<typeof readProposalPage>>;

/**
 * A manager decides based on a preview. If it cannot be calculated, the page explains why and does not offer
 * acceptance.
 */
async function reviewed(
  { context, actor }: Screen,
  id: string,
): Promise<{ review: Awaited<ReturnType<typeof reviewProposal>> | null; problem: string | null }> {
  try {
    return { review: await reviewProposal(context, actor, id), problem: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { review: null, problem: error.message };
  }
}
