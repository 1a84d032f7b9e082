import type { Approval } from '@tapeline/db/operations/approvals/approvals.ts';
import { reviewAdjustment, shownAdjustment } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import {
  componentsOfDistribution,
  getCallHeader,
  getDistributionHeader,
  lineIds,
  purposesOfCall,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { callWarnings, stepCall } from '@tapeline/db/operations/capital/contributions.ts';
import { stepDistribution } from '@tapeline/db/operations/capital/distributions.ts';
import { issueStates, jointState, waitsForAnother } from '@tapeline/db/operations/capital/issue-approval.ts';
import { issueSet, reviewSet, type SetTable } from '@tapeline/db/operations/capital/issue-reviews.ts';
import { type Netting, nettingOf } from '@tapeline/db/operations/capital/netting.ts';
import { nobodyTold, whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { listObligations, type Obligation } from '@tapeline/db/operations/cash/obligations.ts';
import { reviewPaymentRun } from '@tapeline/db/operations/cash/payment-runs.ts';
import { reviewWaiver, shownWaiver } from '@tapeline/db/operations/covenants/breaches.ts';
import { reviewDraw } from '@tapeline/db/operations/draws/recheck-draws.ts';
import { getCommitment, getFund } from '@tapeline/db/operations/funds/funds.ts';
import { type TermsOf, type TermsResource, termsProposals } from '@tapeline/db/operations/funds/terms-approval.ts';
import { getAccountApproval } from '@tapeline/db/operations/investors/account-requests.ts';
import { getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { availableBaseOf, type BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { wireDetailsOf } from '@tapeline/domain/capital/notice-parts.ts';
import { OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { fundTermsChanges, investorTermsChanges, type TermsChange } from '@tapeline/domain/funds/terms-changes.ts';
import { accountCheckText } from '@tapeline/domain/investors/investor-record.schema.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import type { Screen } from '../../http/screen.server.ts';
import { otherOf } from '../capital/netting.tsx';
import { otherValue } from '../capital/stepped.ts';
import { reviewIssue, reviewNetted } from '../capital/told.server.ts';
import { readProposalPage } from '../monitoring/tapes/proposal-page.server.ts';
import type { SetKind, TermsKind } from './approval-words.ts';

/** A call or distribution to more investors is issued on its page, which reviews it in steps. */
const MAX_REVIEWED_LINES = 500;

/** Payments to an account that its panel names one by one. */
const MAX_HELD = 3;
const waitingOf = ({ documentId, kind, number, fund, facility, open, dueDate }: Obligation) => ({
  id: documentId,
  title: `${OBLIGATION_KIND_LABELS[kind]} ${number ?? ''}, ${(fund ?? facility)?.title ?? ''}`,
  open,
  dueDate,
});

async function readDraw({ db, actor }: Screen, id: string) {
  return db(async (session) => {
    const { draw, checked, exceptions, hasChanged } = await reviewDraw(session, id);
    return {
      kind: 'draw' as const,
      ...pick(draw, 'version', 'cutOffDate', 'dueDate', 'companyName', 'noteTitle'),
      amountInMainCurrency: draw.amountInMainCurrency ?? null,
      description: draw.description ?? null,
      attachments: draw.attachments.length,
      checked,
      hasChanged,
      exceptions: exceptions.map((each, index) => ({ ...each, index })),
      isOwn: actor.userId === draw.requestedBy || actor.userId === draw.termsChangedBy,
    };
  });
}

async function readCorrection(screen: Screen, id: string, tapeId: string) {
  const page = await readProposalPage({ ...screen, params: { ...screen.params, id: tapeId, proposal: id } });
  const { outcome, notes, problem, may, proposal, rows } = page;
  return {
    kind: 'correction' as const,
    ...pick(page.tape, 'title', 'cutOffDate', 'isInProgress'),
    comment: proposal.comment,
    outcome,
    problem,
    mayDecide: may.decide,
    notes: (notes ?? []).map(({ noteId, title, before, after, change }) => ({ noteId, title, before, after, change })),
    rows: rows.slice(0, 3).map(({ row, cells }) => ({ row, cells: cells.slice(0, 3) })),
  };
}

/** What a draft is netted with, which is issued with it, and how it stands with the issue of both. */
async function readNetting(
  session: Session,
  table: 'contributions' | 'distributions',
  { id, secondPerson: own }: Approval,
) {
  const netting: Netting | null = await nettingOf(session, table, id);
  if (netting?.call.status !== 'Draft') return { netting, secondPerson: own };
  const other = otherOf(netting, table);
  return { netting, secondPerson: jointState([own, (await issueStates(session, [other.id])).get(other.id)]) };
}

/** How many lines a review of the issue of a pair issues. */
const linesOfPair = ({ lines }: Netting): number =>
  lines.reduce(
    (all, { contributionId, distributionId }) =>
      all + Number(contributionId !== null) + Number(distributionId !== null),
    0,
  );

async function readHeader(screen: Screen, kind: 'call' | 'distribution', approval: Approval, isOpen: boolean) {
  const { id } = approval;
  const table = kind === 'call' ? ('contributions' as const) : ('distributions' as const);
  const found = await screen.db(async (session) => {
    if (kind === 'call') {
      const header = await getCallHeader(session, id);
      const warnings = await callWarnings(session, header);
      const lines = await purposesOfCall(session, id);
      return { header, due: header.dueDate, warnings, lines, ids: await lineIds(session, table, id) };
    }
    const header = await getDistributionHeader(session, id);
    const components = await componentsOfDistribution(session, id);
    const lines = [
      ...(isZero(header.principal) ? [] : [{ title: 'Principal', amount: header.principal }]),
      ...components,
    ];
    return { header, due: header.cutOffDate, warnings: [], lines, ids: await lineIds(session, table, id) };
  });
  const { header, ids, due, warnings, lines } = found;
  const step = kind === 'call' ? stepCall : stepDistribution;
  const { netting, secondPerson } = await screen.db((session) => readNetting(session, table, approval));
  const other = netting && { ...otherOf(netting, table), totals: netting.totals };
  const isReviewed = isOpen && (netting ? linesOfPair(netting) : ids.length) <= MAX_REVIEWED_LINES;
  const review = !isReviewed
    ? null
    : netting
      ? await reviewNetted(screen, netting)
      : await reviewIssue(screen, table, ids, (session) =>
          step(session, { id, version: header.version, status: 'Active' }),
        );
  const told = review && 'who' in review ? review.who.investors.flatMap((each) => each.told) : [];
  return {
    kind,
    ...pick(header, 'version', 'fundTitle', 'callNumber', 'cutOffDate', 'currency', 'amount', 'investors'),
    due,
    lines: lines.map(({ title, amount }) => ({ title, amount })),
    secondPerson,
    mustSubmit: waitsForAnother(secondPerson),
    netted: other && { ...pick(other, 'name', 'to'), sent: otherValue(other), totals: other.totals },
    warnings: [...warnings, ...(review && 'warnings' in review ? review.warnings : [])],
    problem: review && 'problem' in review ? review.problem : null,
    isTooLarge: isOpen && !isReviewed,
    isPast: review && 'who' in review ? review.who.isPast : false,
    people: told.length,
    names: told.slice(0, 4).flatMap(({ name }) => (name === null ? [] : [name])),
  };
}

/** The lines of what has no header. */
export const SET_TABLES = {
  writeOff: 'write_offs',
  navs: 'navs',
  statements: 'capital_accounts',
} as const satisfies Readonly<Record<SetKind, SetTable>>;

async function readSet(screen: Screen, kind: SetKind, { id, secondPerson }: Approval, isOpen: boolean) {
  const table = SET_TABLES[kind];
  const set = await screen.db((session) => reviewSet(session, table, id));
  const review =
    isOpen && set.drafts <= MAX_REVIEWED_LINES
      ? await screen
          .dryRun(async (session) => {
            await issueSet(session, table, { id, version: set.version });
            if (table !== 'capital_accounts') return { people: null, warnings: [] as string[] };
            const who = await whoIsTold(session, table, set.ids);
            const told = who.isPast ? [] : who.investors.flatMap((each) => each.told);
            return { people: told.length, warnings: nobodyTold(who) };
          })
          .catch((error: unknown) => {
            if (!isRefusal(error)) throw error;
            return { problem: error.message };
          })
      : null;
  return {
    kind,
    ...pick(
      set,
      'version',
      'fundTitle',
      'cutOffDate',
      'currency',
      'count',
      'drafts',
      'amount',
      'gross',
      'earlier',
      'lines',
    ),
    secondPerson,
    mustSubmit: waitsForAnother(secondPerson),
    problem: review && 'problem' in review ? review.problem : null,
    warnings: review && 'warnings' in review ? review.warnings : [],
    isOpen,
    isChecked: review !== null,
    people: review && 'people' in review ? review.people : null,
  };
}

export const TERMS_RESOURCES = {
  fundTerms: 'funds',
  investorTerms: 'LPCommitments',
} as const satisfies Readonly<Record<TermsKind, TermsResource>>;

/** What proposed terms change, in words. */
async function changesOfTerms(session: Session, kind: TermsKind, id: string, terms: object): Promise<TermsChange[]> {
  if (kind === 'fundTerms') {
    const fund = await getFund(session, id);
    return fundTermsChanges(fund, terms as TermsOf['funds'], fund.currency, (key) => classNameOf(fund.classes, key));
  }
  const commitment = await getCommitment(session, id);
  return investorTermsChanges(commitment, terms as TermsOf['LPCommitments'], commitment.currency);
}

async function readTerms({ db }: Screen, kind: TermsKind, id: string) {
  return db(async (session) => {
    const resource = TERMS_RESOURCES[kind];
    const proposal = (await termsProposals(session, resource, [id])).get(id) ?? null;
    return {
      kind,
      version: proposal?.version ?? 0,
      isOpen: proposal?.submittedAt != null,
      isOwn: proposal?.isOwn ?? false,
      by: proposal?.preparedBy ?? null,
      at: proposal?.submittedAt ?? null,
      changes: proposal ? await changesOfTerms(session, kind, id, proposal.terms) : [],
    };
  });
}

async function readContract({ db }: Screen, id: string) {
  return db(async (session) => {
    const contract = await getContract(session, id);
    const { body } = contract;
    return {
      kind: 'contract' as const,
      ...pick(contract, 'version', 'revision', 'cutOffDate'),
      rules: {
        eligibility: body.eligibilityRules.length,
        performance: body.performanceRules.length,
        concentration: body.concentrationRules.length,
        reserves: body.reserves?.length ?? 0,
      },
    };
  });
}

async function readAdjustment({ db, actor }: Screen, id: string) {
  return db(async (session) => {
    const { adjustment, base, after } = await reviewAdjustment(session, id);
    return {
      kind: 'adjustment' as const,
      ...pick(shownAdjustment(adjustment), 'amount', 'reason', 'document', 'enteredBy', 'declineReason'),
      cutOffDate: base.cutOffDate,
      isOpen: adjustment.status === 'Requested',
      isOwn: adjustment.enteredBy.id === actor.userId,
      now: figuresOfBase(base.result),
      after: after && figuresOfBase(after),
    };
  });
}

async function readWaiver({ db, actor }: Screen, id: string) {
  return db(async (session) => {
    const { waiver, covenant, result } = await reviewWaiver(session, id);
    return {
      kind: 'waiver' as const,
      ...pick(shownWaiver(waiver), 'until', 'reason', 'document', 'enteredBy', 'declineReason'),
      ...pick(covenant, 'title', 'clause', 'unit', 'currency', 'bound', 'consequence'),
      ...pick(result, 'testDate', 'value', 'limitValue', 'headroom', 'cureUntil'),
      isOpen: waiver.status === 'Requested',
      isOwn: waiver.enteredBy.id === actor.userId,
      isReplaced: result.id !== covenant.results[0]?.id || result.curedOn !== null,
      isOver: waiver.waivedUntil < todayOf(session),
    };
  });
}

const figuresOfBase = ({ totals }: BorrowingBaseResult) => ({
  availableBase: availableBaseOf(totals),
  availability: totals.availability,
});

async function readPayoutAccount({ db, actor }: Screen, id: string) {
  return db(async (session) => {
    const { party, payout, bank, request, onFile, contacts } = await getAccountApproval(session, id);
    const { currency } = payout;
    const owed = { party: party.id, direction: 'out', currency, isOpen: true, limit: MAX_HELD } as const;
    const { obligations, sums } = await listObligations(session, owed);
    return {
      kind: 'payoutAccount' as const,
      currency: payout.currency,
      check: accountCheckText(payout.check),
      contacts,
      pays: party.kind === 'LPs' ? 'Distributions' : 'Draws',
      isOpen: payout.confirmedBy === null && (request === null || request.status === 'Requested'),
      request: request && {
        ...pick(request, 'comment', 'reason', 'device', 'isNewDevice'),
        letter: request.letter && pick(request.letter, 'id', 'name'),
      },
      onFile: onFile && { wire: wireDetailsOf(onFile.bank, ''), since: onFile.confirmedAt?.slice(0, 10) ?? null },
      by: payout.chosenBy.name,
      at: payout.chosenAt,
      /** What is owed to the party, and waits for a confirmed account. */
      held: sums[0] ? { ...pick(sums[0], 'open', 'count'), first: obligations.map(waitingOf) } : null,
      bank: bank && wireDetailsOf(bank, ''),
      isOwn: payout.chosenBy.id === actor.userId,
    };
  });
}

async function readPaymentRun({ db }: Screen, id: string) {
  return db(async (session) => {
    const { run, ...review } = await reviewPaymentRun(session, id);
    return {
      kind: 'paymentRun' as const,
      ...pick(
        run,
        'code',
        'version',
        'executeOn',
        'format',
        'bankAccountTitle',
        'total',
        'currency',
        'count',
        'needsTwo',
      ),
      ...review,
      firstReleased: run.firstReleased ? makerOf({ iat: '', createdBy: run.firstReleased }) : null,
      payments: run.lines.map(({ payee, amount }) => ({ payee: payee.name, amount })),
    };
  });
}

export const readDetails = (screen: Screen, approval: Approval, isOpen: boolean) => {
  const { kind, id, parentId } = approval;
  switch (kind) {
    case 'draw':
      return readDraw(screen, id);
    case 'correction':
      return readCorrection(screen, id, parentId ?? '');
    case 'call':
    case 'distribution':
      return readHeader(screen, kind, approval, isOpen);
    case 'writeOff':
    case 'navs':
    case 'statements':
      return readSet(screen, kind, approval, isOpen);
    case 'fundTerms':
    case 'investorTerms':
      return readTerms(screen, kind, id);
    case 'contract':
      return readContract(screen, id);
    case 'adjustment':
      return readAdjustment(screen, id);
    case 'waiver':
      return readWaiver(screen, id);
    case 'payoutAccount':
      return readPayoutAccount(screen, id);
    case 'paymentRun':
      return readPaymentRun(screen, id);
  }
};

export type ApprovalDetails = Awaited<ReturnType<typeof readDetails>>;

/** What the panel shows of a request of one kind. */
export type DetailsOf<Kind extends ApprovalDetails['kind']> = Extract<ApprovalDetails, { kind: Kind }>;
