import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { borrowingBaseVersions } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { getManager } from '@tapeline/db/operations/managers/managers.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';

/** What a certificate was calculated from may have been removed since, or be hidden from the reader. */
export function nullIfRemoved(error: unknown): null {
  if (isRefusal(error) && error.code === 'notFound') return null;
  throw error;
}

/** The label of the field that assets are grouped by. A custom field is shown by its own name. */
function labelOfField(path: string): string {
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

/** The labels of the fields that rules group and measure by. */
const ruleLabelsOf = (result: BorrowingBaseResult): Record<string, string> =>
  Object.fromEntries(
    [
      ...result.excessBreachDistribution,
      ...(result.wholeGroups ?? []).map(({ groupBy, parent = null }) => ({ groupBy, accumulatorField: parent })),
      ...(result.totals.offsets ?? []).flatMap(({ groupBy, parent, field }) => [
        { groupBy, accumulatorField: parent },
        { groupBy, accumulatorField: field },
      ]),
    ]
      .flatMap(({ groupBy, accumulatorField }) => [groupBy, accumulatorField ?? null])
      .flatMap((path) => (path === null ? [] : [[path, labelOfField(path)]])),
  );

/** A certificate: the stored result with the names of its sources, as pages show it and files print it. */
export async function viewCertificate(session: Session, base: BorrowingBase) {
  const result = base.result;
  const transaction = await getTransaction(session, base.transactionId).catch(nullIfRemoved);
  const contract = await getContract(session, base.contractId).catch(nullIfRemoved);
  const tape = await getTape(session, base.tapeId).catch(nullIfRemoved);
  const [assets] = tape ? await visiblePublishedTapes(session, { tapeIds: [tape.id], borrowingBase: base.id }) : [];
  const terms: TransactionContract | null = contract
    ? transactionContractSchema.parse(contractDocument(contract))
    : null;
  return {
    ...pick(base, 'id', 'cutOffDate', 'generationId', 'managerId', 'companyId', 'noteId'),
    calculatedAt: base.metadata.iat,
    version: {
      superseded: base.status === 'Disabled' ? (base.metadata.changedBy ?? null) : null,
      /** The latest result of the tape and contract, if it is another one. */
      latest:
        base.status === 'Disabled' ? ((await borrowingBaseVersions(session, base)).versions[0]?.id ?? null) : null,
    },
    result,
    transaction: transaction && pick(transaction, 'id', 'title'),
    noteTitle: transaction?.notes.find((note) => note.id === base.noteId)?.title ?? 'Note',
    contract: contract
      ? {
          ...pick(contract, 'id', 'revision', 'status'),
          since: contract.cutOffDate,
          certificationText: terms?.certification?.text ?? null,
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
    ruleLabels: ruleLabelsOf(result),
    valueUnits: unitsOfValues(terms),
  };
}

/** The names of the borrower and the lender. Every reader of a certificate sees both, so they are read as the system. */
export async function partiesOf(session: Session, { companyId, managerId }: { companyId: string; managerId: string }) {
  const [company, manager] = [await getCompany(session, companyId), await getManager(session, managerId)];
  return { borrower: company.entity.name, lender: manager.entity.name };
}
