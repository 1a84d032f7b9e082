import type { CorrectionProposal } from '@tapeline/db/entities/tapes.ts';
import {
  declineProposal,
  getProposal,
  listProposals,
  PROPOSALS,
  withdrawProposal,
} from '@tapeline/db/operations/tapes/proposals.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { associationSchema } from '@tapeline/domain/documents/document.schema.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { rowId } from '@tapeline/domain/tapes/corrections.schema.ts';
import { declineSchema, PROPOSAL_STATUSES } from '@tapeline/domain/tapes/proposal.schema.ts';
import { z } from 'zod';
import { accept, proposalFacts, reviewProposal } from '../commands/proposals.server.ts';
import { assocOf, cellProblemSchema, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { rerunResultSchema } from './tape-bodies.ts';

const factsSchema = z.object({
  id: z.string(),
  code: z.int(),
  status: z.enum(PROPOSAL_STATUSES),
  assoc: associationSchema,
  loanTapeId: z.string(),
  rowNumbers: z.array(z.int()),
  comment: z.string().nullable(),
  proposedBy: z.string().nullable(),
  proposedAt: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  declineReason: z.string().nullable(),
});

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A proposal with its rows, as returned by a call for a single proposal. */
export const proposalSchema = factsSchema
  .extend({
    beingAccepted: z.boolean().meta({ description: 'True while an accepted proposal’s rows are being reprocessed' }),
    assets: z.array(
      z.object({
        id: z.string().nullable().meta({ description: 'Null if the tape was removed' }),
        rowNumber: z.int(),
        error: z.string().meta({ description: 'The row’s errors when the correction was proposed' }),
        originData: z.record(z.string(), z.object({ before: cellSchema, after: cellSchema })),
      }),
    ),
  })
  .meta({ id: 'CorrectionProposal' });

/** A note before and after a change that is reviewed. */
export const reviewedNoteSchema = z
  .object({
    transactionId: z.string(),
    noteId: z.string(),
    title: z.string(),
    before: wireAmountSchema.nullable(),
    after: wireAmountSchema.nullable(),
    failure: z.string().nullable(),
  })
  .meta({ id: 'ReviewedNote', description: 'The net borrowing base of a note before and after; null if unknown' });

const reviewSchema = z
  .object({
    rows: z.int(),
    assets: z.int().meta({ description: 'Rows that become assets' }),
    errored: z.int(),
    changedCells: z.int(),
    shown: z.array(
      z.object({
        row: z.int(),
        cells: z.array(z.object({ target: z.string(), label: z.string(), value: z.string().nullable() })),
        errors: z.array(cellProblemSchema),
      }),
    ),
    notes: z.array(reviewedNoteSchema),
    calculates: z.boolean().meta({ description: 'Whether accepting recalculates the tape’s borrowing bases' }),
  })
  .meta({ id: 'CorrectionProposalReview' });

function listBody(proposal: CorrectionProposal) {
  const { tapeId, beingAccepted: _, ...facts } = proposalFacts(proposal, null);
  return { ...facts, assoc: assocOf(proposal.managerId), loanTapeId: tapeId };
}

/**
 * Returns the body of one proposal that is visible to the caller.
 * @throws Refusal notFound
 */
export async function proposalBody(session: Session, id: string): Promise<z.infer<typeof proposalSchema>> {
  const proposal = await getProposal(session, id);
  const tape = await getTape(session, proposal.tapeId).catch((error) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  const { tapeId, ...facts } = proposalFacts(proposal, tape);
  return {
    ...facts,
    assoc: assocOf(proposal.managerId),
    loanTapeId: tapeId,
    assets: proposal.correctedRows.map(({ row, cells, reasons }) => ({
      id: tape ? rowId(tape.assetPrefix, row) : null,
      rowNumber: row,
      error: reasons,
      originData: { ...cells },
    })),
  };
}

const PATH = callsOf('correctionProposals');

/** Corrections that borrowers propose (`POST /LTP/assets/errored`), and the decisions on them. */
export const proposalEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('correctionProposals'),
    response: factsSchema,
    toBody: listBody,
    list: { listable: PROPOSALS, load: listProposals },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}`,
    access: 'assets/read',
    summary: 'Get a proposed correction with its cells before and after and the errors of its rows',
    params: idParamsSchema,
    response: proposalSchema,
    handle: ({ params, db }) => db(async (session) => ({ body: await proposalBody(session, params.id) })),
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/review`,
    access: 'assets/write',
    summary:
      'Preview the result of an open proposal: its rows as mapped, and the net borrowing base of each note before and after. Nothing is stored. Not available to borrowers',
    params: idParamsSchema,
    response: reviewSchema,
    handle: async ({ params, actor, context }) => ({ body: await reviewProposal(context, actor, params.id) }),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{id}/accept`,
    access: 'assets/write',
    summary: 'Accept a proposal. Its rows are reprocessed and published. Not available to borrowers',
    params: idParamsSchema,
    response: proposalSchema.extend({
      workflowId: z.string(),
      result: rerunResultSchema,
    }),
    async handle({ params, actor, context, origin, db }) {
      const { workflowId, result } = await accept(context, actor, params.id, origin);
      const proposal = await db((session) => proposalBody(session, params.id));
      return { body: { ...proposal, workflowId, result } };
    },
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{id}/decline`,
    access: 'assets/write',
    summary: 'Decline a proposal with a reason that is visible to the borrower. Not available to borrowers',
    params: idParamsSchema,
    body: declineSchema,
    response: proposalSchema,
    handle: ({ params, body, db }) =>
      db(async (session) => {
        const { id } = await declineProposal(session, { id: params.id, reason: body.reason });
        return { body: await proposalBody(session, id) };
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{id}/withdraw`,
    access: 'assets/write',
    summary: 'Withdraw an open proposal. Only for the borrower that proposed it',
    params: idParamsSchema,
    response: proposalSchema,
    handle: ({ params, db }) =>
      db(async (session) => {
        const { id } = await withdrawProposal(session, { id: params.id });
        return { body: await proposalBody(session, id) };
      }),
  }),
];
