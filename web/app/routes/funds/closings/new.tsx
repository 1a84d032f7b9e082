import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { nextNumber } from '@tapeline/db/operations/capital/headers.ts';
import { commitmentsInForce } from '@tapeline/db/operations/capital/ledgers.ts';
import { closeInvestors, getFeesOf } from '@tapeline/db/operations/closings/close-investors.ts';
import { closingsOfFund } from '@tapeline/db/operations/closings/closings.ts';
import { setEqualizationTerms } from '@tapeline/db/operations/closings/equalization-terms.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { activeCommitmentAt } from '@tapeline/domain/commitments/active-commitment.ts';
import { flagsAt } from '@tapeline/domain/errors/refusal.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { formatFigure } from '@tapeline/domain/money/format-figure.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { investorChoices } from '../commitments/investor-choices.server.ts';
import { InvestorSearches } from '../commitments/investor-searches.tsx';
import { type ClosingAnswer, ClosingEntry, type ClosingStep } from './closing-entry.tsx';
import {
  type ClosingForm,
  closingFirstStep,
  closingForm,
  equalizationOfForm,
  investorOfValue,
} from './closing-form.ts';
import { shownClosing } from './shown-closing.server.ts';

export const handle = named<typeof loader>(({ fund }) => [[fund.title, paths.fund(fund.id)], 'New closing']);

const ORDINALS = ['Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'];

export const loader = readScreen('LPs/commitments/write', (screen) =>
  screen.db(async (session) => {
    const fund = await getFund(session, screen.params.id ?? '');
    const today = todayOf(session);
    const commitments = await commitmentsInForce(session, { fundIds: [fund.id] });
    const { investors, funds, counts } = await investorChoices(session, screen, fund);
    const offered = [
      ...commitments.map((one) => ({
        value: `${one.investorKind}/${one.investorLPId ?? one.investorFundId}`,
        label: one.title ?? 'An investor',
      })),
      ...investors.map(({ value, label }) => ({ value: `LP/${value}`, label })),
      ...funds.map(({ value, label }) => ({ value: `fund/${value}`, label: `${label} (fund)` })),
    ];
    const closings = await closingsOfFund(session, fund.id);
    return {
      fund: { id: fund.id, title: fund.title, currency: fund.currency, classes: fund.classes },
      committed: sum(commitments.map((one) => activeCommitmentAt(one, today))),
      equalization: fund.equalization ?? null,
      today,
      title: `${ORDINALS[closings.length] ?? 'Further'} closing`,
      callNumber: await nextNumber(session, 'contributions', fund.id),
      distributionNumber: await nextNumber(session, 'distributions', fund.id),
      choices: [...new Map(offered.map((one) => [one.value, one])).values()],
      counts,
      feesOf: commitments.map((one) => {
        const className = classNameOf(fund.classes, one.Class);
        return { value: one.id, label: `${one.title ?? 'An investor'}${className ? `, ${className}` : ''}` };
      }),
    };
  }),
);

/** The closing that a form describes, with the terms of the fund as they are entered. */
async function close(
  session: Session,
  form: ClosingForm,
  { params }: Screen,
  status: 'Draft' | 'Active',
  dryRun: boolean,
) {
  const fund = params.id ?? '';
  await setEqualizationTerms(session, fund, equalizationOfForm(form));
  const fees = form.feesOf ? await getFeesOf(session, form.feesOf) : {};
  const { title, closingDate, dueDate, callNumber, distributionNumber, trailingDescription } = form;
  return closeInvestors(session, {
    fund,
    title,
    closingDate,
    dueDate,
    callNumber,
    distributionNumber,
    trailingDescription,
    investors: form.investors.map(({ investor, Class, amount }) => ({
      investor: investorOfValue(investor),
      Class: Class ?? null,
      amount,
      fees,
    })),
    status,
    dryRun,
  });
}

/** Reports refusals at the fields of the form. */
const atFields = <Result,>(work: Promise<Result>): Promise<Result> =>
  flagsAt(work, (path) =>
    path.replace(/^investors\.(\d+)\.investor\.id$/, 'investors.$1.investor').replace(/^callPurposes.*$/, 'investors'),
  );

/** The entered values as the form's fields hold them. */
const enteredOf = (form: object) =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );

const showing = (step: ClosingStep) =>
  intent({
    permission: 'LPs/commitments/write',
    schema: closingFirstStep,
    run: (form) =>
      Promise.resolve(
        Response.json({ intent: step, done: false, step, lastResult: { initialValue: enteredOf(form) } }),
      ),
  });

const closing = (status: 'Draft' | 'Active') =>
  intent({
    permission: 'LPs/commitments/write',
    schema: closingForm,
    async run(form, screen) {
      const { id, fundId } = await atFields(screen.db((session) => close(session, form, screen, status, false)));
      return redirect(paths.closing(fundId, id));
    },
  });

export const action = act(
  {
    entry: showing('entry'),
    terms: showing('terms'),
    review: intent({
      permission: 'LPs/commitments/write',
      schema: closingForm,
      async run(form, screen) {
        const view = await atFields(screen.dryRun((session) => close(session, form, screen, 'Draft', true)));
        return Response.json({
          intent: 'review',
          done: false,
          step: 'review',
          lastResult: { initialValue: enteredOf(form) },
          review: shownClosing(view),
        });
      },
    }),
    issue: closing('Active'),
    draft: closing('Draft'),
  },
  { lists: ['investors'] },
);

/** Closes further investors in three steps: who closes, the terms of equalization, and the review. */
export default function NewClosingScreen() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as ClosingAnswer | undefined;
  const { fund, committed } = page;
  const review = answer?.review;
  return (
    <>
      <PageHeader
        title={review?.title ?? page.title}
        facts={
          review
            ? [
                <b key="fund">{fund.title}</b>,
                <>
                  closing{' '}
                  <b>
                    <DateText value={review.closingDate} />
                  </b>
                </>,
                <>
                  commitments{' '}
                  <b>
                    {formatFigure(review.commitments.before, 2)} to {formatFigure(review.commitments.after, 2)}
                  </b>
                </>,
                `figures in ${fund.currency}`,
              ]
            : [
                <b key="fund">{fund.title}</b>,
                <>
                  <b>{formatFigure(committed, 2)}</b> {fund.currency} committed today
                </>,
                'nothing is stored or sent before you issue',
              ]
        }
      />
      {(answer?.step ?? 'entry') === 'entry' ? <InvestorSearches counts={page.counts} /> : null}
      <ClosingEntry key={answer?.step ?? 'entry'} page={page} answer={answer} />
    </>
  );
}
