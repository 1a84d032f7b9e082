import { redirect } from '@remix-run/node';
import { placeApproval } from '@tapeline/db/operations/approvals/approvals.ts';
import { approveAdjustment, declineAdjustment } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import { stepCall } from '@tapeline/db/operations/capital/contributions.ts';
import { stepDistribution } from '@tapeline/db/operations/capital/distributions.ts';
import type { IssuedTable } from '@tapeline/db/operations/capital/issue-approval.ts';
import { returnToPreparer, submitForIssue } from '@tapeline/db/operations/capital/issue-requests.ts';
import { issueSet } from '@tapeline/db/operations/capital/issue-reviews.ts';
import { issueNetted } from '@tapeline/db/operations/capital/netting.ts';
import { approveWaiver, declineWaiver } from '@tapeline/db/operations/covenants/breaches.ts';
import { confirmTerms, returnTerms, withdrawTerms } from '@tapeline/db/operations/funds/decide-terms.ts';
import { confirmAccount, declineAccountRequest } from '@tapeline/db/operations/investors/account-requests.ts';
import { declineProposal } from '@tapeline/db/operations/tapes/proposals.ts';
import { activateContract } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { ApprovalKind } from '@tapeline/domain/approvals/approval-kinds.ts';
import { APPROVAL_PERMISSIONS } from '@tapeline/domain/approvals/approval-permissions.ts';
import { requestDeclineSchema } from '@tapeline/domain/approvals/decline.schema.ts';
import { returnReasonSchema } from '@tapeline/domain/capital/capital-document.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { accountDeclineSchema } from '@tapeline/domain/investors/account-request.schema.ts';
import { payoutCheckSchema } from '@tapeline/domain/investors/investor-record.schema.ts';
import { declineSchema } from '@tapeline/domain/tapes/proposal.schema.ts';
import { z } from 'zod';
import { changeDraw } from '../../commands/draws.server.ts';
import { releaseRun } from '../../commands/payment-runs.server.ts';
import { accept } from '../../commands/proposals.server.ts';
import { versionField } from '../../components/forms/version-field.ts';
import { act, confirmedIntent, intent, type Screen } from '../../http/screen.server.ts';
import { originOf } from '../../http/session.server.ts';
import { paths } from '../../paths.ts';
import { otherSchema } from '../capital/header-actions.ts';
import { pairOf } from '../capital/header-steps.server.ts';
import { rejectSchema } from '../monitoring/draws/draw/draw-acts.ts';
import {
  type HANDED,
  type IssuedApproval,
  issueIntent,
  type SetKind,
  type TermsKind,
  termsIntent,
} from './approval-words.ts';
import { approvalQuery, keyOfParams, searchOf } from './approvals.server.ts';
import { SET_TABLES, TERMS_RESOURCES } from './details.server.ts';

/** Why a draft is returned to who prepared it. */
const returnSchema = z.object({ reason: returnReasonSchema });

const seenForm = z.object({ seenVersion: versionField });

/** What a decision needs: the request, and the version that the panel showed. */
interface Decision {
  readonly id: string;
  readonly version: number;
}

/**
 * Decides the request in the address, and leads to the next of the list, whose address names the one that was decided.
 * @param handedOn how the request went on to somebody else instead, by what the decision returned
 */
async function decideAndGoOn<Decided>(
  screen: Screen,
  kind: ApprovalKind,
  decide: (id: string) => Promise<Decided>,
  handedOn: (decided: Decided) => keyof typeof HANDED | undefined = () => undefined,
) {
  const key = keyOfParams(screen.params);
  if (key?.kind !== kind) throw new Refusal('notFound');
  const query = approvalQuery(screen.url);
  const placed = await screen.db((session) => placeApproval(session, query, key));
  const handed = handedOn(await decide(key.id));
  const next = placed?.next ?? placed?.previous ?? null;
  const search = { ...searchOf(query), done: handed ? undefined : `${key.kind}-${key.id}`, handed };
  return redirect(next ? paths.approval(next.kind, next.id, search) : paths.approvals(search));
}

const approves = (kind: ApprovalKind, decide: (screen: Screen, decision: Decision) => Promise<unknown>) =>
  confirmedIntent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: seenForm,
    asks: 'approve',
    run: ({ seenVersion: version }, screen) => decideAndGoOn(screen, kind, (id) => decide(screen, { id, version })),
  });

/** Issues a call or a distribution, and with it what the panel showed that it is netted with. */
const issues = (
  kind: 'call' | 'distribution',
  step: (session: Session, command: Decision & { status: 'Active' }) => Promise<void>,
) =>
  confirmedIntent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: seenForm.extend({ other: otherSchema.optional() }),
    asks: 'approve',
    run: ({ seenVersion: version, other }, screen) =>
      decideAndGoOn(screen, kind, (id) =>
        screen.db((session) =>
          other
            ? issueNetted(session, pairOf(TABLES[kind], { id, version }, other))
            : step(session, { id, version, status: 'Active' }),
        ),
      ),
  });

const callerOf = ({ context, actor, request }: Screen) => ({ context, actor, origin: originOf(request, context) });

const TABLES = {
  call: 'contributions',
  distribution: 'distributions',
  ...SET_TABLES,
} as const satisfies Readonly<Record<IssuedApproval, IssuedTable>>;

