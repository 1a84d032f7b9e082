import { Form, Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { NO_BALANCE } from '@tapeline/domain/facilities/position-labels.ts';
import { Money, ShortNumber } from '../../../../components/figures/figures.tsx';
import { Button } from '../../../../components/forms/button.tsx';
import { FoundCounts, isSearched, SearchBox } from '../../../../components/forms/choice-search.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { TableSkeleton } from '../../../../components/page/skeleton.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import { describeSwitches, type Trial } from '../trial.ts';
import { EffectNotice } from './effect-notice.tsx';
import type { TrialState } from './use-trial.ts';

/** The contract's figures on a published tape next to those of the contract in force. */
export function OnTape({ contract, state }: { contract: ContractView; state: TrialState }) {
  const { trial, problem } = state.answer ?? { trial: null, problem: null };
  const cutOff = contract.tapes.find((tape) => tape.id === contract.tapeId)?.cutOffDate;
  const isInForce = contract.status === 'Active';
  return (
    <Section
      title={contract.isLatestTape ? 'On the latest tape' : 'On a tape'}
      note={
        cutOff
          ? `${formatCalendarDate(cutOff)}${contract.before && !isInForce ? `, against v${contract.before.revision}` : ''}`
          : undefined
      }
    >
      {trial ? (
        <Figures trial={trial} contract={contract} />
      ) : (
        <Waiting contract={contract} state={state} problem={problem} />
      )}
      {trial?.hasActive && !isInForce ? (
        <p className="mt-2 text-xs text-ink-3">{describeSwitches(trial.statusChanges)}</p>
      ) : null}
      {trial ? (
        <div className="mt-3">
          <EffectNotice warnings={trial.warnings} lead="Worth a look on this tape" />
        </div>
      ) : null}
      {trial?.hasActive && !isInForce && contract.canWrite ? (
        <p className="no-print mt-2 text-xs">
          <Link
            to={paths.newScenario({ contract: contract.id, tape: contract.tapeId ?? undefined })}
            className="tap-text font-medium text-accent hover:underline"
          >
            What if, side by side
          </Link>
        </p>
      ) : null}
      {contract.tapeCounts.total > 1 ? <TapePicker contract={contract} /> : null}
    </Section>
  );
}

function Waiting({ contract, state, problem }: { contract: ContractView; state: TrialState; problem: string | null }) {
  const hydrated = useHydrated();
  if (problem) return <Quiet>{problem}</Quiet>;
  if (contract.tapes.length === 0)
    return <Quiet>This borrower has no published tape. Upload one to test the contract.</Quiet>;
  if (hydrated || state.isAsking) return <TableSkeleton rows={6} columns={4} />;
  return (
    <Quiet>
      <Link
        to={paths.contract(contract.id, { tab: contract.section, tape: contract.tapeId ?? undefined, try: 'yes' })}
        className="font-medium text-accent hover:underline"
      >
        Preview with the tape
      </Link>
    </Quiet>
  );
}

function Quiet({ children }: { children: React.ReactNode }) {
  return (
    <Panel padded>
      <div role="status" className="text-sm text-ink-2">
        {children}
      </div>
    </Panel>
  );
}

function Figures({ trial, contract }: { trial: Trial; contract: ContractView }) {
  const compares = trial.hasActive && contract.status !== 'Active';
  const unknown = (key: string) => (key === 'availability' ? NO_BALANCE : 'Not known');
  return (
    <Panel>
      <DataTable
        caption="Contract results on the tape"
        rows={trial.figures}
        rowKey={(row) => row.key}
        columns={[
          { head: trial.currency, cell: (row) => row.label },
          ...(compares
            ? [
                {
                  head: 'In force',
                  short: (row: Trial['figures'][number]) => row.active,
                  quiet: true,
                  unknown: (row: Trial['figures'][number]) => unknown(row.key),
                },
              ]
            : []),
          {
            head: `v${contract.revision}`,
            numeric: true,
            cell: (row) =>
              compares ? (
                <ShortNumber value={row.draft} unknown={unknown(row.key)} />
              ) : (
                <Money value={row.draft} unknown={unknown(row.key)} />
              ),
          },
          ...(compares
            ? [
                {
                  head: 'Change',
                  short: (row: Trial['figures'][number]) => row.change,
                  unknown: 'One of the two values is not available',
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

const TAPES = ['tape', 'tapes'] as const;

function TapePicker({ contract }: { contract: ContractView }) {
  return (
    <Form method="get" className="no-print mt-3 flex flex-wrap items-end gap-2" preventScrollReset>
      <input type="hidden" name="tab" value={contract.section} />
      <label htmlFor="contract-tape" className="min-w-0 flex-1 text-xs font-medium text-ink-2">
        Preview with another tape
        <Select
          id="contract-tape"
          name="tape"
          defaultValue={contract.tapeId ?? ''}
          key={contract.tapeId}
          className="mt-1 font-normal"
          choices={contract.tapes.map((tape) => ({
            value: tape.id,
            label: `${formatCalendarDate(tape.cutOffDate)} · ${tape.name}`,
          }))}
        />
      </label>
      <Button type="submit">Test</Button>
      {isSearched(contract.tapeCounts) ? (
        <div className="flex w-full flex-wrap items-center gap-2">
          <SearchBox
            key={contract.tapeCounts.search}
            id="contract-find-tape"
            name="findTape"
            noun={TAPES}
            search={contract.tapeCounts.search}
          />
          <Button type="submit">Find</Button>
          <FoundCounts counts={contract.tapeCounts} noun={TAPES} />
        </div>
      ) : null}
    </Form>
  );
}
