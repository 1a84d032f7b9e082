import { checkContractAgainstFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import type { Field, FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { assetCatalog, filterFields } from '@tapeline/domain/tapes/target-schema.ts';
import type { Session } from '../../store.ts';
import { getMapping } from '../mappings/mappings.ts';

/** Fields that the conditions of a contract can refer to: every asset field, and its mapping's custom fields. */
export interface ContractFields {
  catalog: FieldCatalog;
  /** The fields that the mapping fills; a form suggests these. */
  offered: Field[];
  mapping: { id: string; version: number } | null;
}

/** The fields of the contract's mapping; every asset field if the mapping is missing or cannot be read. */
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

/**
 * What is wrong with the conditions of Draft contracts, which are stored nevertheless: a sentence for each that names its
 * path in the transaction.
 */
export async function draftWarnings(
  session: Session,
  notes: readonly { readonly contracts: readonly TransactionContract[] }[],
): Promise<string[]> {
  const catalogs = new Map<string, FieldCatalog>();
  const warnings: string[] = [];
  for (const [note, { contracts }] of notes.entries()) {
    for (const [index, contract] of contracts.entries()) {
      if (contract.status !== 'Draft') continue;
      const { assetsETL } = contract;
      const catalog = catalogs.get(assetsETL) ?? (await fieldsOfMapping(session, assetsETL)).catalog;
      catalogs.set(assetsETL, catalog);
      const path = `notes.${note}.contracts.${index}`;
      for (const issue of checkContractAgainstFields(contract, catalog)) {
        warnings.push(`${[path, ...issue.path].map(String).join('.')}: ${issue.message}`);
      }
    }
  }
  return warnings;
}

/** Maximum number of rules that one message names; the flags name all of them. */
const MAX_NAMED = 5;

/**
 * Borrowing bases are calculated from contracts in force, so every field that such a contract refers to must exist. A
 * Draft can still refer to other fields.
 * @param command.path of the contract in the caller's body, for the flags
 * @throws Refusal badRequest that names the contract, each rule and its field
 */
export async function requireKnownFields(
  session: Session,
  command: { contract: TransactionContract; name: string; path?: string },
): Promise<void> {
  const { catalog } = await fieldsOfMapping(session, command.contract.assetsETL);
  const issues = checkContractAgainstFields(command.contract, catalog);
  if (issues.length === 0) return;
  const reasons = [...new Set(issues.map(({ message }) => message))];
  const before = command.path === undefined ? [] : [command.path];
  throw new Refusal(
    'badRequest',
    `${command.name} cannot become Active. ${firstFew(reasons, { most: MAX_NAMED, separator: '; ' })}`,
    {
      flags: Object.fromEntries(
        issues.map(({ path, message }) => [[...before, ...path].map(String).join('.'), message]).reverse(),
      ),
    },
  );
}
