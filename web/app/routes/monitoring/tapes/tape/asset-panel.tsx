import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { findTargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { ReactNode } from 'react';
import type { ExplainedAsset } from '../../../../commands/asset-list.server.ts';
import { DateText, Figure, Money, Percent, Unknown } from '../../../../components/figures/figures.tsx';
import { SidePanel } from '../../../../components/overlays/side-panel.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Facts } from '../../../../components/page/section.tsx';
import type { ShownCorrection } from '../corrections-of-row.server.ts';
import type { AssetsView } from '../tape-head.ts';
import { AssetInBase } from './asset-in-base.tsx';

const NOT_GIVEN = 'Not on the tape';
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The leaves of `targetData`: schema paths with their values. */
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
        <Percent value={points} digits="stored" /> {fixed ? codeLabel(fixed).toLowerCase() : ''}
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
  if (kind === 'percentage') return <Percent value={value as number} digits="stored" />;
  if (kind === 'date') return <DateText value={String(value)} />;
  if (kind === 'assetStatus' || kind === 'assetType') return <StatusChip status={String(value)} />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return <Figure value={value} zero="figure" />;
  return String(value);
}

/** Corrections made to the row before it became this asset. */
function Corrected({ corrections }: { corrections: readonly ShownCorrection[] }) {
  return (
    <>
      <h3 className="mt-6 mb-2 text-sm font-semibold">Corrected</h3>
      <ul className="space-y-3 text-sm">
        {corrections.map(({ at, by, acceptedBy, cells }) => (
          <li key={at}>
            {cells.map(({ header, before, after }) => (
              <p key={header} className="break-words">
                {header}: <del className="text-ink-3">{before || 'blank'}</del> {after || 'blank'}
              </p>
            ))}
            <p className="text-xs text-ink-3">
              {by ? `${by}, ` : ''}
              <DateText time value={at} />
              {acceptedBy ? `, accepted by ${acceptedBy}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Every field of one asset, its borrowing base result, and the sheet row it came from. */
export function AssetPanel({
  asset,
  shownBase,
  corrections,
  closeTo,
}: {
  asset: ExplainedAsset;
  /** The borrowing base whose result is shown. */
  shownBase: AssetsView['bases']['shown'];
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
      {asset.warnings.length > 0 ? (
        <Notice tone="warning">
          {asset.warnings.map(({ path, label, reason }) => (
            <p key={`${path} ${reason}`}>
              {label} {reason}.
            </p>
          ))}
        </Notice>
      ) : null}
      {asset.borrowingBase && shownBase ? (
        <AssetInBase result={asset.borrowingBase} explanation={asset.explanation} base={shownBase} />
      ) : null}
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
      {corrections.length > 0 ? <Corrected corrections={corrections} /> : null}
    </SidePanel>
  );
}
