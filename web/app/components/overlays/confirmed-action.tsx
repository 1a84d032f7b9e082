import { useLocation } from '@remix-run/react';
import type { ComponentProps, ReactNode } from 'react';
import { ASKED } from '../../http/confirmed.ts';
import { AskOnPage } from './ask-on-page.tsx';
import { ConfirmForm } from './confirm-form.tsx';

/**
 * The button of a `confirmedIntent`: a dialog asks first; without JavaScript the page does, in the place of the button.
 * @param asks the question, as the intent names it
 */
export function ConfirmedAction({
  asks,
  ...question
}: { asks: string } & Pick<
  ComponentProps<typeof ConfirmForm>,
  'intent' | 'action' | 'values' | 'label' | 'title' | 'consequence' | 'confirm' | 'tone' | 'buttonTone'
>) {
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search);
  if (asked.get(ASKED) !== asks) return <ConfirmForm {...question} />;
  asked.delete(ASKED);
  const { label: _, buttonTone: __, action: ___, ...onPage } = question;
  return <AskOnPage {...onPage} backTo={`${pathname}?${asked}`} />;
}

/** What a question is about, line by line: the amounts, the date, who is told, what does not pass. */
export const QuestionFacts = ({ lines }: { lines: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <span className="grid gap-1">
    {lines.map(([label, value]) => (
      <span key={label} className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2">
        <span className="text-ink-3">{label}</span>
        <span className="break-words text-ink">{value}</span>
      </span>
    ))}
  </span>
);
