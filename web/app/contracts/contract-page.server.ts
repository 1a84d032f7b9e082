import type { Contract } from '@tapeline/db/entities/lending.ts';
import { getMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import { contractDocument, contractsOf, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import {
  applyingContract,
  type TransactionContract,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import type { Field, FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { assetCatalog, filterFields } from '@tapeline/domain/tapes/target-schema.ts';

export const termsOf = (contract: Contract): TransactionContract =>
  transactionContractSchema.parse(contractDocument(contract));

/** What conditions of a contract may name: everything the schema knows, and what its mapping makes (offered first). */
export interface ContractFields {
  catalog: FieldCatalog;
  offered: Field[];
  mapping: { id: string; version: number } | null;
}

/** The fields of the contract's mapping; the whole schema where the mapping is gone or cannot be read. */
export async function fieldsOfMapping(session: Session, mappingId: string | null): Promise<ContractFields> {
  const unknown = (): ContractFields => ({
    catalog: assetCatalog(),
    offered: [...assetCatalog().fields],
    mapping: null,
  });
  if (!mappingId) return unknown();
  try {
    const mapping = await getMapping(session, mappingId);
    const rules = rulesSchema.safeParse(mapping.rules);
    if (!rules.success) return unknown();
    const plan = planMapping({
      rules: rules.data,
      extractedOriginColsFromLoanTape: mapping.extractedOriginColsFromLoanTape,
    });
    return {
      catalog: assetCatalog(plan.fields.filter((field) => field.custom)),
      offered: plan.fields.flatMap(filterFields),
      mapping: { id: mapping.id, version: mapping.mappingVersion },
    };
  } catch (error) {
    if (isRefusal(error) && error.code === 'notFound') return unknown();
    throw error;
  }
}

/** The contract that another is measured against: the one in force at its cut-off date, else the version before it. */
function comparedWith(contract: Contract, ofNote: readonly Contract[]): Contract | null {
  const others = ofNote.filter((other) => other.id !== contract.id);
  const earlier = others.filter((other) => other.revision < contract.revision && other.status !== 'Draft');
  return applyingContract(others, contract.cutOffDate) ?? earlier.at(-1) ?? null;
}

export async function readContract(session: Session, id: string) {
  const contract = await getContract(session, id);
  const transaction = await getTransaction(session, contract.transactionId);
  const ofNote = (await contractsOf(session, [contract.transactionId])).filter(
    (other) => other.noteId === contract.noteId,
  );
  const { documents: tapes } = await listTapes(session, {
    filter: JSON.stringify({ company: contract.companyId, published: true }),
    sort: JSON.stringify({ cutOffDate: -1, publishedAt: -1 }),
    limit: 24,
  });
  const note = transaction.notes.find((other) => other.id === contract.noteId);
  return {
    contract,
    terms: termsOf(contract),
    fields: await fieldsOfMapping(session, contract.mappingId ?? null),
    before: comparedWith(contract, ofNote),
    versions: ofNote,
    transaction: { id: transaction.id, title: transaction.title },
    noteTitle: note?.title ?? 'Note',
    currency: note?.mainCurrency ?? note?.maxCommitments[0]?.currency ?? null,
    tapes: tapes.map((tape) => ({ id: tape.id, name: tape.attachment.name, cutOffDate: tape.cutOffDate })),
  };
}
