import { editContract, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { checkContractAgainstFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { type ContractFields, fieldsOfMapping, termsOf } from './contract-page.server.ts';

/** A fault of the contract at the form's field: `concentrationRules.2.equator.of` is the field `of`. */
function fieldOf(path: readonly PropertyKey[]): string {
  const parts = path.map(String);
  const item = parts.findIndex((part) => /^\d+$/.test(part));
  const [first = 'title', ...rest] = parts.slice(item + 1);
  if (first === 'equator') return rest[0] ?? 'value';
  if (first === 'exceptions') return `exceptions[${rest[0] ?? 0}].${rest[1] ?? 'assetId'}`;
  return first === 'filter' ? 'mode' : first;
}

function refuseAt(issues: readonly { path: readonly PropertyKey[]; message: string }[]): Refusal {
  const flags = Object.fromEntries(issues.map((issue) => [fieldOf(issue.path), issue.message]).reverse());
  return new Refusal('badRequest', issues[0]?.message, { flags });
}

/**
 * Changes one part of a Draft: reads it, lets `change` make the next contract, checks that whole, and stores it.
 * @throws Refusal badRequest with flags at the fields of the form; where the version is stale or the contract no Draft
 */
export async function changeContract(
  session: Session,
  command: { id: string; version: number },
  change: (terms: TransactionContract, fields: ContractFields) => unknown,
): Promise<void> {
  const stored = await getContract(session, command.id);
  const before = await fieldsOfMapping(session, stored.mappingId ?? null);
  const terms = termsOf(stored);
  const parsed = transactionContractSchema.safeParse(change(terms, before));
  if (!parsed.success) throw refuseAt(parsed.error.issues);
  const fields =
    parsed.data.assetsETL === terms.assetsETL ? before : await fieldsOfMapping(session, parsed.data.assetsETL);
  // Faults that were there already are shown at their rules; only new ones stand in the way of a change.
  const known = new Set(checkContractAgainstFields(terms, before.catalog).map((fault) => fault.message));
  const faults = checkContractAgainstFields(parsed.data, fields.catalog).filter((fault) => !known.has(fault.message));
  if (faults.length > 0) throw refuseAt(faults);
  await editContract(session, { ...command, contract: parsed.data });
}
