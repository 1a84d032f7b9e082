import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RuleInput, rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import { openLake, readParquet } from '@tapeline/lake/lake.ts';
import { tapeWarnings } from '@tapeline/lake/tape-warnings.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import { inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { compileMapping } from '../../tape/compile/compile.ts';
import { finalize } from '../../tape/finalize.ts';
import { MappingEngines } from '../../tape/mapping-engines.ts';
import { transformPart } from '../../tape/parts.ts';
import { type CheckTools, checkFile } from '../check-file.ts';

const FACTS = { cutOffDate: '2026-06-30', primaryCurrency: 'USD' } as const;
const BATCH_ROWS = 40;

export interface Checker {
  readonly folder: string;
  /** The check of a CSV file of these lines. */
  check(
    lines: readonly string[],
    rules: readonly RuleInput[],
    more?: Partial<CheckTools> & { batchRows?: number },
  ): Promise<CheckedFile>;
  /** What a tape of the same file has, by the steps that process one. */
  processed(lines: readonly string[], rules: readonly RuleInput[]): Promise<Processed>;
  close(): Promise<void>;
}

export type Processed = Pick<CheckedFile, 'rows' | 'assets' | 'errored' | 'warned'>;

export async function openChecker(): Promise<Checker> {
  const folder = await mkdtemp(join(tmpdir(), 'check-'));
  const engines = new MappingEngines(join(folder, 'engines'));
  const path = join(folder, 'file.csv');
  const inFolder = async <T>(work: (scratch: string) => Promise<T>): Promise<T> => {
    const scratch = await mkdtemp(join(folder, 'job-'));
    try {
      return await work(scratch);
    } finally {
      await rm(scratch, { recursive: true });
    }
  };
  const withLake = async <T>(work: (lake: Awaited<ReturnType<typeof openLake>>) => Promise<T>): Promise<T> => {
    const lake = await openLake({ threads: 1 });
    try {
      return await work(lake);
    } finally {
      lake.close();
    }
  };
  return {
    folder,
    async check(lines, rules, { batchRows = BATCH_ROWS, ...tools } = {}) {
      await writeFile(path, lines.join('\n'));
      const input = { path, sheetName: null, rules: rulesSchema.parse(rules), facts: FACTS, earlier: null, batchRows };
      return inFolder((scratch) =>
        withLake(({ connected }) =>
          checkFile(input, {
            withEngine: (work) => engines.use(work),
            connected,
            folder: scratch,
            signal: new AbortController().signal,
            ...tools,
          }),
        ),
      );
    },
    async processed(lines, rules) {
      await writeFile(path, lines.join('\n'));
      const head = await inspectSheetFile(path);
      const sheet = { headers: head.columns.map(({ header }) => header), epoch: head.epoch };
      const compiled = compileMapping({ rules: rulesSchema.parse(rules) }, sheet, FACTS);
      return inFolder((scratch) =>
        withLake(async (lake) => {
          const parts: { staged: string; assets: string; errored: string }[] = [];
          let rows = 0;
          for await (const batch of readSheetBatches(path, { headerRow: head.headerRow, batchRows: BATCH_ROWS })) {
            const [staged = '', assets = '', errored = ''] = ['s', 'a', 'e'].map((kind) =>
              join(scratch, `${kind}${batch.index}`),
            );
            await writeBatchFile(batch, staged);
            await engines.use((engine) => transformPart(engine, compiled, staged, { assets, errored }));
            parts.push({ staged, assets, errored });
            rows += batch.rowCount;
          }
          const assetsFile = join(scratch, 'assets');
          const counts = await finalize(lake, {
            assetsPaths: parts.map(({ assets }) => assets),
            erroredPaths: parts.map(({ errored }) => errored),
            stagedPath: async (index) => parts[index]?.staged ?? '',
            originJson: compiled.originJson,
            columns: compiled.columns,
            unique: compiled.uniqueTargets,
            consistent: compiled.consistentTargets,
            earlier: null,
            folder: scratch,
            assetsFile,
            erroredFile: join(scratch, 'errored'),
          });
          const warnings = await lake.connected((connection) =>
            tapeWarnings(connection, readParquet([assetsFile]), compiled.fields),
          );
          return { rows, ...counts, warned: warnings.assets };
        }),
      );
    },
    async close() {
      engines.close();
      await rm(folder, { recursive: true });
    },
  };
}
