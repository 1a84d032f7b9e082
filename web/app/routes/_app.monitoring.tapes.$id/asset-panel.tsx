import type { AssetDocument } from '@tapeline/db/lake/asset-document.ts';
import { findTargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { ReactNode } from 'react';
import { DateText, Figure, Money, Percent, Unknown } from '../../components/figures/figures.tsx';
import { SidePanel } from '../../components/overlays/side-panel.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { Facts } from '../../components/page/section.tsx';
import { humanize } from '../../figures/format.ts';
import type { ShownCorrection } from '../../tapes/corrections-of-row.server.ts';

const NOT_GIVEN = 'Not given on the tape';
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The leaves of `targetData`: paths of the schema to their values. */
function leavesOf(data: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(data).flatMap(([key, value]): [string, unknown][] => {
    const path = prefix + key;
    return findTargetField(path) || !isRecord(value) ? [[path, value]] : leavesOf(value, `${path}.`);
  });
}

function write(path: string, value: unknown): ReactNode {
  const kind = findTargetField(path)?.kind;
  if (value === null || value === undefined) return <Unknown reason={NOT_GIVEN} />;
  if (isRecord(value) && 'sum' in value) return <Money value={value as never} withCurrency />;
  if (kind === 'interest' && isRecord(value)) {
    const { value: points, kind: fixed } = value as { value: number; kind: string | null };
    return (
      <>
        <Percent value={points} /> {fixed ? humanize(fixed === 'fix' ? 'fixed' : fixed).toLowerCase() : ''}
      </>
    );
  }
  if (kind === 'term' && isRecord(value)) {
    const { value: length, unit } = value as { value: number; unit: string | null };
    return (
      <>
        <Figure value={length} zero="figure" /> {unit ?? ''}
      </>
    );
  }
  if (kind === 'percentage') return <Percent value={value as number} />;
  if (kind === 'date') return <DateText value={String(value)} />;
  if (kind === 'assetStatus' || kind === 'assetType') return <StatusChip status={String(value)} />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return <Figure value={value} zero="figure" />;
  return String(value);
}

const RESULTS: Readonly<Record<string, string>> = {
  status: 'Status',
  scope: 'Scope',
  amount: 'Amount',
  excessRemoved: 'Excess removed',
  remaining: 'Remaining amount',
  rate: 'Advance rate',
  advanced: 'Advanced amount',
};

function writeResult(name: string, value: unknown): ReactNode {
  if (value === null || value === undefined) return <Unknown reason="Not part of the pool" />;
  if (name === 'status') return <StatusChip status={String(value)} />;
  if (name === 'scope') return String(value);
  if (name === 'rate') return <Percent value={String(value)} />;
  return <Money value={String(value)} />;
}

/** What somebody corrected of the row before it became this asset. */
function Corrected({ corrections }: { corrections: readonly ShownCorrection[] }) {
  return (
    <>
      <h3 className="mt-6 mb-2 text-sm font-semibold">Corrected</h3>
      <ul className="space-y-3 text-sm">
        {corrections.map(({ at, by, cells }) => (
          <li key={at}>
            {cells.map(({ header, before, after }) => (
              <p key={header} className="break-words">
                {header}: <del className="text-ink-3">{before || 'blank'}</del> {after || 'blank'}
              </p>
            ))}
            <p className="text-xs text-ink-3">
              {by ? `${by}, ` : ''}
              <DateText time value={at} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Every field of one asset, what the borrowing base makes of it, and the sheet row it came from. */
export function AssetPanel({
  asset,
  corrections,
  closeTo,
}: {
  asset: AssetDocument;
  corrections: readonly ShownCorrection[];
  closeTo: string;
}) {
  const leaves = leavesOf(asset.targetData);
  const customs = Object.entries(asset.metadata.customFields);
  return (
    <SidePanel title={String(asset.targetData.assetId ?? asset.id)} closeTo={closeTo}>
      <p className="mb-4 text-xs text-ink-3">
        Sheet row {asset.rowNumber} · mapping v{asset.assetsETLVersion} · cut-off <DateText value={asset.cutOffDate} />
      </p>
      <Facts
        items={leaves.map(([path, value]) => ({
          label: findTargetField(path)?.label ?? path,
          value: write(path, value),
        }))}
      />
      {customs.length > 0 ? (
        <>
          <h3 className="mt-6 mb-2 text-sm font-semibold">Custom fields</h3>
          <Facts items={customs.map(([name, value]) => ({ label: name, value: write(name, value) }))} />
        </>
      ) : null}
      {asset.borrowingBase ? (
        <>
          <h3 className="mt-6 mb-2 text-sm font-semibold">In the borrowing base</h3>
          <Facts
            items={Object.entries(RESULTS).map(([name, label]) => ({
              label,
              value: writeResult(name, asset.borrowingBase?.[name]),
            }))}
          />
        </>
      ) : null}
      {corrections.length > 0 ? <Corrected corrections={corrections} /> : null}
    </SidePanel>
  );
}
