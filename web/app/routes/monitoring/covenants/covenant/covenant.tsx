import { Link, useActionData, useLoaderData, useOutletContext } from '@remix-run/react';
import { COVENANT_STATE_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { ChevronDown, ChevronUp, type LucideIcon, X } from 'lucide-react';
import { classNames } from '../../../../components/class-names.ts';
import { DateText } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ConfirmedAction } from '../../../../components/overlays/confirmed-action.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type ActionAnswer, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { STATE_TONES } from '../covenant-tones.ts';
import { Consequences, Waivers } from './breach.tsx';
import { type CovenantPage, changeCovenant, readCovenant } from './covenant-page.server.ts';
import { ResultHistory } from './result-history.tsx';
import { ResultTable } from './result-table.tsx';

const titleOf = ({ title, company }: Pick<CovenantPage, 'title' | 'company'>): string => `${title}, ${company}`;

export const handle = {
  title: titleOf,
  crumbs: (covenant: CovenantPage) => [{ label: titleOf(covenant) }],
};

export const loader = readScreen('transactions/read', readCovenant);

export const action = changeCovenant;

interface Listed {
  readonly ids: readonly string[];
  readonly search: Record<string, string | null>;
}

const STEP = 'inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover max-sm:size-10';

const Step = ({ to, label, icon: Icon }: { to: string | null; label: string; icon: LucideIcon }) =>
  to === null ? null : (
    <Link to={to} aria-label={label} preventScrollReset className={STEP}>
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
    </Link>
  );

/** The position of the covenant in the list, with links to the previous and the next one. */
function Place({ id, listed: { ids, search } }: { id: string; listed: Listed }) {
  const at = ids.indexOf(id);
  const to = (index: number) => {
    const other = at < 0 ? undefined : ids[index];
    return other === undefined ? null : paths.covenant(other, search);
  };
  return (
    <span className="ml-auto flex items-center gap-0.5 text-xs text-ink-2">
      {at < 0 ? null : (
        <span className="mr-1.5">
          {at + 1} of {ids.length}
        </span>
      )}
      <Step to={to(at - 1)} label="Previous covenant" icon={ChevronUp} />
      <Step to={to(at + 1)} label="Next covenant" icon={ChevronDown} />
      <Step to={paths.covenants(search)} label="Back to the list" icon={X} />
    </span>
  );
}

