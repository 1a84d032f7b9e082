import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { CHANGE_LABELS } from '@tapeline/domain/pools/changes.ts';
import { PUBLISH } from '@tapeline/domain/tapes/tape-question-codes.ts';
import type {
  ChangesQuestion,
  CurrencyQuestion,
  PoolFacts,
  PoolQuestion,
} from '@tapeline/domain/tapes/tape-questions.schema.ts';
import {
  changeFactsInWords,
  currencyFactsInWords,
  isAboutCurrency,
  TAPE_QUESTION_LABELS,
} from '@tapeline/domain/tapes/tape-questions.ts';
import { DateText, Money } from '../../../../components/figures/figures.tsx';
import { formatFigure } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import type { TapeHead } from '../tape-head.ts';

const MEANINGS = {
  amountCurrency: 'Amounts in the file that name no currency are read in it.',
  mainCurrency: 'Totals and the borrowing base of the tape are reported in it.',
} as const;

/** What must be answered before the tape is processed, or before it is published. */
export function TapeQuestions({ head }: { head: TapeHead }) {
  const currencies = head.questions.filter(isAboutCurrency);
  const pool = head.questions.find((question) => question.code === 'pool');
  if (pool) return <PoolPart question={pool} mayAnswer={head.may.answer} />;
  const changes = head.questions.find((question) => question.code === 'changes');
  if (changes) return <ChangesPart question={changes} mayAnswer={head.may.answer} />;
  return currencies.length > 0 ? <CurrencyPart questions={currencies} mayAnswer={head.may.answer} /> : null;
}

function PoolPart({ question, mayAnswer }: { question: PoolQuestion; mayAnswer: boolean }) {
  const { before, now } = question.data;
  const currencies = [...new Set([...now.balances, ...before.balances].map(({ currency }) => currency))];
  const balanceOf = ({ balances }: PoolFacts, currency: string) =>
    balances.find((each) => each.currency === currency)?.sum ?? null;
  return (
    <PanelSection
      title="Is this the whole pool?"
      note="the tape is not published until this is answered"
      padded
      className="flex flex-col gap-3 text-sm"
    >
      <p>
        This pool differs a lot from that of the previous tape. If loans are missing or balances are wrong, remove the
        tape and upload the correct file.{mayAnswer ? '' : ' Someone who may upload tapes can answer.'}
      </p>
      <DataTable
        caption="The pools of this tape and the previous tape"
        rows={[
          { name: 'This tape', ...now },
          { name: 'Previous tape', ...before },
        ]}
        rowKey={({ name }) => name}
        columns={[
          { head: 'Tape', name: ({ name }) => name },
          { head: 'Cut-off', cell: ({ cutOffDate }) => <DateText value={cutOffDate} /> },
          { head: 'Assets', numeric: true, cell: ({ assets }) => formatFigure(assets) },
          ...currencies.map((currency) => ({
            head: `Current balance (${currency})`,
            numeric: true,
            cell: (facts: PoolFacts) => <Money value={balanceOf(facts, currency)} />,
          })),
        ]}
      />
      {mayAnswer ? <PublishAnyway code="pool" label="Publish this pool" /> : null}
    </PanelSection>
  );
}

const PublishAnyway = ({ code, label }: { code: 'pool' | 'changes'; label: string }) => (
  <PostForm preventScrollReset>
    <CsrfField />
    <input type="hidden" name="intent" value="answer" />
    <input type="hidden" name={`answers.${code}`} value={PUBLISH} />
    <Button type="submit" tone="primary">
      {label}
    </Button>
  </PostForm>
);

function ChangesPart({ question, mayAnswer }: { question: ChangesQuestion; mayAnswer: boolean }) {
  const { data } = question;
  return (
    <PanelSection
      title="Are these changes right?"
      note="the tape is not published until this is answered"
      padded
      className="flex flex-col gap-3 text-sm"
    >
      <p>
        Since the tape of <DateText value={data.since} />, more changed than the contract allows:
      </p>
      <ul className="list-disc pl-5">
        {changeFactsInWords(data).map((fact) => (
          <li key={fact}>{fact}.</li>
        ))}
      </ul>
      {data.changes.length > 0 ? (
        <DataTable
          caption="Changes that should not happen"
          rows={data.changes}
          rowKey={({ kind }) => kind}
          columns={[
            { head: 'Change', cell: ({ kind }) => CHANGE_LABELS[kind] },
            { head: 'Loans', numeric: true, cell: ({ count }) => formatFigure(count) },
          ]}
        />
      ) : null}
      <p>
        If the file is wrong, remove the tape and upload the correct one. Once it is published, its roll-forward lists
        the loans.{mayAnswer ? '' : ' Someone who may upload tapes can answer.'}
      </p>
      {mayAnswer ? <PublishAnyway code="changes" label="Publish these changes" /> : null}
    </PanelSection>
  );
}

function CurrencyPart({ questions, mayAnswer }: { questions: readonly CurrencyQuestion[]; mayAnswer: boolean }) {
  return (
    <PanelSection
      title="Which currency?"
      note="nothing is processed or published until this is answered"
      padded
      className="flex flex-col gap-3 text-sm"
    >
      <p>
        The currencies of this tape disagree: {currencyFactsInWords(questions[0]!.data)}.
        {mayAnswer ? '' : ' Someone who may upload tapes can answer.'}
      </p>
      {mayAnswer ? (
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
