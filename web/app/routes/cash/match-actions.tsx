import type { PaymentSuggestion, PaymentToMatch } from '@tapeline/db/operations/cash/match-payments.ts';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { DateText, Money } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { paths } from '../../paths.ts';
import { matchValue, paymentValue } from './match-words.ts';
import { NotOursMenu } from './not-ours.tsx';
import { BankText } from './suggestion.tsx';

/** What came or went, when, and what the bank says about it. @param children before the amount */
export function PaymentHead({ payment, children }: { payment: PaymentToMatch['payment']; children?: ReactNode }) {
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <span className="flex items-baseline gap-2 text-base font-semibold max-sm:min-h-10">
          {children}
          <span className="figures whitespace-nowrap">
            {payment.direction === 'in' ? '+' : '−'}
            <Money value={{ sum: payment.left, currency: payment.currency }} withCurrency zero="figure" />
          </span>
        </span>
        <span className="text-xs whitespace-nowrap text-ink-2">
          <DateText value={payment.bookedOn} />
        </span>
      </div>
      <BankText payment={payment} />
    </>
  );
}

export const NoSuggestion = () => (
  <p className="min-w-0 flex-1 basis-52 text-sm text-ink-2">
    No suggestion: no open item has this amount and this reference, account or name.
  </p>
);

/** What can be done with a payment, as buttons of the form of its list. @param isShort leaves out what is rarely meant */
export function MatchActions({
  payment,
  best,
  isShort = false,
}: {
  payment: PaymentToMatch['payment'];
  best: PaymentSuggestion | undefined;
  isShort?: boolean;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      {best ? (
        <Button type="submit" tone="primary" icon={Check} name="only" value={matchValue(payment, best)}>
          Match
        </Button>
      ) : null}
      <LinkButton to={paths.matchPayment(payment.id)}>{best ? 'Choose another' : 'Choose'}</LinkButton>
      {best && isShort ? null : <NotOursMenu label="Not ours" only={paymentValue(payment)} />}
    </div>
  );
}

/** What was done just now. */
export function MatchedNotice({ done, marked }: { done: number; marked: number }) {
  return (
    <>
      {done > 0 ? <Notice tone="good">{`${formatCount(done, 'payment')} matched.`}</Notice> : null}
      {marked > 0 ? (
        <Notice tone="good">{`${formatCount(marked, 'payment')} marked as not ours. You can undo this on the page of a payment.`}</Notice>
      ) : null}
    </>
  );
}