function Limits({ covenant }: { covenant: CovenantPage }) {
  return (
    <Section
      title="Limit by date"
      note={covenant.warningDistance === null ? null : `warning from ${covenant.warningDistance} before it`}
    >
      <ol className="grid auto-cols-fr grid-flow-col overflow-hidden rounded-lg border border-line text-sm">
        {covenant.limits.map(({ from, label, limit, isCurrent }) => (
          <li
            key={from}
            aria-current={isCurrent ? 'true' : undefined}
            className={classNames(
              'border-t-2 border-l border-l-line px-3 py-1.5 first:border-l-0',
              isCurrent ? 'border-t-accent bg-selected' : 'border-t-transparent',
            )}
          >
            <span className="block text-xs text-ink-2">{label}</span>
            <span className={classNames('figures', isCurrent && 'font-semibold')}>{limit}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Clause({ covenant }: { covenant: CovenantPage }) {
  const { clause, clauseText, formula, springs } = covenant;
  return (
    <Section title={clause ? `Credit agreement, clause ${clause}` : 'What is tested'}>
      {clauseText ? (
        <blockquote className="mb-2 border-l-2 border-line-strong pl-3 text-sm break-words whitespace-pre-line text-ink-2">
          {clauseText}
        </blockquote>
      ) : null}
      <p className="font-mono text-xs break-words">{formula}</p>
      {springs ? <p className="mt-1 text-xs break-words text-ink-2">It applies only while {springs}.</p> : null}
    </Section>
  );
}

function Actions({ covenant }: { covenant: CovenantPage }) {
  const { id, may, title, version, isActive, test } = covenant;
  if (!may.change) return null;
  return (
    <div className="border-t border-line pt-4">
      {may.waive || may.cure ? (
        <>
          <div className="grid auto-cols-fr grid-flow-col gap-2">
            {may.waive ? <LinkButton to={paths.waiveCovenant(id)}>Waive</LinkButton> : null}
            {may.cure ? (
              <LinkButton to={paths.cureCovenant(id)} tone="primary">
                Record cure
              </LinkButton>
            ) : null}
          </div>
          {may.waive ? (
            <p className="mt-1.5 text-center text-xs text-ink-2">A waiver needs a reason and a second person.</p>
          ) : null}
        </>
      ) : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <LinkButton to={paths.editCovenant(id)}>Edit</LinkButton>
        {may.testAgain ? (
          <ConfirmedAction
            asks="testAgain"
            intent="testAgain"
            label="Test again"
            title={`Test ${title} again?`}
            consequence={`The test${test ? ` of ${formatCalendarDate(test.date)}` : ''} is made from the figures that are known now. Its result is replaced; the earlier one stays in the list of results. People are told if it is breached.`}
            confirm="Test again"
            tone="primary"
          />
        ) : null}
        {isActive ? (
          <ConfirmedAction
            asks="end"
            intent="end"
            values={{ version: String(version) }}
            label="End"
            title={`End ${title}?`}
            consequence="It is not tested any more, and its consequences for draws end. Its results stay."
            confirm="End covenant"
          />
        ) : (
          <ConfirmedAction
            asks="reopen"
            intent="reopen"
            values={{ version: String(version) }}
            label="Begin again"
            title={`Test ${title} again from now on?`}
            consequence="The tests whose dates have passed are made, and a breach has its consequences again."
            confirm="Begin again"
            tone="primary"
          />
        )}
        <ConfirmedAction
          asks="remove"
          intent="remove"
          label="Remove"
          title={`Remove ${title}?`}
          consequence="The covenant, its results and its consequences for draws are removed. End it instead to keep its results."
          confirm="Remove covenant"
        />
      </div>
    </div>
  );
}

/** A covenant beside the list; instead of the list on a narrow screen. */
export default function CovenantPanel() {
  const covenant = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const listed = useOutletContext<Listed>();
  const { id, title, company, note, state, stateNote, test, periods, frequency, isActive, transactionId } = covenant;
  const name = titleOf({ title, company });
  return (
    <section aria-label="Covenant" className="min-w-0 rounded-lg border border-line bg-paper px-5 py-4">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Chip dot tone={STATE_TONES[state]}>
          {COVENANT_STATE_LABELS[state]}
        </Chip>
        <Chip>{frequency}</Chip>
        {isActive ? null : <Chip>Ended</Chip>}
        <Place id={id} listed={listed} />
      </div>
      <h1 className="text-lg leading-6 font-[620] break-words min-[1400px]:hidden">{name}</h1>
      <h2 className="text-lg leading-6 font-[620] break-words max-[1399px]:hidden">{name}</h2>
      <p className="mb-5 text-sm text-ink-2">
        <Link to={paths.transaction(transactionId)} className="tap-text hover:text-accent hover:underline">
          {note}
        </Link>
        {periods > 1 ? ` · average of ${formatCount(periods, 'period')}` : ''} ·{' '}
        {test ? (
          <>
            test of <DateText value={test.date} />
          </>
        ) : (
          <>
            first test <DateText value={covenant.nextTest} />
          </>
        )}
        {stateNote ? ` · ${stateNote}` : ''}
      </p>
      <ActionProblems answer={answer} />
      {test ? (
        <ResultTable
          test={test}
          enterTo={covenant.may.change ? paths.newFacilityFigure({ company: covenant.companyId }) : null}
        />
      ) : null}
      <Limits covenant={covenant} />
      <Clause covenant={covenant} />
      <Consequences covenant={covenant} />
      <Waivers waivers={covenant.waivers} mayChange={covenant.may.change} />
      <ResultHistory results={covenant.results} />
      <Actions covenant={covenant} />
    </section>
  );
}
