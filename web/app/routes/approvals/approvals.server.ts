import { redirect } from '@remix-run/node';
import {
  type Approval,
  type ApprovalTab,
  findApproval,
  listApprovals,
  type PlacedApproval,
  placeApproval,
} from '@tapeline/db/operations/approvals/approvals.ts';
import {
  approveAdjustment,
  declineAdjustment,
  reviewAdjustment,
  shownAdjustment,
} from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import {
  componentsOfDistribution,
  getCallHeader,
  getDistributionHeader,
  lineIds,
  purposesOfCall,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { callWarnings, stepCall } from '@tapeline/db/operations/capital/contributions.ts';
import { stepDistribution } from '@tapeline/db/operations/capital/distributions.ts';
import {
  type IssuedTable,
  issueStates,
  jointState,
  waitsForAnother,
} from '@tapeline/db/operations/capital/issue-approval.ts';
import { returnToPreparer, submitForIssue } from '@tapeline/db/operations/capital/issue-requests.ts';
import { issueSet, reviewSet, type SetTable } from '@tapeline/db/operations/capital/issue-reviews.ts';
import { issueNetted, type Netting, nettingOf } from '@tapeline/db/operations/capital/netting.ts';
import { nobodyTold, whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { listObligations, type Obligation } from '@tapeline/db/operations/cash/obligations.ts';
import { reviewPaymentRun } from '@tapeline/db/operations/cash/payment-runs.ts';
import { reviewDraw } from '@tapeline/db/operations/draws/recheck-draws.ts';
import { confirmTerms, returnTerms, withdrawTerms } from '@tapeline/db/operations/funds/decide-terms.ts';
import { getCommitment, getFund } from '@tapeline/db/operations/funds/funds.ts';
import { type TermsOf, type TermsResource, termsProposals } from '@tapeline/db/operations/funds/terms-approval.ts';
import {
  confirmAccount,
  declineAccountRequest,
  getAccountApproval,
} from '@tapeline/db/operations/investors/account-requests.ts';
import { declineProposal } from '@tapeline/db/operations/tapes/proposals.ts';
import { activateContract, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { APPROVAL_KINDS, type ApprovalKind } from '@tapeline/domain/approvals/approval-kinds.ts';
import { APPROVAL_PERMISSIONS, kindsDecidedBy } from '@tapeline/domain/approvals/approval-permissions.ts';
import { adjustmentDeclineSchema } from '@tapeline/domain/borrowing-base/adjustment.schema.ts';
import { availableBaseOf, type BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { returnReasonSchema } from '@tapeline/domain/capital/capital-document.ts';
import { wireDetailsOf } from '@tapeline/domain/capital/notice-parts.ts';
import { OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { fundTermsChanges, investorTermsChanges, type TermsChange } from '@tapeline/domain/funds/terms-changes.ts';
import { accountDeclineSchema } from '@tapeline/domain/investors/account-request.schema.ts';
import { accountCheckText, payoutCheckSchema } from '@tapeline/domain/investors/investor-record.schema.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { declineSchema } from '@tapeline/domain/tapes/proposal.schema.ts';
import { z } from 'zod';
import { changeDraw } from '../../commands/draws.server.ts';
import { releaseRun } from '../../commands/payment-runs.server.ts';
import { accept } from '../../commands/proposals.server.ts';
import { versionField } from '../../components/forms/version-field.ts';
import { skipOf } from '../../components/page/skip.ts';
import { act, confirmedIntent, intent, type Screen } from '../../http/screen.server.ts';
import { originOf } from '../../http/session.server.ts';
import { paths } from '../../paths.ts';
import { otherSchema } from '../capital/header-actions.ts';
import { pairOf } from '../capital/header-steps.server.ts';
import { otherOf } from '../capital/netting.tsx';
import { otherValue } from '../capital/stepped.ts';
import { reviewIssue, reviewNetted } from '../capital/told.server.ts';
import { rejectSchema } from '../monitoring/draws/draw/draw-acts.ts';
import { readProposalPage } from '../monitoring/tapes/proposal-page.server.ts';
import {
  decidedText,
  type HANDED,
  handedText,
  type IssuedApproval,
  issueIntent,
  type SetKind,
  type TermsKind,
  termsIntent,
} from './approval-words.ts';
import { blockOf, questionOf } from './decision-words.server.ts';

const PAGE_LENGTH = 50;
/** A call or distribution to more investors is issued on its page, which reviews it in steps. */
const MAX_REVIEWED_LINES = 500;

const isKind = (value: string | null | undefined): value is ApprovalKind =>
  APPROVAL_KINDS.some((kind) => kind === value);

/** What the address asks for: the tab, the kind and the request that was just decided. */
function queryOf(url: URL): { tab: ApprovalTab; kind: ApprovalKind | null } {
  const tab = url.searchParams.get('tab');
  const only = url.searchParams.get('only');
  return { tab: tab === 'others' || tab === 'decided' ? tab : 'mine', kind: isKind(only) ? only : null };
}

/** The part of the address that the list's links keep. */
const searchOf = ({ tab, kind }: { tab: ApprovalTab; kind: ApprovalKind | null }) => ({
  tab: tab === 'mine' ? undefined : tab,
  only: kind ?? undefined,
});

/** A document's key in the address: "draw-65f0…". */
function keyOf(text: string | null): { kind: ApprovalKind; id: string } | null {
  const [kind, id] = (text ?? '').split('-');
  return isKind(kind) && idSchema.safeParse(id).success ? { kind, id: id! } : null;
}

/** Those who decide nothing have no such page. */
function requireDecider({ actor }: Screen): void {
  if (kindsDecidedBy(actor).length === 0) throw new Refusal('forbidden');
}

export async function readApprovalList(screen: Screen) {
  requireDecider(screen);
  const { url, db } = screen;
  const query = queryOf(url);
  return db(async (session) => {
    const page = await listApprovals(session, { ...query, skip: skipOf(url.searchParams), limit: PAGE_LENGTH });
    const key = keyOf(url.searchParams.get('done'));
    const done = key && (await findApproval(session, key));
    return {
      ...page,
      ...query,
      limit: PAGE_LENGTH,
      today: session.now.toISOString().slice(0, 10),
      done: done?.tab === 'decided' ? decidedText(done.approval) : handedText(url.searchParams.get('handed')),
    };
  });
}

const PAGES: Readonly<Record<ApprovalKind, (approval: Approval) => string>> = {
  draw: ({ id }) => paths.draw(id),
  correction: ({ id, parentId }) => paths.proposal(parentId ?? '', id),
  call: ({ id }) => paths.capitalCall(id),
  distribution: ({ id }) => paths.distribution(id),
  writeOff: ({ parentId }) => paths.fund(parentId ?? '', { view: 'navs' }),
  navs: ({ parentId }) => paths.fund(parentId ?? '', { view: 'navs' }),
  statements: ({ parentId }) => {
    const mainFund = /^mainFunds\/(.+)$/.exec(parentId ?? '')?.[1];
    return mainFund ? paths.mainFund(mainFund) : paths.fund(parentId ?? '', { view: 'documents' });
  },
  fundTerms: ({ id }) => paths.fund(id, { view: 'terms' }),
  investorTerms: ({ id, parentId }) => paths.commitment(parentId ?? '', id),
  contract: ({ id }) => paths.contract(id),
  adjustment: ({ parentId }) => `${paths.borrowingBase(parentId ?? '')}#adjustments`,
  payoutAccount: ({ parentId }) => {
    const borrower = /^companies\/(.+)$/.exec(parentId ?? '')?.[1];
    return borrower ? paths.company(borrower) : paths.investor(parentId ?? '', { view: 'details' });
  },
  paymentRun: ({ id }) => paths.paymentRun(id),
};

/** Payments to an account that its panel names one by one. */
const MAX_HELD = 3;
const waitingOf = ({ documentId, kind, number, fund, facility, open, dueDate }: Obligation) => ({
  id: documentId,
  title: `${OBLIGATION_KIND_LABELS[kind]} ${number ?? ''}, ${(fund ?? facility)?.title ?? ''}`,
  open,
  dueDate,
});

/** The page of a request, where everything about it is shown and changed. */
const pageOf = (approval: Approval): string => PAGES[approval.kind](approval);

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
const SET_TABLES = {
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

const TERMS_RESOURCES = {
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

/** Why a draft is returned to who prepared it. */
const returnSchema = z.object({ reason: returnReasonSchema });

const readDetails = (screen: Screen, approval: Approval, isOpen: boolean) => {
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
    case 'payoutAccount':
      return readPayoutAccount(screen, id);
    case 'paymentRun':
      return readPaymentRun(screen, id);
  }
};

export type ApprovalDetails = Awaited<ReturnType<typeof readDetails>>;

/** The key of a request in the address of its panel. */
function keyOfParams({ kind, id }: Screen['params']): { kind: ApprovalKind; id: string } | null {
  if (kind === undefined) return null;
  if (!isKind(kind) || !idSchema.safeParse(id).success) throw new Refusal('notFound');
  return { kind, id: id! };
}

/**
 * The request in the panel: what is asked, the checks, and its neighbours. Without one in the address, the first of the
 * list. A request that has left the tab, because somebody else decided it, is shown as it is.
 * @returns null if the list is empty
 */
export async function readApprovalPanel(screen: Screen) {
  requireDecider(screen);
  const { url, db, params } = screen;
  const query = queryOf(url);
  const key = keyOfParams(params);
  const placed = await db(async (session): Promise<(PlacedApproval & { tab: ApprovalTab }) | null> => {
    const found = await placeApproval(session, query, key);
    if (found) return { ...found, tab: query.tab };
    if (!key) return null;
    const elsewhere = await findApproval(session, key);
    return elsewhere && { ...elsewhere, index: -1, previous: null, next: null };
  });
  if (!placed) {
    if (key) throw new Refusal('notFound');
    return null;
  }
  const details = await readDetails(screen, placed.approval, placed.tab === 'mine');
  return {
    ...placed,
    isFirst: key === null,
    search: searchOf(query),
    today: new Date().toISOString().slice(0, 10),
    page: pageOf(placed.approval),
    details,
    block: blockOf(details, placed.tab),
    question: questionOf(details, placed.approval),
    ask: url.searchParams.get('ask'),
  };
}
export type ApprovalPanel = NonNullable<Awaited<ReturnType<typeof readApprovalPanel>>>;
/** What the panel shows of a request of one kind. */
export type DetailsOf<Kind extends ApprovalDetails['kind']> = Extract<ApprovalDetails, { kind: Kind }>;

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
  const query = queryOf(screen.url);
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

const submits = (kind: IssuedApproval) =>
  intent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: seenForm,
    run: ({ seenVersion: version }, screen) =>
      decideAndGoOn(
        screen,
        kind,
        (id) => screen.db((session) => submitForIssue(session, TABLES[kind], { id, version })),
        () => 'submitted',
      ),
  });

const returns = (kind: IssuedApproval) =>
  intent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: returnSchema.extend(seenForm.shape),
    run: ({ seenVersion: version, reason }, screen) =>
      decideAndGoOn(
        screen,
        kind,
        (id) => screen.db((session) => returnToPreparer(session, TABLES[kind], { id, version, reason })),
        () => 'returned',
      ),
  });

const issuesSet = (kind: SetKind) =>
  approves(kind, ({ db }, command) => db((session) => issueSet(session, SET_TABLES[kind], command)));

const TERMS_KINDS = Object.keys(TERMS_RESOURCES) as TermsKind[];
const confirmsTerms = (kind: TermsKind) =>
  approves(kind, ({ db }, command) => db((session) => confirmTerms(session, TERMS_RESOURCES[kind], command)));
const returnsTerms = (kind: TermsKind) =>
  intent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: returnSchema.extend(seenForm.shape),
    run: ({ seenVersion: version, reason }, screen) =>
      decideAndGoOn(
        screen,
        kind,
        (id) => screen.db((session) => returnTerms(session, TERMS_RESOURCES[kind], { id, version, reason })),
        () => 'returned',
      ),
  });
