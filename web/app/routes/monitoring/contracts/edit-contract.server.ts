import { type ContractFields, fieldsOfMapping } from '@tapeline/db/operations/transactions/contract-fields.ts';
import { editContract, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { checkContractAgainstFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { refuseAtFields } from '../../../http/form-document.ts';
import { termsOf } from './contract-page.server.ts';

/** A filter's error is shown where its lines and its JSON end. */
const formField = (name: string): string => (name === 'filter' ? 'mode' : name);

/** Maps a contract error to its form field: `concentrationRules.2.equator.of` is the field `of`. */
function fieldOf(path: readonly PropertyKey[]): string {
  const parts = path.map(String);
  const item = parts.findIndex((part) => /^\d+$/.test(part));
  const [first = 'title', ...rest] = parts.slice(item + 1);
  if (first === 'equator') return rest[0] ?? 'value';
  if (first === 'wholeGroup') return rest[0] ?? 'groupBy';
  if (first === 'exceptions') return `exceptions[${rest[0] ?? 0}].${formField(rest[1] ?? 'assetId')}`;
  return formField(first);
}

/**
 * Updates one part of a Draft: reads it, lets `change` make the next contract, validates the result as a whole, and
 * stores it.
 * @throws Refusal badRequest with flags at the fields of the form; also if the version is stale or the contract is not
 * a Draft
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
  if (!parsed.success) throw refuseAtFields(parsed.error.issues, fieldOf);
  const fields =
    parsed.data.assetsETL === terms.assetsETL ? before : await fieldsOfMapping(session, parsed.data.assetsETL);
  // Existing errors are shown at their rules. Only new errors block a change.
  const known = new Set(checkContractAgainstFields(terms, before.catalog).map((problem) => problem.message));
  const problems = checkContractAgainstFields(parsed.data, fields.catalog).filter(
    (problem) => !known.has(problem.message),
  );
  if (problems.length > 0) throw refuseAtFields(problems, fieldOf);
  await editContract(session, { ...command, contract: parsed.data });
}