/** A decision that needs nothing but the version that the panel showed. */
const decides = (
  kind: ApprovalKind,
  decide: (session: Session, decision: Decision) => Promise<unknown>,
  handedOn: keyof typeof HANDED,
) =>
  intent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: seenForm,
    run: ({ seenVersion: version }, screen) =>
      decideAndGoOn(
        screen,
        kind,
        (id) => screen.db((session) => decide(session, { id, version })),
        () => handedOn,
      ),
  });

/** Returns what was submitted to who prepared it, with a reason. */
const returnsWith = (
  kind: ApprovalKind,
  decide: (session: Session, decision: Decision & { reason: string }) => Promise<unknown>,
) =>
  intent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: returnSchema.extend(seenForm.shape),
    run: ({ seenVersion: version, reason }, screen) =>
      decideAndGoOn(
        screen,
        kind,
        (id) => screen.db((session) => decide(session, { id, version, reason })),
        () => 'returned',
      ),
  });

/** Declines a request, with a reason. */
const declines = (
  kind: ApprovalKind,
  schema: z.ZodType<{ reason: string }, unknown>,
  decide: (session: Session, decision: { id: string; reason: string }) => Promise<unknown>,
) =>
  intent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema,
    run: ({ reason }, screen) =>
      decideAndGoOn(screen, kind, (id) => screen.db((session) => decide(session, { id, reason }))),
  });

const submits = (kind: IssuedApproval) =>
  decides(kind, (session, draft) => submitForIssue(session, TABLES[kind], draft), 'submitted');
const returns = (kind: IssuedApproval) =>
  returnsWith(kind, (session, draft) => returnToPreparer(session, TABLES[kind], draft));

const issuesSet = (kind: SetKind) =>
  approves(kind, ({ db }, command) => db((session) => issueSet(session, SET_TABLES[kind], command)));

const TERMS_KINDS = Object.keys(TERMS_RESOURCES) as TermsKind[];
const confirmsTerms = (kind: TermsKind) =>
  approves(kind, ({ db }, command) => db((session) => confirmTerms(session, TERMS_RESOURCES[kind], command)));
const returnsTerms = (kind: TermsKind) =>
  returnsWith(kind, (session, terms) => returnTerms(session, TERMS_RESOURCES[kind], terms));
const withdrawsTerms = (kind: TermsKind) =>
  decides(kind, (session, terms) => withdrawTerms(session, TERMS_RESOURCES[kind], terms), 'withdrawn');

const ISSUED_APPROVALS = Object.keys(TABLES) as IssuedApproval[];
const SET_KINDS = Object.keys(SET_TABLES) as SetKind[];

/** Every decision, by the operations of the documents' own pages. */
export const decide = act({
  approveDraw: approves('draw', (screen, { id, version }) =>
    changeDraw(callerOf(screen), id, { version, status: 'Approved' }),
  ),
  acceptCorrection: approves('correction', ({ context, actor, request }, { id }) =>
    accept(context, actor, id, originOf(request, context)),
  ),
  issueCall: issues('call', stepCall),
  issueDistribution: issues('distribution', stepDistribution),
  activateContract: approves('contract', ({ db }, command) => db((session) => activateContract(session, command))),
  approveAdjustment: approves('adjustment', ({ db }, { id }) => db((session) => approveAdjustment(session, { id }))),
  approveWaiver: approves('waiver', ({ db }, { id }) => db((session) => approveWaiver(session, id))),
  releaseRun: confirmedIntent({
    permission: APPROVAL_PERMISSIONS.paymentRun,
    schema: seenForm,
    asks: 'approve',
    run: ({ seenVersion: version }, screen) =>
      decideAndGoOn(
        screen,
        'paymentRun',
        (id) => releaseRun(callerOf(screen), { id, version }),
        ({ status }) => (status === 'Released' ? undefined : 'firstReleased'),
      ),
  }),
  ...Object.fromEntries(SET_KINDS.map((kind) => [issueIntent('issue', kind), issuesSet(kind)])),
  ...Object.fromEntries(ISSUED_APPROVALS.map((kind) => [issueIntent('submit', kind), submits(kind)])),
  ...Object.fromEntries(ISSUED_APPROVALS.map((kind) => [issueIntent('return', kind), returns(kind)])),
  ...Object.fromEntries(TERMS_KINDS.map((kind) => [termsIntent('confirm', kind), confirmsTerms(kind)])),
  ...Object.fromEntries(TERMS_KINDS.map((kind) => [termsIntent('return', kind), returnsTerms(kind)])),
  ...Object.fromEntries(TERMS_KINDS.map((kind) => [termsIntent('withdraw', kind), withdrawsTerms(kind)])),
  confirmPayoutAccount: intent({
    permission: APPROVAL_PERMISSIONS.payoutAccount,
    schema: payoutCheckSchema,
    run: ({ check }, screen) =>
      decideAndGoOn(screen, 'payoutAccount', (id) => screen.db((session) => confirmAccount(session, { id, check }))),
  }),
  declineAdjustment: declines('adjustment', requestDeclineSchema, declineAdjustment),
  declineWaiver: declines('waiver', requestDeclineSchema, declineWaiver),
  declineAccount: declines('payoutAccount', accountDeclineSchema, declineAccountRequest),
  declineCorrection: declines('correction', declineSchema, declineProposal),
  rejectDraw: intent({
    permission: APPROVAL_PERMISSIONS.draw,
    schema: rejectSchema,
    run: ({ drawVersion: version, rejectionMessage }, screen) =>
      decideAndGoOn(screen, 'draw', (id) =>
        changeDraw(callerOf(screen), id, { version, reject: true, rejectionMessage }),
      ),
  }),
});
