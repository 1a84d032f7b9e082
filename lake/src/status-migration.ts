import type { ClosingStatus, OpeningStatus, StatusMove } from '@tapeline/domain/pools/status-migration.ts';
import type { TapeFiles } from './asset-relation.ts';
import type { Lake } from './lake.ts';
import { movements, type TapePair } from './movements.ts';
import { NO_STATUS } from './statistics.ts';
import { holdsColumn, tapeColumn } from './tape-columns.ts';

const statusOf = (source: TapeFiles): string => `coalesce(${tapeColumn(source, 'assetStatus')}, '${NO_STATUS}')`;

/**
 * How the assets of the earlier tape moved between statuses, by asset id; null if either tape has no ids or no
 * statuses.
 */
export async function statusMigration(lake: Lake, pair: TapePair): Promise<StatusMove[] | null> {
  const canTell = [pair.before, pair.after].every(
    (source) => holdsColumn(source, 'assetId') && holdsColumn(source, 'assetStatus'),
  );
  return canTell ? movements<OpeningStatus, ClosingStatus>(lake, pair, statusOf) : null;
}
