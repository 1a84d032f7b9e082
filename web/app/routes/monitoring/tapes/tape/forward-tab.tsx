import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import { ChoiceBar, ChoiceField, ChoiceForm } from '../choice-bar.tsx';
import type { ForwardView, TapeHead } from '../tape-head.ts';
import { ForwardAssets } from './forward-assets.tsx';
import { ForwardChanges } from './forward-changes.tsx';
import { CurrencyTable, Moves, TotalTable, WithoutBalances } from './forward-lines.tsx';
import { ForwardPayments } from './forward-payments.tsx';

/** Why the balances of an earlier tape became those of this one, and which changes between them should not happen. */
export function ForwardTab({ head, view }: { head: TapeHead; view: ForwardView }) {
  const { against, rolled } = view;
  if (!against) return <Nothing head={head} />;
  const pair = { tapeId: head.id, against: against.id, before: against.cutOffDate, after: head.cutOffDate };
  return (
    <>
      <Pair head={head} view={view} against={against} hasFigures={rolled !== null} />
      {rolled ? (
        <>
          {rolled.forward.currencies.map((roll) => (
            <CurrencyTable key={roll.currency} roll={roll} pair={pair} />
          ))}
          <WithoutBalances forward={rolled.forward} pair={pair} />
          {rolled.total ? <TotalTable total={rolled.total} pair={pair} /> : null}
          <Moves currencies={rolled.forward.currencies} pair={pair} />
          <ForwardChanges rolled={rolled} pair={pair} />
          {rolled.list ? <ForwardAssets list={rolled.list} pair={pair} /> : null}
          <ForwardPayments payments={rolled.payments} pair={pair} />
        </>
      ) : (
        <Panel>
          <EmptyState title="The two tapes cannot be compared">
            Both tapes need the fields “Asset id” and “Current balance”. Add rules for the missing fields to the
            mapping.
          </EmptyState>
        </Panel>
      )}
    </>
  );
}

function Nothing({ head }: { head: TapeHead }) {
  return (
    <Panel>
      {head.hasUnstableIds ? (
        <EmptyState title="This tape cannot be compared">
          Its ids are row numbers, so its assets cannot be found on another tape.
        </EmptyState>
      ) : (
        <EmptyState title="No earlier tape to compare with">
          A roll-forward explains the change since an earlier tape. Upload another tape of {head.company.name} with an
          earlier cut-off date.
        </EmptyState>
      )}
    </Panel>
  );
}

const FILES = [
  { part: 'lines', label: 'Excel' },
  { part: 'assets', label: 'Assets in Excel' },
  { part: 'changes', label: 'Changes in Excel' },
] as const;

function Pair({
  head,
  view: { choices },
  against,
  hasFigures,
}: {
  head: TapeHead;
  view: ForwardView;
  against: { readonly id: string };
  hasFigures: boolean;
}) {
  return (
    <ChoiceBar>
      {choices.length > 1 ? (
        <ChoiceForm kept={{ view: 'forward' }} submit="Compare">
          <ChoiceField label="Compared with">
            {(field) => (
              <Select
                {...field}
                key={against.id}
                name="against"
                defaultValue={against.id}
                choices={choices.map((choice) => ({
                  value: choice.id,
                  label: `${formatCalendarDate(choice.cutOffDate)} · ${choice.name}`,
                }))}
              />
            )}
          </ChoiceField>
        </ChoiceForm>
      ) : null}
      {hasFigures ? (
        <div className="ml-auto flex flex-wrap gap-2 sm:mt-5">
          {FILES.map(({ part, label }) => (
            <LinkButton
              key={part}
              external
              to={paths.tapeForwardFile(head.id, { against: against.id, part, format: 'xlsx' })}
            >
              {label}
            </LinkButton>
          ))}
          <LinkButton external to={paths.analyticsFile('rollForward', { loanTapeId: head.id, against: against.id })}>
            CSV
          </LinkButton>
        </div>
      ) : null}
    </ChoiceBar>
  );
}
