import { type ContributionView, callCapital, changeCall } from '@tapeline/db/operations/capital/contributions.ts';
import { whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { scopeOfHeader } from '@tapeline/db/operations/capital/write-lines.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { businessDaysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { isNegative, sum } from '@tapeline/domain/money/decimal.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { investorChanges, investorsOf } from '../draft-change.ts';
import type { CallShare } from '../shares.tsx';
import { callOfForm } from './call-form.server.ts';
import type { CallChangeForm, CallForm } from './call-form.ts';

export const shareOf = (view: ContributionView): CallShare => ({
  id: view.id,
  commitmentId: view.commitmentId,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  percentage: view.holdingPercentage ?? null,
  lines: view.purposes.map(({ amount }) => amount),
  amount: view.amount,
  before: view.unfunded.before,
  after: view.unfunded.after,
  noticeId: view.fileId && view.file ? view.fileId : null,
});

/** A dry run of a new call. */
export async function tryCall(session: Session, form: CallForm) {
  const terms = await callOfForm(session, form, form);
  const body = { ...terms, Class: form.Class ?? null, status: 'Active' as const, dryRun: true };
  return { terms, views: await callCapital(session, body), Class: form.Class ?? null, changes: [] };
}

/** What changes a stored draft. */
export async function changeOfCall(session: Session, form: CallChangeForm) {
  const { header: id, headerVersion: version } = form;
  const investors = investorsOf(form.investors);
  const { fund, ...scope } = await scopeOfHeader(session, 'contributions', id, investors);
  return { scope, change: { id, version, investors, terms: await callOfForm(session, { ...form, fund }, scope) } };
}

/** A dry run of a change of a draft. */
export async function tryCallChange(session: Session, form: CallChangeForm) {
  const before = await scopeOfHeader(session, 'contributions', form.header, 'same');
  const { scope, change } = await changeOfCall(session, form);
  const views = await changeCall(session, { ...change, status: 'Active', dryRun: true });
  return { terms: change.terms, views, Class: scope.Class, changes: investorChanges(before.commitmentIds, views) };
}

const idsOf = (views: readonly ContributionView[]) => views.map(({ id }) => id);

/** What a call would be, from a dry run of it. Sums are of the investors that the actor can see. */
export const reviewCall = (
  screen: Screen,
  form: CallForm,
  run: (session: Session) => ReturnType<typeof tryCall> | ReturnType<typeof tryCallChange>,
) =>
  screen.dryRun(async (session) => {
    const fund = await getFund(session, form.fund);
    const { terms, views, Class, changes } = await run(session);
    const shares = views.map(shareOf);
    return {
      shares,
      currency: fund.currency,
      className: fund.classes.find(({ uniqueKey }) => uniqueKey === Class)?.name ?? null,
      callNumber: form.callNumber,
      cutOffDate: form.cutOffDate,
      dueDate: form.dueDate,
      businessDays: businessDaysBetween(form.cutOffDate, form.dueDate),
      purposes: terms.callPurposes,
      amount: sum(shares.map(({ amount }) => amount)),
      before: sum(shares.map(({ before }) => before)),
      after: sum(shares.map(({ after }) => after)),
      warnings: [...changes, ...(views[0]?.warnings ?? [])],
      beyond: views[0]?.beyond ?? [],
      isBeyond: shares.some(({ after }) => isNegative(after)),
      who: await whoIsTold(session, 'contributions', idsOf(views)),
    };
  });

export type CallReview = Awaited<ReturnType<typeof reviewCall>>;
