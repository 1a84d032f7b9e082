import { calledNotDue, interestOf } from '@tapeline/domain/capital/capital-figures.ts';
import { DISTRIBUTION_ACTION_TYPES } from '@tapeline/domain/capital/distribution.schema.ts';
import {
  type CallRegister,
  type CommitmentsRegister,
  callRegister,
  commitmentsRegister,
  type DistributionRegister,
  distributionRegister,
  type RegisterOf,
} from '@tapeline/domain/capital/print/registers.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { LIST_LIMITS } from '@tapeline/domain/filters/list-query.schema.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Register } from '@tapeline/domain/printing/register.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { fundCommitmentsAt } from '../commitments/fund-commitments.ts';
import { getFund } from '../funds/funds.ts';
import type { Page } from '../listing/list-documents.ts';
import { managerNameOf } from '../managers/managers.ts';
import { requirePermission } from '../permission.ts';
import { seesActivity } from './activity.ts';
import {
  componentsOfDistribution,
  getCallHeader,
  getDistributionHeader,
  linesOfHeader,
  purposesOfCall,
} from './calls-and-distributions.ts';
import { listContributions } from './contributions.ts';
import { listDistributions } from './distributions.ts';
import { positionsAt } from './figures.ts';
import { paymentDetailsOf } from './own-capital.ts';

/** Every line of a call or distribution, the largest first. */
async function allLines<View>(
  list: (session: Session, query: object) => Promise<Page<View>>,
  session: Session,
  { id, largest }: { id: string; largest: string },
): Promise<View[]> {
  const found: View[] = [];
  for (let total = 1; found.length < total; ) {
    const page = await list(session, {
      filter: linesOfHeader(id),
      sort: { [largest]: -1 },
      skip: found.length,
      limit: LIST_LIMITS.limit,
    });
    if (page.documents.length === 0) break;
    found.push(...page.documents);
    total = page.total;
  }
  return found;
}

/** The amounts of one line in the order of all that its header consists of: lines of a header can differ. */
function amountsFor(
  whole: readonly { readonly title: string; readonly kind: string }[],
  lines: readonly { readonly title: string; readonly kind: string; readonly amount: DecimalText }[],
): DecimalText[] {
  const left = [...lines];
  return whole.map(({ title, kind }) => {
    const at = left.findIndex((line) => line.title === title && line.kind === kind);
    return at < 0 ? '0' : left.splice(at, 1)[0]!.amount;
  });
}

/** What a register says about its fund, and the names of its classes. */
async function fundOfRegister(session: Session, fundId: string, Class: string | null) {
  requirePermission(session, 'funds/read');
  const fund = await getFund(session, fundId);
  const of: RegisterOf = {
    issuer: (await managerNameOf(session, fund.managerId)) ?? fund.title,
    issueDate: todayOf(session),
    fundTitle: fund.title,
    className: classNameOf(fund.classes, Class),
    currency: fund.currency,
  };
  return { of, nameOf: (key: string | null | undefined) => classNameOf(fund.classes, key ?? null) };
}

/** Lists of all investors are for managers, as their PDF is. */
function refuseInvestors({ actor }: Session): void {
  if (actor.kind === 'user' && actor.lpIds.length > 0) throw new Refusal('notFound');
}

async function registerOfCall(session: Session, id: string): Promise<Register> {
  const header = await getCallHeader(session, id);
  const { of, nameOf } = await fundOfRegister(session, header.fundId, header.Class);
  const views = await allLines(listContributions, session, { id, largest: 'amount' });
  const purposes = await purposesOfCall(session, id);
  const payments = await paymentDetailsOf(
    session,
    views.map((view) => view.id),
  );
  return callRegister({
    ...of,
    callNumber: header.callNumber,
    cutOffDate: header.cutOffDate,
    dueDate: header.dueDate,
    purposes,
    isLate: views.some(({ defaultInterest }) => defaultInterest.length > 0),
    shares: views.map((view): CallRegister['shares'][number] => ({
      investor: view.investor?.title ?? null,
      code: view.investor?.code ?? null,
      className: nameOf(view.Class),
      percentage: view.holdingPercentage ?? null,
      amounts: amountsFor(purposes, view.purposes),
      basis: view.basis,
      excuse: view.excuseReason ?? null,
      amount: view.amount,
      interest: view.purposes.some(({ interest }) => interest !== undefined) ? interestOf(view.purposes) : null,
      before: view.unfunded.before,
      after: view.unfunded.after,
      dueDate: view.dueDate,
      reference: payments.get(view.id)?.reference ?? null,
    })),
  });
}

async function registerOfDistribution(session: Session, id: string): Promise<Register> {
  const header = await getDistributionHeader(session, id);
  const { of, nameOf } = await fundOfRegister(session, header.fundId, header.Class);
  const views = await allLines(listDistributions, session, { id, largest: 'totalDistributed' });
  const components = await componentsOfDistribution(session, id);
  return distributionRegister({
    ...of,
    callNumber: header.callNumber,
    cutOffDate: header.cutOffDate,
    isRecallable: header.isRecallable,
    components: components.flatMap(({ title, kind }) => {
      const actionType = DISTRIBUTION_ACTION_TYPES.find((type) => type === kind);
      return actionType ? [{ title, actionType }] : [];
    }),
    shares: views.map((view): DistributionRegister['shares'][number] => ({
      investor: view.investor?.title ?? null,
      code: view.investor?.code ?? null,
      className: nameOf(view.Class),
      percentage: view.holdingPercentage ?? null,
      principal: view.principal,
      amounts: amountsFor(
        components,
        view.components.map((one) => ({ ...one, kind: one.actionType })),
      ),
      basis: view.basis,
      distributed: view.totals.totalDistributed,
      paidTo: view.paidTo?.ending ?? null,
    })),
  });
}

/**
 * The shares of all investors of a call or distribution.
 * @throws Refusal notFound, also for an investor; forbidden without funds/read
 */
export async function sharesRegister(session: Session, id: string): Promise<Register> {
  refuseInvestors(session);
  for (const [table, read] of [
    ['contributions', registerOfCall],
    ['distributions', registerOfDistribution],
  ] as const) {
    if (!can(session.actor, `${table}/read`)) continue;
    try {
      return await read(session, id);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'notFound') throw error;
    }
  }
  throw new Refusal('notFound');
}

/**
 * The visible commitments to a fund on a day, the largest first.
 * @throws Refusal notFound, also for an investor; forbidden without LPs/commitments/read and funds/read
 */
export async function registerOfCommitments(
  session: Session,
  { fundId, cutOffDate = todayOf(session) }: { fundId: string; cutOffDate?: CalendarDate | undefined },
): Promise<Register> {
  refuseInvestors(session);
  requirePermission(session, 'LPs/commitments/read');
  const { of, nameOf } = await fundOfRegister(session, fundId, null);
  const { commitments } = await fundCommitmentsAt(session, fundId, cutOffDate);
  const positions = seesActivity(session.actor) ? await positionsAt(session, { fundId, cutOffDate }) : [];
  const positionOf = new Map(positions.map((one) => [one.commitmentId, one]));
  return commitmentsRegister({
    ...of,
    cutOffDate,
    commitments: commitments.map((one): CommitmentsRegister['commitments'][number] => {
      const position = positionOf.get(one.id);
      return {
        investor: one.investorTitle,
        code: one.investorCode,
        className: nameOf(one.Class),
        ...pick(one, 'status', 'closingDate', 'maxCommitment', 'active', 'percentage'),
        figures: position ? { ...position, toPay: calledNotDue(position) } : null,
      };
    }),
  });
}
