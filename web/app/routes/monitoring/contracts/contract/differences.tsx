import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { absolute, add, compare } from '@tapeline/domain/money/decimal.ts';
import { Waterfall, type WaterfallStep } from '../../../../components/charts/waterfall.tsx';
import { limitDigits, Name, Unknown } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { Chip } from '../../../../components/page/chip.tsx';
import { Columns } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import type { Trial } from '../trial.ts';

/** Changes that have a bar of their own. */
const MAX_BARS = 8;

/** What the draft changes on the tape, against the contract in force: the base rule by rule, limits, and assets. */
export function Differences({ trial, contract }: { trial: Trial; contract: ContractView }) {
  if (!trial.hasActive || contract.status === 'Active') return null;
  const changed = trial.statusChanges.reduce((sum, { assets }) => sum + assets, 0);
  return (
    <>
      <NetMovement trial={trial} />
      <Columns split="wide">
        <Limits trial={trial} />
        <StatusChanges trial={trial} total={changed} />
      </Columns>
      <ChangedAssets trial={trial} contract={contract} total={changed} />
    </>
  );
}

const PRESENCE = { both: '', added: ' (new)', removed: ' (removed)' } as const;

function NetMovement({ trial }: { trial: Trial }) {
  const net = trial.figures.find(({ key }) => key === 'netBB');
  if (!net?.active || !net.draft) return null;
  const largest = trial.movements
    .toSorted((a, b) => compare(absolute(b.change), absolute(a.change)))
    .slice(0, MAX_BARS);
  const others = trial.movements.filter((movement) => !largest.includes(movement));
  const rest = others.reduce((sum, { change }) => add(sum, change), '0');
  const steps: WaterfallStep[] = [
    { label: 'In force', value: net.active, kind: 'level' },
    ...trial.movements
      .filter((movement) => largest.includes(movement))
      .map(({ title, change }): WaterfallStep => ({ label: title, value: change, kind: 'change' })),
    ...(others.length > 0
      ? [{ label: formatCount(others.length, 'other step'), value: rest, kind: 'change' as const }]
      : []),
    { label: 'This version', value: net.draft, kind: 'level', tone: 'result' },
  ];
  return (
    <>
      {trial.movements.length > 0 ? (
        <Waterfall
          title="How the net borrowing base changes"
          note={trial.currency}
          currency={trial.currency}
          steps={steps}
        />
      ) : null}
      <TableSection
        title="Change by rule"
        note={`${trial.currency}, each asset counted under the first rule it fails`}
        narrow="list"
        caption="Change of the net borrowing base by rule"
        rows={trial.movements}
        rowKey={({ stage, title }) => `${stage} ${title}`}
        empty={<p className="p-4 text-sm text-ink-2">No rule changes the net borrowing base on this tape.</p>}
        columns={[
          {
            head: 'Rule',
            cell: ({ title, presence }) => (
              <>
                <Name length={44}>{title}</Name>
                {PRESENCE[presence]}
              </>
            ),
            total: 'Net borrowing base',
          },
          { head: 'Stage', quiet: true, cell: ({ stage }) => stage, total: '' },
          { head: 'Change', money: ({ change }) => change, total: net.change },
        ]}
      />
    </>
  );
}

const UNMEASURED = 'Not part of this contract, or nothing is measured';

function Limits({ trial }: { trial: Trial }) {
  const digits = limitDigits(trial.limits.map(({ unit, draft }) => ({ unit, limit: draft?.limit ?? null })));
  return (
    <TableSection
      title="Concentration by rule"
      note="measured, in force and in this version"
      narrow="list"
      rows={trial.limits}
      rowKey={({ title }) => title}
      empty={<p className="p-4 text-sm text-ink-2">Neither contract has a concentration limit that applies.</p>}
      columns={[
        { head: 'Rule', name: ({ title }) => title, length: 40 },
        {
          head: 'In force',
          measured: ({ unit, active }) => ({ unit, value: active?.measured, digits }),
          quiet: true,
          unknown: UNMEASURED,
        },
        {
          head: 'This version',
          measured: ({ unit, draft }) => ({ unit, value: draft?.measured, digits }),
          unknown: UNMEASURED,
        },
        { head: 'Limit', measured: ({ unit, draft }) => ({ unit, value: draft?.limit, digits }), unknown: UNMEASURED },
        {
          head: `Excess (${trial.currency})`,
          money: ({ draft }) => draft?.excess ?? null,
          unknown: 'Not part of this version',
        },
        {
          head: 'Status',
          cell: ({ draft }) =>
            draft === null ? 'Removed' : draft.breached ? <Chip tone="danger">In breach</Chip> : <Chip>Within</Chip>,
        },
      ]}
    />
  );
}

function StatusChanges({ trial, total }: { trial: Trial; total: number }) {
  return (
    <TableSection
      title="Changes of status"
      note={formatCount(total, 'asset')}
      rows={trial.statusChanges}
      rowKey={({ from, to }) => `${from} ${to}`}
      empty={<p className="p-4 text-sm text-ink-2">No assets change status.</p>}
      columns={[
        { head: 'From', cell: ({ from }) => codeLabel(from), total: 'All' },
        { head: 'To', cell: ({ to }) => codeLabel(to), total: '' },
        { head: 'Assets', figure: ({ assets }) => assets, total },
      ]}
    />
  );
}

function ChangedAssets({ trial, contract, total }: { trial: Trial; contract: ContractView; total: number }) {
  const { changedAssets: assets } = trial;
  if (assets.length === 0) return null;
  const file = (format: 'csv' | 'xlsx') => paths.contractTrial(contract.id, { tape: trial.tape.id, format });
  return (
    <TableSection
      title="Assets that change status"
      note={
        assets.length < total ? `the first ${assets.length} of ${formatFigure(total)}` : formatCount(total, 'asset')
      }
      more={
        <span className="flex gap-3">
          {(['xlsx', 'csv'] as const).map((format) => (
            <a key={format} href={file(format)} className="tap-text font-medium text-accent hover:underline">
              {format === 'xlsx' ? 'Export to Excel' : 'Export to CSV'}
            </a>
          ))}
        </span>
      }
      rows={assets.map((asset, index) => ({ ...asset, index }))}
      rowKey={({ index }) => String(index)}
      columns={[
        { head: 'Asset', cell: ({ assetId }) => assetId ?? <Unknown reason="It has no asset id" /> },
        { head: 'From', cell: ({ from }) => codeLabel(from) },
        { head: 'To', cell: ({ to }) => codeLabel(to) },
        { head: `Amount (${trial.currency})`, money: ({ amount }) => amount },
      ]}
    />
  );
}
