import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { VERDICT_LABELS, type Verdict } from '@tapeline/domain/duplicates/evidence.ts';
import { CERTAINTY_LABELS, DECISION_LABELS } from '@tapeline/domain/duplicates/rules.ts';
import { ChevronDown, ChevronUp, type LucideIcon, X } from 'lucide-react';
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
import { CERTAINTY_TONES, DECISION_TONES, listSearchOf, uncounted } from './duplicate-words.ts';
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

const CELL = 'border-t border-line px-3 py-1.5 text-left align-top max-sm:px-2';

const STEP = 'inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover max-sm:size-10';

function Step({ to, label, icon: Icon }: { to: string | null; label: string; icon: LucideIcon }) {
  return to === null ? null : (
    <Link to={to} aria-label={label} preventScrollReset className={STEP}>
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
    </Link>
  );
}

/** The position of the pair among those to decide, with links to the previous and the next one. */
function Place({ pair: { place, list } }: { pair: Pair }) {
  const search = listSearchOf(list);
  const to = (id: string | null | undefined) => (id ? paths.duplicate(id, search) : null);
  return (
    <span className="ml-auto flex items-center gap-0.5 text-xs text-ink-2">
      {place ? (
        <span className="mr-1.5">
          {place.position} of {place.total}
        </span>
      ) : null}
      <Step to={to(place?.previous)} label="Previous pair" icon={ChevronUp} />
      <Step to={to(place?.next)} label="Next pair" icon={ChevronDown} />
      <Step to={paths.duplicates(search)} label="Back to the list" icon={X} />
    </span>
  );
}

/** "4 equal, 2 near, 1 in one only". */
const evidenceCounts = ({ evidence }: Pair): string =>
  Object.entries(VERDICT_LABELS)
    .map(([verdict, label]) => ({ label, count: evidence.filter((fact) => fact.verdict === verdict).length }))
    .flatMap(({ label, count }) => (count > 0 ? [`${count} ${label.toLowerCase()}`] : []))
    .join(', ');

/** ", both tapes of 31 Oct 2026"; nothing if their days differ, which the table shows. */
function tapesText({ sides: [first, second] }: Pair): string {
  const day = first.tape.cutOffDate;
  if (day === null || day !== second.tape.cutOffDate) return '';
  return first.tape.id === second.tape.id
    ? `, on the tape of ${formatCalendarDate(day)}`
    : `, both tapes of ${formatCalendarDate(day)}`;
}

/** "the same obligor, near amounts and the same rate". */
const inWords = (reasons: readonly string[]): string =>
  reasons.length > 1 ? `${reasons.slice(0, -1).join(', ')} and ${reasons.at(-1)}` : reasons.join('');

function EvidenceTable({ pair }: { pair: Pair }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Evidence, both loans side by side</caption>
        <thead>
          <tr className="text-left">
            <td className="px-3 py-1.5 max-sm:px-2" />
            {pair.sides.map(({ company, tape }, index) => (
              <th key={index === 0 ? 'first' : 'second'} scope="col" className="px-3 py-1.5 font-[550] max-sm:px-2">
                {company}
                <Link to={paths.tape(tape.id)} className="block text-xs font-normal text-accent hover:underline">
                  {tape.name}
                  {tape.cutOffDate ? `, ${formatCalendarDate(tape.cutOffDate)}` : ''}
                </Link>
              </th>
            ))}
            <th scope="col" className="px-3 py-1.5 font-medium text-ink-3 max-sm:px-2">
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
              <td className={`${CELL} sm:whitespace-nowrap`}>
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
                <Unknown reason={uncounted(pair.hasLeft)} />
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
  const counts = evidenceCounts(pair);
  return (
    <section aria-label="Pair of loans" className="min-w-0 rounded-lg border border-line bg-paper px-5 py-4">
      <div className="mb-2 flex items-center gap-2">
        <Chip dot tone={CERTAINTY_TONES[pair.certainty] ?? 'neutral'}>
          {CERTAINTY_LABELS[pair.certainty]}
        </Chip>
        <Chip>{pair.isOfOneBorrower ? 'One borrower' : 'Two borrowers'}</Chip>
        <Place pair={pair} />
      </div>
      <h1 className="text-lg leading-6 font-[620] break-words xl:hidden">{titleOf(pair)}</h1>
      <h2 className="text-lg leading-6 font-[620] break-words max-xl:hidden">{titleOf(pair)}</h2>
      <p className="mb-5 text-sm text-ink-2">
        Found <DateText value={pair.foundAt} />
        {tapesText(pair)}
      </p>
      <ActionProblems answer={answer} />
      <Section title="Evidence" note={counts}>
        <EvidenceTable pair={pair} />
        {pair.reasons.length > 0 ? (
          <p className="mt-2 text-sm text-ink-2">
            <span className="font-[550] text-ink">{CERTAINTY_LABELS[pair.certainty]}</span>, because of{' '}
            {inWords(pair.reasons)}.
          </p>
        ) : null}
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
            <DecisionFields
              submit="Record the decision"
              skipTo={pair.place?.next ? paths.duplicate(pair.place.next, listSearchOf(pair.list)) : null}
            />
          </PostForm>
        ) : null}
      </Section>
      {pair.history ? <HistorySection history={pair.history} all={{ resource: 'duplicates', id: pair.id }} /> : null}
    </section>
  );
}
