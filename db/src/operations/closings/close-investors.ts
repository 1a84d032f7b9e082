import { MAX_LINES } from '@tapeline/domain/capital/capital-document.ts';
import { unfundedAt } from '@tapeline/domain/capital/capital-figures.ts';
import { NOTICE_BUSINESS_DAYS } from '@tapeline/domain/capital/notice-days.ts';
import type { OwnAmounts } from '@tapeline/domain/capital/own-amounts.schema.ts';
import type { ClosingCreate } from '@tapeline/domain/closings/closing.schema.ts';
import { equalize, isEqualized, paidRange } from '@tapeline/domain/closings/equalize.ts';
import { activeCommitmentAt } from '@tapeline/domain/commitments/active-commitment.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { maximumFor, withDelta } from '@tapeline/domain/commitments/transfer.ts';
import { businessDaysBetween, type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { flagsAt, refuse } from '@tapeline/domain/errors/refusal.ts';
import { agreedTerms } from '@tapeline/domain/funds/fee-terms.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { add, compare, type DecimalText, decimalOf, isZero, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { formatFigure, writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { type Fund, LPCommitment } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { callAtClosing } from '../capital/contributions.ts';
import { distributeAtClosing } from '../capital/distributions.ts';
import { secondPersonWarnings } from '../capital/issue-approval.ts';
import { commitmentsInForce, type FundCommitment, ledgersOf } from '../capital/ledgers.ts';
import { wireWarnings } from '../capital/notices.ts';
import { lockedFund } from '../capital/split-over-investors.ts';
import { addCommitments } from '../commitments/change-commitments.ts';
import { agreementsOf } from '../funds/fee-terms.ts';
import { LP_COMMITMENTS } from '../funds/funds.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { calledLines, type FundEntrant, type FundLine } from './called-lines.ts';
import { CLOSING_COLUMNS, type ClosingFigures, type ClosingLine, type ClosingView, getClosing } from './closings.ts';

/** The fees of a commitment, which new investors can have as well. @throws Refusal notFound */
export async function getFeesOf(session: Session, commitmentId: string): Promise<LPCommitment['fees']> {
  requirePermission(session, 'LPs/commitments/read');
  return (await getDocument(session, LP_COMMITMENTS, commitmentId)).fees;
}

/** The terms as the arithmetic takes them. @throws Refusal badRequest if the fund has none */
function termsOf(fund: Fund) {
  const terms = fund.equalization ?? null;
  if (!terms) refuse('Enter the equalization terms of the fund first', { fund: 'has no equalization terms' });
  return { ...terms, ratePercent: decimalOf(terms.ratePercent) };
}

/**
 * Every commitment to the fund before the closing. What each pays depends on all of them.
 * @throws Refusal badRequest if the actor cannot see one of them
 */
async function everyCommitment(session: Session, fundId: string): Promise<FundCommitment[]> {
  const all = await asProgram(session, () => commitmentsInForce(session, { fundIds: [fundId] }));
  const visible = await commitmentsInForce(session, { fundIds: [fundId] });
  if (visible.length < all.length) {
    refuse('You cannot see every investor of this fund, so you cannot close further ones', {
      fund: 'has investors who are not visible to you',
    });
  }
  return visible;
}

const ownerOf = (investorId: string | null | undefined, Class: string | null | undefined): string =>
  JSON.stringify([investorId, Class ?? null]);

/** Commits the new investors, and increases the commitments of the others. @returns an entrant for each, in order */
async function commitEntrants(
  session: Session,
  fund: Fund,
  { investors, closingDate, title }: ClosingCreate,
  commitments: readonly FundCommitment[],
): Promise<FundEntrant[]> {
  for (const [index, { amount }] of investors.entries()) {
    const problem = documentSumProblem(fund.currency, { sum: amount, currency: null });
    if (problem !== null) {
      refuse(`Enter amounts in ${fund.currency}, the currency of the fund`, { [`investors.${index}.amount`]: problem });
    }
  }
  const known = new Map(commitments.map((one) => [ownerOf(one.investorLPId ?? one.investorFundId, one.Class), one]));
  const seen = new Set<string>();
  const entrants: Omit<FundEntrant, 'agreed'>[] = [];
  for (const [index, { investor, Class, amount, fees = {} }] of investors.entries()) {
    const owner = ownerOf(investor.id, Class);
    if (seen.has(owner)) {
      refuse('An investor is named twice', { [`investors.${index}.investor.id`]: 'is named twice' });
    }
    seen.add(owner);
    const earlier = known.get(owner);
    if (!earlier) {
      const body = {
        fund: fund.id,
        investor,
        Class: Class ?? null,
        status: 'Active',
        closingDate,
        maxCommitment: amount,
      };
      const [created] = await flagsAt(
        addCommitments(session, [{ ...commitmentCreateSchema.parse(body), fees }], (refusal) => {
          throw refusal;
        }),
        (flag) => `investors.${index}.${flag === 'maxCommitment' ? 'amount' : flag}`,
      );
      const { id } = created!;
      entrants.push({ id, code: 0, weight: amount, before: '0', increases: null, Class: Class ?? null });
      continue;
    }
    if (closingDate < earlier.closingDate) {
      refuse('The closing is before that of a commitment which increases', {
        closingDate: `must be on or after ${formatCalendarDate(earlier.closingDate)}`,
      });
    }
    const commitment = await session.em.findOneOrFail(LPCommitment, { id: earlier.id });
    if (commitment.status !== 'Active') {
      refuse('Only an Active commitment can increase', { [`investors.${index}.investor.id`]: 'is not Active' });
    }
    const delta = { date: closingDate, amount, title };
    const after = withDelta(commitment, delta);
    commitment.deltas = [...commitment.deltas, delta];
    commitment.maxCommitment = maximumFor(after, commitment.maxCommitment);
    commitment.metadata = changedMetadata(session, commitment.metadata);
    entrants.push({
      id: `${earlier.id}+`,
      code: earlier.code,
      weight: amount,
      before: activeCommitmentAt(earlier, closingDate),
      increases: earlier.id,
      Class: earlier.Class,
    });
  }
  await session.em.flush();
  const codes = new Map((await everyCommitment(session, fund.id)).map(({ id, code }) => [id, code]));
  const commitmentOf = ({ id, increases }: Pick<FundEntrant, 'id' | 'increases'>): string => increases ?? id;
  const agreements = await agreementsOf(session, entrants.map(commitmentOf));
  return entrants.map((entrant) => ({
    ...entrant,
    code: codes.get(entrant.id) ?? entrant.code,
    agreed: agreedTerms(agreements.get(commitmentOf(entrant))!),
  }));
}

/** What everyone paid, pays and receives, by commitment. */
function figuresOf({
  fund,
  body,
  before,
  entrants,
  lines,
}: {
  fund: Fund;
  body: ClosingCreate;
  before: readonly (FundCommitment & { readonly weight: DecimalText; readonly unfunded: DecimalText })[];
  entrants: readonly FundEntrant[];
  lines: readonly FundLine[];
}): ClosingFigures {
  const terms = termsOf(fund);
  const digits = minorUnitDigits(fund.currency);
  const { closingDate, dueDate } = body;
  const { nonRecyclable } = fund;
  const isRecallable = terms.recallable && !(nonRecyclable && nonRecyclable.declerationDate <= dueDate);
  const {
    lines: equalized,
    positions,
    ...totals
  } = equalize({ lines, earlier: before, entrants, terms, closingDate, digits });
  const commitmentOf = new Map(entrants.map(({ id, increases }) => [id, increases ?? id]));
  const charged = lines.filter(({ kind }) => kind !== 'managementFee' || terms.feesFromFirstClosing);
  const unfundedOf = new Map(before.map(({ id, unfunded }) => [id, unfunded]));
  const committed = sum(before.map(({ weight }) => weight));
  return {
    ...totals,
    lines: equalized.map((line, index) => ({
      ...line,
      line: charged[index]!.line,
      entrants: line.entrants.map((part) => ({ ...part, id: commitmentOf.get(part.id) ?? part.id })),
      refunds: line.refunds.filter(({ amount, interest }) => !isZero(amount) || !isZero(interest)),
    })),
    positions: positions.map((position) => {
      const unfunded = unfundedOf.get(position.id) ?? '0';
      const returned = isRecallable ? position.receives.capital : '0';
      const after = add(subtract(add(unfunded, position.added), position.paysIn.capital), returned);
      return { ...position, isNew: !unfundedOf.has(position.id), unfunded: { before: unfunded, after } };
    }),
    isEqualized: isEqualized({ lines: equalized, positions }, digits),
    isRecallable,
    commitments: { before: committed, after: add(committed, sum(entrants.map(({ weight }) => weight))) },
  };
}

const money = (line: ClosingLine['entrants'][number]) => [{ amount: line.amount }, { amount: line.interest }] as const;

/** What entrants pay, for the lines of their call: the purposes, and then the interest on each. */
function ownOfCall(lines: readonly ClosingLine[]): OwnAmounts[] {
  const ids = [...new Set(lines.flatMap(({ entrants }) => entrants.map(({ id }) => id)))];
  return ids.flatMap((commitmentId) => {
    const parts = lines.map(({ entrants }) => money(entrants.find(({ id }) => id === commitmentId)!));
    const all = [...parts.map(([amount]) => amount), ...parts.map(([, interest]) => interest)];
    return all.every(({ amount }) => isZero(amount)) ? [] : [{ of: { commitmentId }, lines: all, excuse: null }];
  });
}

/** The title that a purpose of an earlier call has in the call of the closing. */
const purposeTitle = ({ callNumber, title }: ClosingLine): string => {
  const prefix = `Call ${callNumber}: `;
  return `${prefix.slice(0, 100)}${title}`.slice(0, 150).trimEnd();
};

/** What is called interest where it is returned. */
const INTEREST = { title: 'Equalization interest', actionType: 'INTEREST' as const };

/** Enters the call of those who pay, and the distribution to those who are paid. */
async function enterNotices(session: Session, fund: Fund, body: ClosingCreate, figures: ClosingFigures) {
  const status = body.status ?? 'Draft';
  const entered = { isTried: body.dryRun, status };
  const lines = figures.lines.filter(({ entrants }) =>
    entrants.some(({ amount, interest }) => !isZero(amount) || !isZero(interest)),
  );
  if (lines.length > MAX_LINES) {
    refuse(`The calls before this closing have ${lines.length} purposes. A notice has at most ${MAX_LINES}`, {
      fund: `has ${lines.length} purposes to equalize`,
    });
  }
  const { closingDate, dueDate, callNumber, distributionNumber, trailingDescription } = body;
  const call =
    lines.length === 0
      ? null
      : await callAtClosing(session, fund, {
          ...entered,
          cutOffDate: closingDate,
          dueDate,
          callNumber,
          trailingDescription,
          callPurposes: lines.map((line) => ({
            title: purposeTitle(line),
            kind: line.kind,
            split: 'entered' as const,
          })),
          own: ownOfCall(lines),
        });
  const { capital, interest } = figures.returned;
  const paid = figures.positions.filter(({ receives }) => !isZero(receives.capital) || !isZero(receives.interest));
  const hasInterest = !isZero(interest);
  const distribution =
    paid.length === 0
      ? null
      : await flagsAt(
          distributeAtClosing(session, fund, {
            ...entered,
            cutOffDate: dueDate,
            callNumber: distributionNumber,
            distributionKind: !hasInterest ? 'Principal Only' : isZero(capital) ? 'Interest' : 'Interest and Principal',
            principal: { sum: capital, currency: fund.currency },
            principalSplit: 'entered',
            components: hasInterest ? [{ ...INTEREST, split: 'entered' as const, amount: null }] : [],
            callPurposes: [],
            trailingDescription,
            pdfOptions: {
              operationalExpenses: false,
              fundLevel: false,
              capitalGains: false,
              recallableDistribution: figures.isRecallable,
            },
            own: paid.map(({ id, receives }) => ({
              of: { commitmentId: id },
              lines: [{ amount: receives.capital }, ...(hasInterest ? [{ amount: receives.interest }] : [])],
              excuse: null,
            })),
          }),
          (flag) => (flag === 'callNumber' ? 'distributionNumber' : flag),
        );
  return { call, distribution };
}

const STORE = `
  insert into closings (id, manager_id, fund_id, currency, title, closing_date, due_date, first_closing, call_id,
    distribution_id, commitment_ids, terms, figures, created)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

/** What is checked before a closing. Warnings never block. */
async function checksOf(
  session: Session,
  fund: Fund,
  { closingDate, dueDate }: ClosingCreate,
  figures: ClosingFigures,
): Promise<{ warnings: string[]; passed: string[] }> {
  const days = businessDaysBetween(todayOf(session), dueDate);
  const isNoticed = days >= NOTICE_BUSINESS_DAYS;
  const { after } = figures.commitments;
  const amount = (value: DecimalText) => writtenAmount({ sum: value, currency: fund.currency });
  const isBelowCap = compare(after, fund.hardCap) <= 0;
  const range = paidRange(figures.positions);
  const distributed = await session.query(
    `select from distribution_events h where h.fund_id = $1 and h.status in ('Active', 'Closed') and h.cut_off_date <= $2
       and not exists (select from closings c where c.distribution_id = h.id) limit 1`,
    [fund.id, closingDate],
  );
  const percent = (value: DecimalText) => `${formatFigure(value, 2)} %`;
  const paid = range && [...new Set([range.low, range.high])].map(percent).join(' to ');
  return {
    warnings: [
      ...(isNoticed ? [] : [`The due date is ${days} business days away, fewer than ${NOTICE_BUSINESS_DAYS}`]),
      ...(isBelowCap ? [] : [`The commitments are above the hard cap of ${amount(fund.hardCap)}`]),
      ...(figures.isEqualized || !range
        ? []
        : [
            `Not everyone has paid the same part of its commitment: from ${percent(range.low)} to ${percent(range.high)}`,
          ]),
      ...(distributed.length > 0
        ? ['The fund has distributed before this closing. What it distributed is not shared with later investors']
        : []),
      ...(figures.lines.length > 0 ? await wireWarnings(session, fund.id) : []),
    ],
    passed: [
      ...(figures.isEqualized && paid ? [`Everyone has paid ${paid} of its commitment, without interest`] : []),
      ...(isBelowCap ? [`Commitments of ${amount(after)} are within the hard cap of ${amount(fund.hardCap)}`] : []),
      ...(isNoticed ? [`${days} business days’ notice, due ${formatCalendarDate(dueDate)}`] : []),
    ],
  };
}

/**
 * Closes new investors, and increases of commitments, after calls were issued: changes the commitments, calls from the
 * entrants what they would have paid if they had closed first, with interest, and returns it to the earlier investors.
 * @param body as `closingCreateSchema` returns it. With `dryRun`, the caller rolls the transaction back; the answer has
 *   warnings
 * @throws Refusal forbidden without the permissions to write commitments, calls and distributions; notFound for the fund;
 *   badRequest with flags for a fund without equalization terms, an investor who is named twice or not visible, a closing
 *   that is before the first or a later one, and as `createCommitment`, `callCapital` and `distribute`
 */
export async function closeInvestors(session: Session, body: ClosingCreate): Promise<ClosingView> {
  for (const key of ['LPs/commitments/write', 'contributions/write', 'distributions/write'] as const) {
    requirePermission(session, key);
  }
  const fund = await lockedFund(session, body.fund, null);
  const { closingDate, dueDate } = body;
  const terms = fund.equalization ?? null;
  const commitments = await everyCommitment(session, fund.id);
  await requireInOrder(session, fund, closingDate, commitments);
  const ledgers = await ledgersOf(
    session,
    commitments.map(({ id }) => id),
  );
  const before = commitments.map((one) => ({
    ...one,
    weight: activeCommitmentAt(one, closingDate),
    unfunded: unfundedAt(ledgers.get(one.id)!, closingDate),
  }));
  const [firstClosing] = commitments.map((one) => one.closingDate).sort() as [CalendarDate, ...CalendarDate[]];
  const entrants = await commitEntrants(session, fund, body, commitments);
  const digits = minorUnitDigits(fund.currency);
  const lines = await calledLines(session, { fundId: fund.id, closingDate, firstClosing, entrants, digits });
  const figures = figuresOf({ fund, body, before, entrants, lines });
  const { call, distribution } = await enterNotices(session, fund, body, figures);
  const id = newId(session.now);
  const activityOf = (written: { lines: { activityId: string }[] } | null) => written?.lines[0]?.activityId ?? null;
  await session.query(STORE, [
    id,
    fund.managerId,
    fund.id,
    fund.currency,
    body.title,
    closingDate,
    dueDate,
    firstClosing,
    activityOf(call),
    activityOf(distribution),
    figures.positions.map((position) => position.id),
    JSON.stringify(terms),
    JSON.stringify(figures),
    JSON.stringify(createdMetadata(session)),
  ]);
  const view = await getClosing(session, id);
  if (!body.dryRun) return view;
  const written = [...(call?.lines ?? []), ...(distribution?.lines ?? [])];
  const secondPerson = await secondPersonWarnings(session, written);
  const beyond = (call?.beyond ?? [])
    .flatMap(({ investors }) => investors)
    .map((one) => `Beyond what is unfunded: ${one}`);
  const checks = await checksOf(session, fund, body, figures);
  return {
    ...view,
    warnings: [...beyond, ...secondPerson, ...checks.warnings],
    passed: checks.passed,
    needsSecondPerson: secondPerson.length > 0,
  };
}

/**
 * A closing follows the first one, and those that were equalized before it. It is not equalized after a transfer of an
 * interest, whose holders have paid other shares than their commitments.
 * @throws Refusal badRequest (flag on `closingDate`)
 */
async function requireInOrder(
  session: Session,
  fund: Fund,
  closingDate: CalendarDate,
  commitments: readonly FundCommitment[],
): Promise<void> {
  if (commitments.every((one) => isZero(activeCommitmentAt(one, closingDate)))) {
    refuse('Nobody has committed to the fund by the closing date. Add the first commitments on its page', {
      closingDate: 'is before the first closing',
    });
  }
  const [later] = await session.query<{ day: string }>(
    'select max(closing_date)::text as day from closings where fund_id = $1',
    [fund.id],
  );
  const [transferred] = await asProgram(session, () =>
    session.query<{ day: string }>(
      'select max(date)::text as day from transfers where fund_id = $1 and share_percent is not null and date <= $2',
      [fund.id, closingDate],
    ),
  );
  if (transferred?.day) {
    refuse(
      `An interest in this fund was transferred on ${formatCalendarDate(transferred.day)}, so a later closing cannot be equalized. Add the commitments on the fund’s page, and enter the call and the distribution separately`,
      { closingDate: 'is after a transfer of an interest' },
    );
  }
  const [open] = await session.query<{ title: string }>(
    `${CLOSING_COLUMNS} where k.fund_id = $1 and (h.status = 'Draft' or d.status = 'Draft') order by k.id desc limit 1`,
    [fund.id],
  );
  if (open) {
    refuse(`The notices of ${open.title} are drafts. Issue them before the next closing`, {
      fund: 'has notices of a closing that are not issued',
    });
  }
  if (later?.day && later.day > closingDate) {
    refuse('A later closing of the fund is already equalized', {
      closingDate: `must be on or after ${formatCalendarDate(later.day)}, the last closing`,
    });
  }
}
