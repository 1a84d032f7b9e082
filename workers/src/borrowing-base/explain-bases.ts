import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { comparedBases, comparisonKeys } from '@tapeline/db/operations/borrowing-bases/compared-bases.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { withAdjustments } from '@tapeline/domain/borrowing-base/adjust.ts';
import type { BaseComparison } from '@tapeline/domain/borrowing-base/causes/base-comparison.ts';
import { causeSteps, type ExplainedBase } from '@tapeline/domain/borrowing-base/causes/cause-steps.ts';
import { isAssetCause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { explainDifference, type StepResult } from '@tapeline/domain/borrowing-base/causes/explain-difference.ts';
import {
  CURRENCY_OF_OUTSTANDING,
  contractFields,
  OUTSTANDING_PATH,
  prepareContract,
} from '@tapeline/domain/borrowing-base/prepare.ts';
import { publishOutcome } from '@tapeline/domain/borrowing-base/publish.ts';
import type { OffsetFile } from '@tapeline/domain/borrowing-base/result.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog, type CustomField } from '@tapeline/domain/tapes/target-schema.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import { type BasesToExplain, COMPARISON_SECONDS } from '@tapeline/workflows/comparison/activities.ts';
import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { countEffects, writeAssetEffects } from './asset-effects.ts';
import { writeAssetResults } from './asset-results.ts';
import { calculateBorrowingBase } from './engine.ts';
import { readOffsetListsAgain } from './offset-lists.ts';
import { PairedAssets } from './paired-assets.ts';

/** A person waits for the answer, but only the first time: it is stored. */
const COMPARING = { what: 'The comparison of the two borrowing bases', seconds: COMPARISON_SECONDS };

/** A certificate with the files of the tape that it was calculated from. */
export interface BaseOnFiles extends ExplainedBase {
  readonly parquetFiles: readonly string[];
  readonly customFields: readonly CustomField[];
  readonly hasStableIds: boolean;
  /** The documents that the tape has now. */
  readonly documents: readonly OffsetFile[];
}

/**
 * Explains why one borrowing base differs from another, and stores the comparison beside the later one.
 * @throws Refusal if they cannot be compared, or if the assets of one are no longer stored
 */
export async function explainBases(
  context: Pick<WorkerContext, 'store' | 'objects' | 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  ids: BasesToExplain,
): Promise<BaseComparison> {
  const { bases, sides } = await context.store.as(TAPE_WORKER, async (session) => {
    const compared = await comparedBases(session, [ids.earlier, ids.later]);
    return {
      bases: compared,
      sides: {
        earlier: await certificateSources(session, compared.earlier),
        later: await certificateSources(session, compared.later),
      },
    };
  });
  const [earlier, later] = [await onFiles(context, sides.earlier), await onFiles(context, sides.later)];
  const keys = comparisonKeys(bases);
  return withJobLake(context, COMPARING, (lake, folder) =>
    lake.connected(async (connection) => {
      await connection.run('SET preserve_insertion_order = false');
      const file = join(folder, 'effects.parquet');
      const comparison = await explainOnFiles(connection, folder, earlier, later, file);
      lake.stop.throwIfAborted();
      await context.objects.putFile(keys.assets, file);
      // The figures come last: where they are, the assets are as well.
      await context.objects.putStream(keys.figures, Readable.from([JSON.stringify(comparison)]), {
        type: 'application/json',
      });
      return comparison;
    }),
  );
}

/** What a certificate was calculated from. @throws Refusal if its assets are no longer stored */
export async function certificateSources(session: Session, base: BorrowingBase) {
  const contract = transactionContractSchema.parse(contractDocument(await getContract(session, base.contractId)));
  const [published] = await visiblePublishedTapes(session, { tapeIds: [base.tapeId], borrowingBase: base.id });
  if (published?.borrowingBase?.id !== base.id) {
    throw new Refusal('badRequest', 'The assets of one of the borrowing bases are no longer stored');
  }
  const { tape, manifest } = published;
  return {
    result: base.result,
    contract,
    tape: { cutOffDate: base.cutOffDate, mainCurrency: base.currency, exchangeRates: tape.exchangeRates },
    customFields: manifest.customFields,
    hasStableIds: !manifest.unstableIds,
    documents: tape.otherAttachments,
    assets: manifest.assets,
  };
}

/** A certificate with the files that it was calculated from. @throws Refusal if one of them cannot be read */
export const onFiles = async (
  context: Pick<WorkerContext, 'objects'>,
  { assets, ...base }: Awaited<ReturnType<typeof certificateSources>>,
): Promise<BaseOnFiles> => ({
  ...base,
  parquetFiles: await localPaths(context.objects, assets),
  offsetLists: await readOffsetListsAgain(context, base.contract, base.tape, base.result),
});

/** The custom fields of both tapes; the later tape decides of which type one is. */
const catalogOf = (earlier: BaseOnFiles, later: BaseOnFiles) => {
  const known = new Set(later.customFields.map(({ path }) => path));
  return assetCatalog([...later.customFields, ...earlier.customFields.filter(({ path }) => !known.has(path))]);
};

/**
 * Calculates every step from one borrowing base to the other.
 * @param folder for the files of the steps
 * @param file where the effect of each cause on each asset is written
 */
export async function explainOnFiles(
  connection: DuckDBConnection,
  folder: string,
  earlier: BaseOnFiles,
  later: BaseOnFiles,
  file: string,
): Promise<BaseComparison> {
  const catalog = catalogOf(earlier, later);
  const assets = await PairedAssets.open(
    connection,
    folder,
    earlier.parquetFiles,
    later.parquetFiles,
    earlier.hasStableIds && later.hasStableIds,
  );
  const fields = new Set([OUTSTANDING_PATH, CURRENCY_OF_OUTSTANDING]);
  for (const { contract } of [earlier, later]) {
    for (const part of Object.values(contractFields(contract, catalog))) for (const name of part) fields.add(name);
  }
  const results: StepResult[] = [];
  /** Results by asset of the certificate and of each cause of assets. */
  const files: string[] = [];
  let before: Awaited<ReturnType<typeof calculateBorrowingBase>> | null = null;
  for (const step of causeSteps(earlier, later, catalog)) {
    const { contract, tape, facility, offsetLists, cause } = step;
    const isOfAssets = cause === null || isAssetCause(cause);
    const repeats = before !== null && step.hasPoolOfBefore;
    if (!repeats) {
      const parquetFiles = await assets.poolOf(step, fields);
      const input = { parquetFiles, tape, contract, catalog, facility, offsetLists };
      before = await calculateBorrowingBase(input, connection);
      const written = join(folder, `step-${files.length}.parquet`);
      await writeAssetResults(before.assets, parquetFiles, written);
      files.push(written);
    } else if (isOfAssets) files.push(files.at(-1)!);
    const { outcome } = before!;
    const result = publishOutcome(outcome, prepareContract(contract, catalog, tape.cutOffDate), tape, facility);
    results.push({ cause, result: withAdjustments(result, step.adjustments, tape.exchangeRates) });
  }
  await writeAssetEffects(connection, files, file);
  return {
    difference: explainDifference(earlier.result, later.result, results),
    assets: await countEffects(connection, file),
  };
}
