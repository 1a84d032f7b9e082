import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import {
  type BorrowingBaseVersion,
  borrowingBaseVersions,
  getBorrowingBase,
} from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { getManager } from '@tapeline/db/operations/managers/managers.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { compareBases } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';

/** What a certificate was calculated from may have been removed since, or be hidden from the reader. */
function nullIfRemoved(error: unknown): null {
  if (isRefusal(error) && error.code === 'notFound') return null;
  throw error;
}

/** The label of the field that assets are grouped by. A custom field is shown by its own name. */
export function labelOfField(path: string): string {
  const resolved = assetCatalog().resolve(path);
  return 'field' in resolved ? resolved.field.label : path.replace(/^customFields\./, '');
}

/** The unit of each value that is an average of a field, as the contract names it. */
function unitsOfValues(terms: TransactionContract | null): Record<string, string> {
  return Object.fromEntries(
    (terms?.values ?? []).flatMap(({ title, field, accumulator }) => {
      if (!field || accumulator === '$sum') return [];
      const resolved = assetCatalog().resolve(field);
      return 'field' in resolved && resolved.field.unit ? [[title, resolved.field.unit]] : [];
    }),
  );
}

/** The labels of the fields that concentration rules group and measure by. */
const ruleLabelsOf = (result: BorrowingBaseResult): Record<string, string> =>
  Object.fromEntries(
    result.excessBreachDistribution
      .flatMap(({ groupBy, accumulatorField }) => [groupBy, accumulatorField ?? null])
      .flatMap((path) => (path === null ? [] : [[path, labelOfField(path)]])),
  );

/** Cut-off dates in the trend of a note. */
const TREND_POINTS = 36;

/** The latest borrowing base of each cut-off date up to this one, earliest first. */
async function trendOf(session: Session, { noteId, cutOffDate }: { noteId: string; cutOffDate: string }) {
  const figures = await listBorrowingBaseFigures(session, {
    noteIds: [noteId],
    until: cutOffDate,
    perNote: TREND_POINTS,
  });
  return [...new Map(figures.map((figure) => [figure.cutOffDate, figure])).values()];
}

/** The result that this one is compared with: another of the same tape and contract, by default the one before it. */
async function comparedVersion(
  session: Session,
  base: BorrowingBase,
  versions: readonly BorrowingBaseVersion[],
  against: string | null,
) {
  const index = versions.findIndex(({ id }) => id === base.id);
  const version = versions.find(({ id }) => id === against && id !== base.id) ?? versions[index + 1];
  if (!version) return null;
  const other = await getBorrowingBase(session, version.id);
  return {
    id: version.id,
    calculatedAt: version.calculatedAt,
    hasSameInputs: Boolean(other.result.inputsHash) && other.result.inputsHash === base.result.inputsHash,
    figures: compareBases(other.result, base.result),
  };
}

/**
 * The certificate: the stored result with the names of its sources, the previous borrowing base, and earlier results of
 * the same tape.
 * @param against the id of the result of this tape to compare with
 */
export async function readBorrowingBase(session: Session, id: string, against: string | null = null) {
  const base = await getBorrowingBase(session, id);
  const result = base.result;
  const transaction = await getTransaction(session, base.transactionId).catch(nullIfRemoved);
  const contract = await getContract(session, base.contractId).catch(nullIfRemoved);
  const tape = await getTape(session, base.tapeId).catch(nullIfRemoved);
  const [assets] = tape ? await visiblePublishedTapes(session, { tapeIds: [tape.id], borrowingBase: base.id }) : [];
  const trend = await trendOf(session, base);
  const before = trend.filter(({ cutOffDate }) => cutOffDate < base.cutOffDate).at(-1);
  const earlier = before && (await getBorrowingBase(session, before.id).catch(nullIfRemoved));
  const { versions, total: versionCount } = await borrowingBaseVersions(session, base);
  const terms: TransactionContract | null = contract
    ? transactionContractSchema.parse(contractDocument(contract))
    : null;
  return {
    ...pick(base, 'id', 'cutOffDate', 'generationId', 'managerId', 'companyId', 'noteId'),
    calculatedAt: base.metadata.iat,
    version: {
      superseded: base.status === 'Disabled' ? (base.metadata.changedBy ?? null) : null,
      /** All results of this tape and contract, latest first. */
      all: versions,
      count: versionCount,
      compared: await comparedVersion(session, base, versions, against),
    },
    result,
    transaction: transaction && pick(transaction, 'id', 'title'),
    noteTitle: transaction?.notes.find((note) => note.id === base.noteId)?.title ?? 'Note',
    contract: contract
      ? {
          ...pick(contract, 'id', 'revision', 'status'),
          since: contract.cutOffDate,
          defaultRatePercent: terms?.advanceRate.defaultRate ?? null,
          caseCount: terms?.advanceRate.cases.length ?? 0,
        }
      : null,
    tape: tape
      ? {
          id: tape.id,
          name: tape.attachment.name,
          publishedAt: tape.publishedAt ?? null,
          isRepublished: tape.generationId !== base.generationId,
          /** Whether the assets that it was calculated from can be opened with these results. */
          hasAssets: assets?.borrowingBase?.id === base.id,
        }
      : null,
    before: earlier
      ? {
          ...pick(earlier, 'id', 'cutOffDate', 'netBB', 'currency'),
          figures: compareBases(earlier.result, result),
        }
      : null,
    trend,
    ruleLabels: ruleLabelsOf(result),
    valueUnits: unitsOfValues(terms),
  };
}

export type BorrowingBasePage = Awaited<ReturnType<typeof readBorrowingBase>>;

/** The names of the borrower and the lender. Every reader of a certificate sees both, so they are read as the system. */
export async function partiesOf(session: Session, { companyId, managerId }: BorrowingBasePage) {
  const [company, manager] = [await getCompany(session, companyId), await getManager(session, managerId)];
  return { borrower: company.entity.name, lender: manager.entity.name };
}
