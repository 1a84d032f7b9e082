import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { confirmMatches, leaveAsCredit, paymentToMatch } from '@tapeline/db/operations/cash/match-payments.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { DateText, Money } from '../../components/figures/figures.tsx';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { ActionProblems } from '../../components/forms/action-problems.tsx';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { partyChoices } from './cash-choices.server.ts';
import { PartySearches } from './cash-searches.tsx';
import { creditForm, onlyForm } from './match-form.ts';
import { matchValue } from './match-words.ts';
import { BankText, MatchSuggestionBox } from './suggestion.tsx';

export const handle = named<typeof loader>(() => [['To match', paths.toMatch()], 'Choose what it pays']);

export const loader = readScreenOfManager('payments/write', (screen) =>
  screen.db(async (session) => ({
    ...(await paymentToMatch(session, screen.params.id ?? '')),
    today: todayOf(session),
    parties: await partyChoices(session, screen),
  })),
);

export const action = act({
  match: intent({
    permission: 'payments/write',
    schema: onlyForm,
    async run({ only }, { db }) {
      await db((session) => confirmMatches(session, [only]));
      return redirect(paths.toMatch({ done: 1 }));
    },
  }),
  credit: intent({
    permission: 'payments/write',
    schema: creditForm,
    async run({ party, paymentVersion }, { db, params: { id = '' } }) {
      await db((session) => leaveAsCredit(session, { id, version: paymentVersion, party: party! }));
      return redirect(paths.toMatch());
    },
  }),
});

/** All suggestions for one payment, and what else can be done with it. */
export default function MatchPayment() {
  const { payment, suggestions, parties, today } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <PageHeader title="Choose what it pays" facts={[payment.accountTitle]} />
      <ActionProblems answer={answer?.intent === 'match' ? answer : undefined} />
      <PanelSection title="Payment" padded>
        <p className="text-base font-semibold">
          <Money value={{ sum: payment.left, currency: payment.currency }} withCurrency zero="figure" />{' '}
          <span className="text-sm font-normal text-ink-2">
            <DateText value={payment.bookedOn} />
          </span>
        </p>
        <BankText payment={payment} />
      </PanelSection>
      <PanelSection title="Suggestions" padded>
        {suggestions.length === 0 ? (
          <p className="text-sm text-ink-2">No open item has this amount and this reference, account or name.</p>
        ) : (
          <ul className="space-y-3">
            {suggestions.map((suggestion) => (
              <li key={matchValue(payment, suggestion)} className="space-y-2">
                <MatchSuggestionBox suggestion={suggestion} payment={payment} today={today} />
                <ActionForm intent="match" values={{ only: matchValue(payment, suggestion) }}>
                  Match
                </ActionForm>
              </li>
            ))}
          </ul>
        )}
        <p className="mt-3 text-sm">
          <Link to={paths.payment(payment.id)} className="tap-text text-accent hover:underline">
            Choose from all open items
          </Link>
        </p>
      </PanelSection>
      <PanelSection title="Leave as a credit" note="to apply or return later" padded>
        <PartySearches counts={parties.counts} />
        <IntentForm
          intent="credit"
          sent={{ paymentVersion: payment.version }}
          lines={[
            {
              name: 'party',
              label: 'Investor or borrower',
              choices: parties.choices,
              empty: 'Choose an investor or a borrower',
            },
          ]}
          submit="Leave as a credit"
          submitting="Saving"
          cancelTo={paths.toMatch()}
        />
      </PanelSection>
    </>
  );
}
