import { confirmTerms, returnTerms, withdrawTerms } from '@tapeline/db/operations/funds/decide-terms.ts';
import {
  TERMS_PERMISSIONS,
  type TermsOf,
  type TermsProposal,
  type TermsResource,
  termsProposals,
} from '@tapeline/db/operations/funds/terms-approval.ts';
import { issueStateSchema } from '@tapeline/domain/approvals/second-person.ts';
import { returnReasonSchema } from '@tapeline/domain/capital/capital-document.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { versionSchema } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  wireCommitmentFeesSchema,
  wireFundFeeTermsSchema,
  wireSideLetterSchema,
} from '@tapeline/domain/funds/fees.schema.ts';
import { z } from 'zod';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { fundTermsBody, investorTermsBody } from './funds.ts';

const proposalShape = { version: z.int(), ...issueStateSchema.omit({ isNeeded: true }).shape };
const seenSchema = z.object({ version: versionSchema });
const decidedSchema = z.object({ id: z.string() });

/** Reading a proposed change of terms, confirming it, returning it and withdrawing it. */
const proposalsOf = <Resource extends TermsResource>(
  resource: Resource,
  noun: string,
  terms: z.ZodObject,
  toTerms: (terms: TermsOf[Resource]) => object,
): Endpoint[] => {
  const path = `${callsOf(resource)}/{id}/terms`;
  const access = TERMS_PERMISSIONS[resource];
  const shown = ({ terms: proposed, isOwn: _, ...state }: TermsProposal<TermsOf[Resource]>) => ({
    ...state,
    ...toTerms(proposed),
  });
  return [
    endpoint({
      method: 'GET',
      path: `${path}/proposal`,
      access,
      summary: `Get the change of the terms of ${noun} that waits for a second person, or was returned`,
      params: idParamsSchema,
      response: terms.extend(proposalShape),
      handle: ({ params: { id }, read }) =>
        read(async (session) => {
          const found = (await termsProposals(session, resource, [id])).get(id);
          if (!found) throw new Refusal('notFound');
          return { body: shown(found) };
        }),
    }),
    endpoint({
      method: 'POST',
      path: `${path}/confirm`,
      access,
      summary: `Confirm a proposed change of the terms of ${noun}. Somebody else than who proposed it confirms it`,
      params: idParamsSchema,
      body: seenSchema,
      response: decidedSchema,
      status: 200,
      example: { body: { version: 1 } },
      handle: ({ params: { id }, body, db }) =>
        db(async (session) => {
          await confirmTerms(session, resource, { id, ...body });
          return { body: { id } };
        }),
    }),
    endpoint({
      method: 'POST',
      path: `${path}/return`,
      access,
      summary: `Return a proposed change of the terms of ${noun} to who proposed it, with the reason`,
      params: idParamsSchema,
      body: seenSchema.extend({ reason: returnReasonSchema }),
      response: decidedSchema,
      status: 200,
      example: { body: { version: 1, reason: 'The side letter is not signed yet.' } },
      handle: ({ params: { id }, body, db }) =>
        db(async (session) => {
          await returnTerms(session, resource, { id, ...body });
          return { body: { id } };
        }),
    }),
    endpoint({
      method: 'POST',
      path: `${path}/withdraw`,
      access,
      summary: `Withdraw a change of the terms of ${noun} that the caller proposed`,
      params: idParamsSchema,
      body: seenSchema,
      response: decidedSchema,
      status: 200,
      example: { body: { version: 1 } },
      handle: ({ params: { id }, body, db }) =>
        db(async (session) => {
          await withdrawTerms(session, resource, { id, ...body });
          return { body: { id } };
        }),
    }),
  ];
};

export const termsProposalEndpoints: readonly Endpoint[] = [
  ...proposalsOf(
    'funds',
    'a fund',
    z.object({ feeTerms: z.array(wireFundFeeTermsSchema), investmentPeriodEnd: z.string().nullable() }),
    fundTermsBody,
  ),
  ...proposalsOf(
    'LPCommitments',
    'an investor',
    z.object({ fees: wireCommitmentFeesSchema, sideLetters: z.array(wireSideLetterSchema) }),
    investorTermsBody,
  ),
];
