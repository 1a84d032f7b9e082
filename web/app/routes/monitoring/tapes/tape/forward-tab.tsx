import { LinkButton } from '../../../../components/forms/button.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import { ChoiceBar } from '../choice-bar.tsx';
import type { ForwardView, TapeHead } from '../tape-head.ts';
import { ChooseEarlier, NothingEarlier } from './compared-with.tsx';
import { ForwardAssets } from './forward-assets.tsx';
import { ForwardChanges } from './forward-changes.tsx';
import { CurrencyTable, Moves, TotalTable, WithoutBalances } from './forward-lines.tsx';
import { ForwardPayments } from './forward-payments.tsx';

/** Why the balances of an earlier tape became those of this one, and which changes between them should not happen. */
export function ForwardTab({ head, view }: { head: TapeHead; view: ForwardView }) {
  const { against, rolled } = view;
  if (!against) {
    return (
      <Panel>
        <NothingEarlier head={head} purpose="A roll-forward explains the change since an earlier tape." />
      </Panel>
    );
  }
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
          {rolled.list ? <ForwardAssets list={rolled.list} pair={pair} explains={view.explains} /> : null}
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
      <ChooseEarlier choices={choices} against={against} kept={{ view: 'forward' }} />
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
