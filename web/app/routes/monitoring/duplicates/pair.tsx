import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { VERDICT_LABELS, type Verdict } from '@tapeline/domain/duplicates/evidence.ts';
import { CERTAINTY_LABELS, CERTAINTY_RULES, DECISION_LABELS } from '@tapeline/domain/duplicates/rules.ts';
import { X } from 'lucide-react';
import { DateText, Money, Unknown } from '../../../components/figures/figures.tsx';
import { ActionProblems } from '../../../components/forms/action-problems.tsx';
import { CsrfField } from '../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../components/forms/post-form.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type ActionAnswer, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DecisionFields } from './decision-form.tsx';
import { CERTAINTY_TONES, DECISION_TONES } from './duplicate-words.ts';
import { decideOnPairs, readPair } from './duplicates.server.ts';

type Pair = Awaited<ReturnType<typeof readPair>>;

const titleOf = ({ obligor, sides }: Pair): string =>
  `${obligor ?? 'Loan'}, in ${[...new Set(sides.map(({ company }) => company))].join(' and ')}`;

export const handle = {
  title: (pair: Pair) => titleOf(pair),
  crumbs: (pair: Pair) => [{ label: pair.obligor ?? 'Pair' }],
};

export const loader = readScreen('assets/read', readPair);

export const action = decideOnPairs;

const VERDICT_TONES: Readonly<Record<Verdict, string>> = {
  equal: 'text-good',
  near: 'text-warning',
  different: 'text-ink-2',
  one: 'text-ink-3',
};
const SIGNS: Readonly<Record<Verdict, string>> = { equal: '=', near: '≈', different: '≠', one: '–' };

const CELL = 'border-t border-line px-3 py-1.5 text-left align-top';

function EvidenceTable({ pair }: { pair: Pair }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Evidence, both loans side by side</caption>
        <thead>
          <tr className="text-left">
            <td className="px-3 py-1.5" />
            {pair.sides.map(({ company, tape }, index) => (
              <th key={index === 0 ? 'first' : 'second'} scope="col" className="px-3 py-1.5 font-[550]">
                {company}
                <Link to={paths.tape(tape.id)} className="block text-xs font-normal text-accent hover:underline">
                  {tape.name}
                  {tape.cutOffDate ? `, ${formatCalendarDate(tape.cutOffDate)}` : ''}
                </Link>
              </th>
            ))}
            <th scope="col" className="px-3 py-1.5 font-medium text-ink-3">
              Evidence
            </th>
          </tr>
        </thead>
        <tbody>
          {pair.evidence.map(({ label, values, verdict, note }) => (
            <tr key={label}>
              <th scope="row" className={`${CELL} font-normal text-ink-2`}>
                {label}
              </th>
              <td className={CELL}>{values[0] ?? <Unknown reason="Not on this tape" />}</td>
              <td
                className={`${CELL} ${verdict === 'near' ? 'bg-warning-soft' : verdict === 'different' ? 'bg-line' : ''}`}
              >
                {values[1] ?? <Unknown reason="Not on this tape" />}
              </td>
              <td className={`${CELL} whitespace-nowrap`}>
                <span className={`font-medium ${VERDICT_TONES[verdict]}`}>
                  <span aria-hidden="true">{SIGNS[verdict]}</span> {VERDICT_LABELS[verdict]}
                </span>
                {note ? <span className="block text-xs text-ink-3">{note}</span> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Exposure({ pair }: { pair: Pair }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Exposure of both loans</caption>
        <tbody>
          <tr>
            <th scope="row" className="px-3 py-1.5 text-left font-normal text-ink-2">
              Balance
            </th>
            {pair.sides.map(({ balance }, index) => (
              <td key={index === 0 ? 'first' : 'second'} className="figures px-3 py-1.5 text-right">
                {balance ? <Money value={balance} withCurrency zero="figure" /> : <Unknown reason="Not on this tape" />}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row" className={`${CELL} font-normal text-ink-2`}>
              Status
            </th>
            {pair.sides.map(({ status }, index) => (
              <td key={index === 0 ? 'first' : 'second'} className="border-t border-line px-3 py-1.5 text-right">
                {status ? codeLabel(status) : <Unknown reason="Not on this tape" />}
              </td>
            ))}
          </tr>
          <tr className="font-[550]">
            <th scope="row" className={CELL}>
              Counted twice
            </th>
            <td colSpan={2} className="figures border-t border-line px-3 py-1.5 text-right text-danger">
              {pair.countedTwice ? (
                <Money value={pair.countedTwice} withCurrency zero="figure" />
              ) : (
                <Unknown reason="The balances are unknown or in two currencies" />
              )}
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** The evidence of a pair and its decision, beside the list; instead of the list on a narrow screen. */
export default function PairPanel() {
  const pair = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const [search] = useSearchParams();
  const back = paths.duplicates({
    tab: search.get('tab') ?? undefined,
    only: search.get('only') ?? undefined,
  });
  return (
    <section aria-label="Pair of loans" className="min-w-0 rounded-lg border border-line bg-paper px-5 py-4">
      <div className="mb-2 flex items-center gap-2">
        <Chip dot tone={CERTAINTY_TONES[pair.certainty] ?? 'neutral'}>
          {CERTAINTY_LABELS[pair.certainty]}
        </Chip>
        <Link
          to={back}
          aria-label="Back to the list"
          className="ml-auto inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover max-sm:size-10"
        >
          <X aria-hidden="true" size={16} strokeWidth={1.75} />
        </Link>
      </div>
      <h1 className="text-lg leading-6 font-[620] break-words xl:hidden">{titleOf(pair)}</h1>
      <h2 className="text-lg leading-6 font-[620] break-words max-xl:hidden">{titleOf(pair)}</h2>
      <p className="mb-5 text-sm text-ink-2">
        Found <DateText value={pair.foundAt} />
      </p>
      <ActionProblems answer={answer} />
      <Section title="Evidence" note={CERTAINTY_RULES[pair.certainty]}>
        <EvidenceTable pair={pair} />
      </Section>
      <Section title="Exposure">
        <Exposure pair={pair} />
      </Section>
      <Section title="Decision" note="not shown again while the facts stay the same">
        {pair.decidedBy ? (
          <p className="mb-3 text-sm">
            <Chip dot tone={DECISION_TONES[pair.status] ?? 'neutral'}>
              {DECISION_LABELS[pair.status as keyof typeof DECISION_LABELS]}
            </Chip>{' '}
            {pair.reason ?? 'No reason given'}, {pair.decidedBy}, <DateText value={pair.decidedAt ?? ''} />
          </p>
        ) : null}
        {pair.mayDecide ? (
          <PostForm>
            <CsrfField />
            <input type="hidden" name="intent" value="decide" />
            <input type="hidden" name="ids" value={pair.id} />
            <DecisionFields submit="Record the decision" />
          </PostForm>
        ) : null}
      </Section>
      {pair.history ? <HistorySection history={pair.history} all={{ resource: 'duplicates', id: pair.id }} /> : null}
    </section>
  );
}
