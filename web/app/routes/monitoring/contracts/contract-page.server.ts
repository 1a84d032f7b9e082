import type { Contract } from '@tapeline/db/entities/lending.ts';
import { tapeChoices } from '@tapeline/db/operations/tapes/tapes.ts';
import { fieldsOfMapping } from '@tapeline/db/operations/transactions/contract-fields.ts';
import { contractDocument, contractsOf, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import {
  applyingContract,
  type TransactionContract,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';

export const termsOf = (contract: Contract): TransactionContract =>
  transactionContractSchema.parse(contractDocument(contract));

/** The contract to compare with: the one in force at this contract's cut-off date, else the previous version. */
function comparedWith(contract: Contract, ofNote: readonly Contract[]): Contract | null {
  const others = ofNote.filter((other) => other.id !== contract.id);
  const earlier = others.filter((other) => other.revision < contract.revision && other.status !== 'Draft');
  return applyingContract(others, contract.cutOffDate) ?? earlier.at(-1) ?? null;
}

/** @param search of the address: the tape of the trial (`tape`), and the search for another one (`findTape`) */
export async function readContract(session: Session, id: string, search: URLSearchParams) {
  const contract = await getContract(session, id);
  const transaction = await getTransaction(session, contract.transactionId);
  const ofNote = (await contractsOf(session, [contract.transactionId])).filter(
    (other) => other.noteId === contract.noteId,
  );
  const published = { companyId: contract.companyId, published: true };
  const [latest] = (await tapeChoices(session, published)).choices;
  const tapes = await tapeChoices(session, {
    ...published,
    search: search.get('findTape'),
    chosen: search.get('tape') ?? latest?.id,
  });
  const tape = tapes.choices.find((one) => one.id === search.get('tape')) ?? latest ?? null;
  const note = transaction.notes.find((other) => other.id === contract.noteId);
  return {
    contract,
    terms: termsOf(contract),
    fields: await fieldsOfMapping(session, contract.mappingId ?? null),
    before: comparedWith(contract, ofNote),
    versions: ofNote,
    transaction: { id: transaction.id, title: transaction.title, status: transaction.status },
    noteTitle: note?.title ?? 'Note',
    currency: note?.mainCurrency ?? note?.maxCommitments[0]?.currency ?? null,
    tapes,
    /** The tape of the trial: the one in the address, or the latest. */
    tape,
    isLatestTape: tape?.id === latest?.id,
  };
}
