import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/rule-suggestion.ts';
import { currencyOfTape, suggestMapping } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import type { CellProblem } from '@tapeline/domain/tapes/tape.schema.ts';
import { openLake, readParquet } from '@tapeline/lake/lake.ts';
import { fromLake, type LakeValue } from '@tapeline/lake/values.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import { inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { previewMapping } from '../../preview/preview-mapping.ts';
import { compileMapping } from '../compile/compile.ts';
import { finalize } from '../finalize.ts';
import { MappingEngines } from '../mapping-engines.ts';
import { transformPart } from '../parts.ts';

/** What becomes of a file, from its cells to published assets. */
export interface ReadCase {
  readonly suggestions: readonly RuleSuggestion[];
  readonly assets: readonly Readonly<Record<string, LakeValue>>[];
  /** The reasons of each errored row, by its number. */
  readonly errored: ReadonlyMap<number, readonly string[]>;
  /** The warnings of the preview, in the order of its rows. */
  readonly warnings: readonly string[];
}

const CUT_OFF_DATE = '2026-10-31';

/**
 * Reads a file, suggests a mapping for it and maps its rows with what is on, with the functions that the screens and the
 * activities call.
 * @param change the rules in place of those that are suggested
 */
export async function readCase(
  file: string,
  change: (rules: readonly RuleInput[]) => readonly RuleInput[] = (rules) => rules,
): Promise<ReadCase> {
  const sheet = await inspectSheetFile(file);
  const columns = sheet.columns.map((column) => ({
    ...column,
    cells: sheet.rows.map(({ cells }) => cells[column.index]!),
  }));
  const suggestions = suggestMapping({ columns });
  const rules = change(suggestions.filter(({ isOn }) => isOn).map(({ rule }) => rule));
  const primaryCurrency = currencyOfTape(columns) ?? 'USD';
  const mapping = parseMapping({ rules, loanTapeSheetName: sheet.sheetName, primaryCurrency });
  const preview = await previewMapping(sheet, { rules: [...rules], cutOffDate: CUT_OFF_DATE, primaryCurrency });
  const headers = sheet.columns.map(({ header }) => header);
  const facts = { cutOffDate: CUT_OFF_DATE, primaryCurrency };
  const compiled = compileMapping(mapping, { headers, epoch: sheet.epoch }, facts);
  const folder = await mkdtemp(join(tmpdir(), 'case-'));
  const lake = await openLake({ threads: 1 });
  const engines = new MappingEngines(join(folder, 'engines'));
  try {
    await mkdir(join(folder, 'engines'), { recursive: true });
    const parts: { staged: string; assets: string; errored: string }[] = [];
    const { headerRow } = sheet;
    // Two rows at a time, so that every file has several batches.
    for await (const batch of readSheetBatches(file, { headerRow, batchRows: 2 })) {
      const at = (kind: string) => join(folder, `${kind}-${batch.index}`);
      const part = { staged: at('staged'), assets: at('assets'), errored: at('errored') };
      await writeBatchFile(batch, part.staged);
      await engines.use((engine) => transformPart(engine, compiled, part.staged, part));
      parts.push(part);
    }
    const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
    await finalize(lake, {
      assetsPaths: parts.map(({ assets }) => assets),
      erroredPaths: parts.map(({ errored }) => errored),
      stagedPath: async (index) => parts[index]!.staged,
      originJson: compiled.originJson,
      columns: compiled.columns,
      unique: compiled.uniqueTargets,
      consistent: compiled.consistentTargets,
      earlier: null,
      folder,
      assetsFile: files.assets,
      erroredFile: files.errored,
    });
    return await lake.connected(async (connection) => {
      const assets = await connection.runAndReadAll(`FROM ${readParquet([files.assets])}`);
      const names = assets.columnNames();
      const errored = await connection.runAndReadAll(
        `SELECT "row", CAST(to_json(errors) AS VARCHAR) FROM ${readParquet([files.errored])}`,
      );
      return {
        suggestions,
        assets: assets.getRows().map((row) => Object.fromEntries(row.map((value, at) => [names[at], fromLake(value)]))),
        errored: new Map(
          errored
            .getRows()
            .map(([row, errors]) => [
              Number(row),
              (JSON.parse(String(errors)) as CellProblem[]).map(({ reason }) => reason),
            ]),
        ),
        warnings: preview.rows.flatMap(({ cells }) => cells.flatMap(({ warning }) => warning ?? [])),
      };
    });
  } finally {
    lake.close();
    engines.close();
    await rm(folder, { recursive: true });
  }
}