const withdrawsTerms = (kind: TermsKind) =>
  intent({
    permission: APPROVAL_PERMISSIONS[kind],
    schema: seenForm,
    run: ({ seenVersion: version }, screen) =>
      decideAndGoOn(
        screen,
        kind,
        (id) => screen.db((session) => withdrawTerms(session, TERMS_RESOURCES[kind], { id, version })),
        () => 'withdrawn',
      ),
  });

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
  declineAdjustment: intent({
    permission: APPROVAL_PERMISSIONS.adjustment,
    schema: adjustmentDeclineSchema,
    run: ({ reason }, screen) =>
      decideAndGoOn(screen, 'adjustment', (id) => screen.db((session) => declineAdjustment(session, { id, reason }))),
  }),
  declineAccount: intent({
    permission: APPROVAL_PERMISSIONS.payoutAccount,
    schema: accountDeclineSchema,
    run: ({ reason }, screen) =>
      decideAndGoOn(screen, 'payoutAccount', (id) =>
        screen.db((session) => declineAccountRequest(session, { id, reason })),
      ),
  }),
  rejectDraw: intent({
    permission: APPROVAL_PERMISSIONS.draw,
    schema: rejectSchema,
    run: ({ drawVersion: version, rejectionMessage }, screen) =>
      decideAndGoOn(screen, 'draw', (id) =>
        changeDraw(callerOf(screen), id, { version, reject: true, rejectionMessage }),
      ),
  }),
  declineCorrection: intent({
    permission: APPROVAL_PERMISSIONS.correction,
    schema: declineSchema,
    run: ({ reason }, screen) =>
      decideAndGoOn(screen, 'correction', (id) => screen.db((session) => declineProposal(session, { id, reason }))),
  }),
});
