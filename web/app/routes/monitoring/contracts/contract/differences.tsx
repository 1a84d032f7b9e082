import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { absolute, add, compare } from '@tapeline/domain/money/decimal.ts';
import { Waterfall, type WaterfallStep } from '../../../../components/charts/waterfall.tsx';
import { Figure, Money, Name, Percent, Unknown } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { Chip } from '../../../../components/page/chip.tsx';
import { Columns, Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import type { Trial, TrialLimit } from '../trial.ts';

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
      <Section title="Change by rule" note={`${trial.currency}, each asset counted under the first rule it fails`}>
        <Panel>
          <DataTable
            narrow="list"
            caption="Change of the net borrowing base by rule"
            rows={trial.movements}
            rowKey={({ stage, title }) => `${stage} ${title}`}
            empty={<p className="p-4 text-sm text-ink-2">No rule changes the net borrowing base on this tape.</p>}
            columns={[
              {
                key: 'rule',
                head: 'Rule',
                cell: ({ title, presence }) => (
                  <>
                    <Name length={44}>{title}</Name>
                    {PRESENCE[presence]}
                  </>
                ),
                total: 'Net borrowing base',
              },
              { key: 'stage', head: 'Stage', quiet: true, cell: ({ stage }) => stage, total: '' },
              {
                key: 'change',
                head: 'Change',
                numeric: true,
                cell: ({ change }) => <Money value={change} />,
                total: <Money value={net.change} />,
              },
            ]}
          />
        </Panel>
      </Section>
    </>
  );
}

const measure = (unit: TrialLimit['unit'], value: string | null | undefined) =>
  value == null ? (
    <Unknown reason="Not part of this contract, or nothing is measured" />
  ) : unit === 'percent' ? (
    <Percent value={value} zero="figure" />
  ) : unit === 'money' ? (
    <Money value={value} zero="figure" />
  ) : (
    <Figure value={value} digits={2} zero="figure" />
  );

function Limits({ trial }: { trial: Trial }) {
  return (
    <Section title="Concentration by rule" note="measured, in force and in this version">
      <Panel>
        <DataTable
          narrow="list"
          caption="Concentration by rule"
          rows={trial.limits}
          rowKey={({ title }) => title}
          empty={<p className="p-4 text-sm text-ink-2">Neither contract has a concentration limit that applies.</p>}
          columns={[
            { key: 'title', head: 'Rule', cell: ({ title }) => <Name length={40}>{title}</Name> },
            {
              key: 'was',
              head: 'In force',
              numeric: true,
              quiet: true,
              cell: ({ unit, active }) => measure(unit, active?.measured),
            },
            {
              key: 'is',
              head: 'This version',
              numeric: true,
              cell: ({ unit, draft }) => measure(unit, draft?.measured),
            },
            { key: 'limit', head: 'Limit', numeric: true, cell: ({ unit, draft }) => measure(unit, draft?.limit) },
            {
              key: 'excess',
              head: `Excess (${trial.currency})`,
              numeric: true,
              cell: ({ draft }) => <Money value={draft?.excess ?? null} unknown="Not part of this version" />,
            },
            {
              key: 'state',
              head: 'Status',
              cell: ({ draft }) =>
                draft === null ? (
                  'Removed'
                ) : draft.breached ? (
                  <Chip tone="danger">In breach</Chip>
                ) : (
                  <Chip>Within</Chip>
                ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

function StatusChanges({ trial, total }: { trial: Trial; total: number }) {
  return (
    <Section title="Changes of status" note={formatCount(total, 'asset')}>
      <Panel>
        <DataTable
          caption="Changes of status"
          rows={trial.statusChanges}
          rowKey={({ from, to }) => `${from} ${to}`}
          empty={<p className="p-4 text-sm text-ink-2">No assets change status.</p>}
          columns={[
            { key: 'from', head: 'From', cell: ({ from }) => codeLabel(from), total: 'All' },
            { key: 'to', head: 'To', cell: ({ to }) => codeLabel(to), total: '' },
            {
              key: 'assets',
              head: 'Assets',
              numeric: true,
              cell: ({ assets }) => <Figure value={assets} />,
              total: <Figure value={total} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

function ChangedAssets({ trial, contract, total }: { trial: Trial; contract: ContractView; total: number }) {
  const { changedAssets: assets } = trial;
  if (assets.length === 0) return null;
  const file = (format: 'csv' | 'xlsx') => paths.contractTrial(contract.id, { tape: trial.tape.id, format });
  return (
    <Section
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
    >
      <Panel>
        <DataTable
          caption="Assets that change status"
          rows={assets.map((asset, place) => ({ ...asset, place }))}
          rowKey={({ place }) => String(place)}
          columns={[
            { key: 'asset', head: 'Asset', cell: ({ assetId }) => assetId ?? <Unknown reason="It has no asset id" /> },
            { key: 'from', head: 'From', cell: ({ from }) => codeLabel(from) },
            { key: 'to', head: 'To', cell: ({ to }) => codeLabel(to) },
            {
              key: 'amount',
              head: `Amount (${trial.currency})`,
              numeric: true,
              cell: ({ amount }) => <Money value={amount} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
