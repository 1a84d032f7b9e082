import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import type { ScenarioChange } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { BorrowingBase } from '../../entities/lending.ts';
import type { Scenario } from '../../entities/scenarios.ts';
import type { Session } from '../../store.ts';
import { generationPrefix } from '../tapes/tapes.ts';
import { contractDocument, getContract } from '../transactions/contracts.ts';

/** The contract whose terms a scenario takes instead of those of the certificate. */
export interface ReplacementContract {
  readonly key: string;
  readonly contract: TransactionContract;
}

/** The certificate that a scenario changes, as it was calculated last. @throws Refusal if it was removed */
export async function baseOfScenario(
  session: Session,
  { tapeId, contractId }: Pick<Scenario, 'tapeId' | 'contractId'>,
): Promise<BorrowingBase> {
  const base = await session.em.findOne(BorrowingBase, { tapeId, contractId, status: 'Active' });
  if (!base) throw new Refusal('badRequest', 'The borrowing base of this scenario was removed');
  return base;
}

/** The contract that the first change names; null if it changes the certificate's own. @throws Refusal badRequest */
export async function replacementOf(
  session: Session,
  base: Pick<BorrowingBase, 'noteId'>,
  [first]: readonly ScenarioChange[],
): Promise<ReplacementContract | null> {
  if (first?.kind !== 'contract') return null;
  const stored = await getContract(session, first.contractId);
  if (stored.noteId !== base.noteId) {
    throw new Refusal('badRequest', undefined, {
      flags: { 'changes.0.contractId': 'is not a contract of the note of the borrowing base' },
    });
  }
  return {
    key: `${stored.id}-${stored.version}`,
    contract: transactionContractSchema.parse(contractDocument(stored)),
  };
}

/**
 * Where the results of a scenario are stored: its figures and its assets. Neither changes: another version of the scenario,
 * of the certificate or of the contract that it names has another key.
 */
export function scenarioKeys(
  base: Pick<BorrowingBase, 'id' | 'tapeId' | 'generationId'>,
  scenario: Pick<Scenario, 'id' | 'version'>,
  replacement: ReplacementContract | null,
): { figures: string; assets: string } {
  const of = [base.id, scenario.id, scenario.version, ...(replacement ? [replacement.key] : [])].join('-');
  const prefix = `${generationPrefix(base.tapeId, base.generationId)}scenarios/v1/${of}`;
  return { figures: `${prefix}.json`, assets: `${prefix}.parquet` };
}
