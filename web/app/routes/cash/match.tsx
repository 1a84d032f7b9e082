import { useActionData, useLoaderData } from '@remix-run/react';
import { listPaymentsToMatch, type PaymentToMatch } from '@tapeline/db/operations/cash/match-payments.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { CircleCheck } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { ActionProblems } from '../../components/forms/action-problems.tsx';
import { Button } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { PostForm } from '../../components/forms/post-form.tsx';
import { ActionBar } from '../../components/page/action-bar.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { useListKeys } from '../../components/page/list-keys.ts';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { useHydrated } from '../../components/use-hydrated.ts';
import { act, readScreenOfManager } from '../../http/screen.server.ts';
import { CashTabs } from './cash-tabs.tsx';
import { MatchActions, MatchedNotice, NoSuggestion, PaymentHead } from './match-actions.tsx';
import { doneIn, MATCH_INTENTS } from './match-intents.server.ts';
import { bankText, matchValue, paymentValue, suggestionTitle } from './match-words.ts';
import { NotOursMenu } from './not-ours.tsx';
import { MatchSuggestionBox } from './suggestion.tsx';

export const handle = { title: 'To match' };

const PAGE_LENGTH = 50;

export const loader = readScreenOfManager('payments/read', ({ actor, db, url }) =>
  db(async (session) => ({
    ...(await listPaymentsToMatch(session, { skip: skipOf(url.searchParams), limit: PAGE_LENGTH })),
    mayMatch: can(actor, 'payments/write'),
    today: todayOf(session),
    ...doneIn(url.searchParams),
  })),
);

export const action = act(MATCH_INTENTS);

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[name="payments"]')];

/** `j` and `k` move the focus to the next and the previous payment, which the space bar chooses. */
const useMatchKeys = () =>
  useListKeys((step) => {
    const all = boxes();
    const at = all.indexOf(document.activeElement as HTMLInputElement);
    all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
  });

/** Chooses all payments of the page without a suggestion: mostly what the bank itself took or paid. */
function ChooseWithout({ count }: { count: number }) {
  if (!useHydrated()) return null;
  return (
    <Button
      onClick={() => {
        for (const box of boxes()) box.checked = box.dataset.suggestion === undefined;
      }}
    >
      {`Choose ${formatFigure(count)} without a suggestion`}
    </Button>
  );
}

function Row({
  row: { payment, suggestions },
  mayMatch,
  today,
}: {
  row: PaymentToMatch;
  mayMatch: boolean;
  today: string;
}) {
  const [best] = suggestions;
  return (
    <li className="grid gap-x-6 gap-y-2.5 border-b border-line px-4 py-3.5 last:border-b-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
      <div className="min-w-0">
        <PaymentHead payment={payment}>
          {mayMatch ? (
            <input
              type="checkbox"
              name="payments"
              value={best ? matchValue(payment, best) : paymentValue(payment)}
              data-suggestion={best ? '' : undefined}
              aria-label={`Choose ${best ? suggestionTitle(best) : bankText(payment)}`}
              className="size-4 shrink-0 accent-accent"
            />
          ) : null}
        </PaymentHead>
        <p className="mt-0.5 text-xs text-ink-3">{payment.accountTitle}</p>
      </div>
      <div
        className={classNames(
          'min-w-0',
          best ? 'space-y-2.5' : 'flex flex-wrap items-start justify-between gap-x-4 gap-y-2',
        )}
      >
        {best ? <MatchSuggestionBox suggestion={best} payment={payment} today={today} /> : <NoSuggestion />}
        {mayMatch ? <MatchActions payment={payment} best={best} /> : null}
      </div>
    </li>
  );
}

/** Payments that nobody has matched, each with its best suggestion. */
export default function ToMatch() {
  const { rows, total, compared, mayMatch, today, done, marked } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  useMatchKeys();
  const without = rows.filter(({ suggestions }) => suggestions.length === 0).length;
  return (
    <>
      <PageHeader title="To match" facts={[formatCount(total, 'payment')]} />
      <CashTabs current="match" mayReadPayments counts={{ match: total }} />
      <MatchedNotice done={done} marked={marked} />
      {compared < total ? (
        <Notice tone="warning">
          {`${formatCount(total - compared, 'later payment')} not compared yet. Match these first: until then nothing is matched automatically.`}
        </Notice>
      ) : null}
      <ActionProblems answer={answer} />
      <PostForm>
        <CsrfField />
        <input type="hidden" name="intent" value="match" />
        {/* The menu of the last payment reaches beyond it. */}
        <Panel className="overflow-visible">
          {rows.length === 0 ? (
            <EmptyState icon={CircleCheck} title="Everything is matched">
              Payments that no open item explains for certain appear here.
            </EmptyState>
          ) : (
            <ul aria-label="Payments to match">
              {rows.map((row) => (
                <Row key={row.payment.id} row={row} mayMatch={mayMatch} today={today} />
              ))}
            </ul>
          )}
          <Pagination total={compared} limit={PAGE_LENGTH} noun="payments" />
          {mayMatch && rows.length > 0 ? (
            <ActionBar>
              {without < rows.length ? (
                <Button type="submit" tone="primary">
                  Match chosen payments
                </Button>
              ) : null}
              <NotOursMenu label="Chosen are not ours" opensUp />
              {without > 1 ? <ChooseWithout count={without} /> : null}
            </ActionBar>
          ) : null}
        </Panel>
      </PostForm>
    </>
  );
}
