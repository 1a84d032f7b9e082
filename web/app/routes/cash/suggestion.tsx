import type { PaymentSuggestion, PaymentToMatch } from '@tapeline/db/operations/cash/match-payments.ts';
import { Check, Minus } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { bankText, evidenceFindings, suggestionOpen, suggestionTitle } from './match-words.ts';

/** From here on a suggestion is shown as a good one. */
const GOOD_PERCENT = 90;

/** What a payment probably pays, with what speaks for it and against it. */
export function MatchSuggestionBox({
  suggestion,
  payment,
  today,
}: {
  suggestion: PaymentSuggestion;
  payment: PaymentToMatch['payment'];
  today: string;
}) {
  const isGood = suggestion.confidence >= GOOD_PERCENT;
  return (
    <div className="rounded-md border border-line bg-canvas px-3 py-2.5 text-sm">
      <div className="flex items-baseline justify-between gap-x-3">
        <p className="min-w-0 font-[550] break-words">{suggestionTitle(suggestion)}</p>
        <span
          className={classNames('flex flex-none items-center gap-2 font-medium', isGood ? 'text-good' : 'text-warning')}
        >
          <span aria-hidden="true" className="h-1 w-11 overflow-hidden rounded-full bg-line">
            <span className="block h-full bg-current" style={{ width: `${suggestion.confidence}%` }} />
          </span>
          {suggestion.confidence} %
        </span>
      </div>
      <p className="text-xs text-ink-2">{suggestionOpen(suggestion, today)}</p>
      <ul className="mt-1.5 space-y-0.5 text-xs text-ink-2">
        {evidenceFindings(suggestion, payment).map(({ holds, text }) => (
          <li key={text} className="flex items-start gap-1.5">
            {holds ? (
              <Check aria-hidden="true" size={14} strokeWidth={1.75} className="mt-px flex-none text-good" />
            ) : (
              <Minus aria-hidden="true" size={14} strokeWidth={1.75} className="mt-px flex-none text-ink-3" />
            )}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the bank says about a payment. */
export function BankText({ payment }: { payment: PaymentToMatch['payment'] }) {
  return <p className="font-mono text-xs break-words text-ink-2">{bankText(payment)}</p>;
}
