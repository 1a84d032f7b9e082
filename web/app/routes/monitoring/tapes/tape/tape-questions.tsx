import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { currencyFactsInWords, TAPE_QUESTION_LABELS } from '@tapeline/domain/tapes/tape-questions.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import type { TapeHead } from '../tape-head.ts';

const MEANINGS = {
  amountCurrency: 'Amounts in the file that name no currency are read in it.',
  mainCurrency: 'Totals and the borrowing base of the tape are reported in it.',
} as const;

/** What must be answered before the tape is processed. */
export function TapeQuestions({ head }: { head: TapeHead }) {
  const { questions, may } = head;
  const [first] = questions;
  if (!first) return null;
  return (
    <PanelSection
      title="Which currency?"
      note="nothing is processed or published until this is answered"
      padded
      className="flex flex-col gap-3 text-sm"
    >
      <p>
        The currencies of this tape disagree: {currencyFactsInWords(first.data)}.
        {may.answer ? '' : ' Someone who may upload tapes can answer.'}
      </p>
      {may.answer ? (
        <PostForm preventScrollReset>
          <CsrfField />
          <input type="hidden" name="intent" value="answer" />
          <div className="mb-3 grid gap-4 sm:grid-cols-2">
            {questions.map(({ code, data }) => (
              <div key={code}>
                <label htmlFor={`answer-${code}`} className="mb-1 block text-xs font-medium text-ink-2">
                  {TAPE_QUESTION_LABELS[code]}
                </label>
                <Select
                  id={`answer-${code}`}
                  name={`answers.${code}`}
                  required
                  defaultValue=""
                  aria-describedby={`meaning-${code}`}
                  className="w-full"
                  choices={choicesOf(data.choices)}
                  empty="Choose a currency"
                />
                <p id={`meaning-${code}`} className="mt-1 text-xs text-ink-3">
                  {MEANINGS[code]}
                </p>
              </div>
            ))}
          </div>
          <Button type="submit" tone="primary">
            Process the tape
          </Button>
        </PostForm>
      ) : null}
    </PanelSection>
  );
}
