import type { TransactionContractInput } from '@tapeline/domain/facilities/contract.schema.ts';
import type { TransactionInput } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { MappingInput } from '@tapeline/domain/tapes/mapping.schema.ts';
import { fillIn, readData } from './data.ts';

/** How Northwind's tape maps to assets: Excel dates, rates as fractions, statuses as words. */
export const NORTHWIND_MAPPING = readData<MappingInput>('northwind-mapping');
/** How Alder's tape maps to assets: US dates as text, rates in percentage points, statuses as codes. */
export const ALDER_MAPPING = readData<MappingInput>('alder-mapping');

/**
 * The borrowing-base terms of Northwind's senior note, in force from 1 July 2026.
 * @param mapping id of the version of `NORTHWIND_MAPPING` that the filters refer to (24 hex characters)
 */
export const northwindContract = (mapping: string): TransactionContractInput =>
  fillIn(readData<TransactionContractInput>('northwind-contract'), { mapping });

/** Northwind's facility: one senior note with one active tranche of 45 million dollars, and its contract. */
export function northwindFacility(ids: { company: string; mapping: string; fund: string }): TransactionInput {
  const facility = fillIn(readData<TransactionInput>('northwind-facility'), ids);
  const [note] = facility.notes;
  return { ...facility, notes: [{ ...note!, contracts: [northwindContract(ids.mapping)] }] };
}
