import type { DuckDBConnection } from '@duckdb/node-api';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import { readParquet } from '@tapeline/lake/lake.ts';
import { tapeStatistics } from '@tapeline/lake/statistics.ts';
import { tapeWarnings } from '@tapeline/lake/tape-warnings.ts';
import type { CompiledMapping } from './compile/compile.ts';

/** What a generation says of the mapping that made its assets. */
export const manifestOf = (
  { columns, fields, hasUnstableIds }: CompiledMapping,
  mapping: { readonly id: string; readonly version: number },
): Pick<GenerationManifest, 'columns' | 'customFields' | 'mapping' | 'unstableIds'> => ({
  columns: columns.map(({ name }) => name),
  customFields: fields.filter(({ custom }) => custom).map(({ path, kind, label }) => ({ path, kind, label })),
  mapping: { id: mapping.id, version: mapping.version },
  ...(hasUnstableIds ? { unstableIds: true } : {}),
});

/** The statistics and warnings of the assets in a file. */
export async function statisticsOf(
  connection: DuckDBConnection,
  file: string,
  { columns, fields }: CompiledMapping,
): Promise<AssetStatistics> {
  const assets = readParquet([file]);
  return {
    ...(await tapeStatistics(connection, assets, new Set(columns.map(({ name }) => name)))),
    warnings: await tapeWarnings(connection, assets, fields),
  };
}
