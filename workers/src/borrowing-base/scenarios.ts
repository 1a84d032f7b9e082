import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { DuckDBConnection } from '@duckdb/node-api';
import { dilutionsOf } from '@tapeline/db/operations/covenants/dilutions.ts';
import { getDocument } from '@tapeline/db/operations/listing/list-documents.ts';
import { baseOfScenario, replacementOf, scenarioKeys } from '@tapeline/db/operations/scenarios/scenario-base.ts';
import { SCENARIOS } from '@tapeline/db/operations/scenarios/scenarios.ts';
import type { Session } from '@tapeline/db/store.ts';
import { withAdjustments } from '@tapeline/domain/borrowing-base/adjust.ts';
import { certificatePosition, certificateTerms } from '@tapeline/domain/borrowing-base/causes/cause-steps.ts';
import { compareBases } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import type { OffsetList } from '@tapeline/domain/borrowing-base/offset-list.ts';
import { requireContractFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { FacilityPosition } from '@tapeline/domain/borrowing-base/publish.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { Refusal, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { defaultWords } from '@tapeline/domain/scenarios/change-words.ts';
import {
  changedContract,
  changedRates,
  changeIssues,
  withDefaults,
} from '@tapeline/domain/scenarios/changed-inputs.ts';
import type { ScenarioChange } from '@tapeline/domain/scenarios/scenario.schema.ts';
import type { ScenarioResult } from '@tapeline/domain/scenarios/scenario-result.ts';
import { assetCatalog, ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { effectColumn, isAffected, ownColumn, STEP_VALUES, stepColumn } from '@tapeline/lake/asset-effects.ts';
import { quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { COMPARISON_SECONDS } from '@tapeline/workflows/comparison/activities.ts';
import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { writeAssetResults } from './asset-results.ts';
import { changedTape, largestObligors } from './changed-tape.ts';
import { type BorrowingBaseCalculation, calculateBorrowingBase } from './engine.ts';
import { type BaseOnFiles, certificateSources, onFiles } from './explain-bases.ts';
import { readOffsetLists } from './offset-lists.ts';

const CALCULATING = { what: 'The scenario', seconds: COMPARISON_SECONDS };

/** What a scenario is calculated from, beside the certificate. */
export interface ChangedTerms {
  /** Of the certificate, or the one that the first change names. */
  readonly contract: TransactionContract;
  readonly facility: FacilityPosition | undefined;
  /** Of the offsets of the contract. */
  readonly offsetLists: readonly OffsetList[];
  readonly changes: readonly ScenarioChange[];
}

/** The terms of the certificate itself, which give it again. */
export const unchanged = (base: BaseOnFiles): ChangedTerms => ({
  contract: certificateTerms(base),
  facility: certificatePosition(base.result),
  offsetLists: base.offsetLists ?? [],
  changes: [],
});

/**
 * Calculates a scenario on the files of the certificate's tape.
 * @param name of the file with the results of each asset, in the folder
 * @throws Refusal if a change does not fit the certificate
 */
export async function calculateChanged(
  connection: DuckDBConnection,
  folder: string,
  base: BaseOnFiles,
  { contract, facility, offsetLists, changes }: ChangedTerms,
  name: string,
): Promise<Pick<ScenarioResult, 'result' | 'defaulted'> & { file: string; calculation: BorrowingBaseCalculation }> {
  const catalog = assetCatalog(base.customFields);
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${readParquet(base.parquetFiles)}`);
  const columns = new Set(described.getRowsJS().map(([column]) => String(column)));
  const issues = changeIssues(changes, { contract, catalog, tape: base.tape, columns });
  if (issues.length > 0)
    throw refuseIssues(issues, 'The scenario does not fit the certificate; see the flagged changes');
  const changed = changedContract(contract, changes);
  requireContractFields(changed, catalog, columns);
  const tape = { ...base.tape, exchangeRates: changedRates(base.tape.exchangeRates, changes) };
  const source = { parquetFiles: base.parquetFiles, catalog, cutOffDate: tape.cutOffDate };
  const parquetFiles = await changedTape(connection, source, changes, folder, `${name}-tape`);
  const defaulted: { change: number; keys: string[] }[] = [];
  const defaults = [];
  for (const [index, change] of changes.entries()) {
    if (change.kind !== 'largestDefault') continue;
    const keys = await largestObligors(connection, { parquetFiles, catalog, contract: changed, tape }, change);
    defaulted.push({ change: index, keys });
    defaults.push({ field: change.field, title: defaultWords(change, catalog), keys });
  }
  const input = { parquetFiles, tape, contract: withDefaults(changed, defaults), catalog, facility, offsetLists };
  const calculation = await calculateBorrowingBase(input, connection);
  const file = join(folder, `${name}.parquet`);
  await writeAssetResults(calculation.assets, parquetFiles, file);
  const result = withAdjustments(calculation.result, base.result.totals.adjustments ?? [], tape.exchangeRates);
  return { result, defaulted, file, calculation };
}

/** Whether the certificate was calculated again as it is. */
export const isSameBase = (stored: BorrowingBaseResult, again: BorrowingBaseResult): boolean => {
  const figures = compareBases(stored, again);
  const isSame = figures.every(({ before, now, change }) => (change === null ? before === now : isZero(change)));
  return figures.length > 0 && isSame;
};

/** Writes a row for each asset that a scenario affects, and counts them. */
export async function writeScenarioAssets(
  connection: DuckDBConnection,
  [before, after]: readonly [string, string],
  file: string,
): Promise<ScenarioResult['assets']> {
  const values = [before, after].flatMap((_, step) =>
    STEP_VALUES.map((name) => `s${step}.${quoteName(`borrowingBase.${name}`)} AS ${stepColumn(step, name)}`),
  );
  const differs = (['amount', 'status', 'scope', 'rate'] as const).map(
    (name) => `${stepColumn(0, name)} IS DISTINCT FROM ${stepColumn(1, name)}`,
  );
  const [effect, own] = [effectColumn('scenario'), ownColumn('scenario')];
  await connection.run(
    `COPY (SELECT * FROM (SELECT *, ${stepColumn(1, 'advanced')} - ${stepColumn(0, 'advanced')} AS ${effect}, (${differs.join(' OR ')}) AS ${own}
       FROM (SELECT s0.${quoteName(ROW_COLUMN)} AS earlier_row, s0.${quoteName(ROW_COLUMN)} AS later_row, s0."assetId" AS id, ${values.join(', ')}
         FROM ${readParquet([before])} s0 JOIN ${readParquet([after])} s1 USING (${quoteName(SEQUENCE_COLUMN)})))
       WHERE ${isAffected('scenario')} ORDER BY later_row) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd)`,
  );
  const [from, to] = [stepColumn(0, 'status'), stepColumn(1, 'status')];
  const counted = await connection.runAndReadAll(
    `SELECT count(*), count(*) FILTER (WHERE ${own}), CAST(coalesce(sum(${effect}), 0) AS VARCHAR) FROM ${readParquet([file])}`,
  );
  const moved = await connection.runAndReadAll(
    `SELECT ${from}, ${to}, count(*) FROM ${readParquet([file])} WHERE ${from} <> ${to} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
  );
  const [count, ownCount, sum] = counted.getRows()[0] ?? [];
  return {
    count: Number(count),
    ownCount: Number(ownCount),
    effect: String(sum),
    statusChanges: moved.getRows().map(([was, is, assets]) => ({
      from: String(was),
      to: String(is),
      assets: Number(assets),
    })),
  };
}

/**
 * Calculates a scenario, and stores its figures and assets.
 * @throws Refusal if it does not fit the certificate, or if the certificate cannot be calculated again
 */
export async function calculateScenario(
  context: Pick<WorkerContext, 'store' | 'objects' | 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  id: string,
): Promise<ScenarioResult> {
  const { base, keys, sources, other, changes } = await context.store.as(TAPE_WORKER, (session) =>
    readScenario(session, id),
  );
  const certificate = await onFiles(context, sources);
  const terms: ChangedTerms = {
    ...unchanged(certificate),
    ...(other && {
      ...other,
      offsetLists: await readOffsetLists(context, other.contract, certificate.tape, certificate.documents),
    }),
    changes,
  };
  return withJobLake(context, CALCULATING, (lake, folder) =>
    lake.connected(async (connection) => {
      await connection.run('SET preserve_insertion_order = false');
      const again = await calculateChanged(connection, folder, certificate, unchanged(certificate), 'certificate');
      if (!isSameBase(base.result, again.result)) {
        throw new Refusal(
          'badRequest',
          'The contract or the exchange rates were changed after this certificate. Calculate it again first',
        );
      }
      const { result, defaulted, file } = await calculateChanged(connection, folder, certificate, terms, 'scenario');
      const changed = join(folder, 'changed.parquet');
      const calculated: ScenarioResult = {
        result,
        defaulted,
        assets: await writeScenarioAssets(connection, [again.file, file], changed),
      };
      lake.stop.throwIfAborted();
      await context.objects.putFile(keys.assets, changed);
      // The figures come last: where they are, the assets are as well.
      await context.objects.putStream(keys.figures, Readable.from([JSON.stringify(calculated)]), {
        type: 'application/json',
      });
      return calculated;
    }),
  );
}

/** What a scenario is calculated from. The dilution of another contract is read for that contract. */
async function readScenario(session: Session, id: string) {
  const scenario = await getDocument(session, SCENARIOS, id);
  const base = await baseOfScenario(session, scenario);
  const replacement = await replacementOf(session, base, scenario.changes);
  const sources = await certificateSources(session, base);
  const position = certificatePosition(base.result);
  const { companyId, cutOffDate } = base;
  const reserves = replacement?.contract.reserves ?? [];
  const other = replacement && {
    contract: replacement.contract,
    facility: position && {
      ...position,
      dilutions: await dilutionsOf(session, { companyId, reserves, cutOffDate }),
    },
  };
  return { base, sources, other, changes: scenario.changes, keys: scenarioKeys(base, scenario, replacement) };
}
