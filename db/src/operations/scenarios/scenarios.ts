import { certificateTerms } from '@tapeline/domain/borrowing-base/causes/cause-steps.ts';
import { Refusal, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { changeInWords } from '@tapeline/domain/scenarios/change-words.ts';
import { changeIssues } from '@tapeline/domain/scenarios/changed-inputs.ts';
import { scenarioCollection } from '@tapeline/domain/scenarios/scenario.collection.ts';
import {
  MAX_SCENARIOS_PER_BASE,
  type ScenarioChange,
  type ScenarioCreate,
  type ScenarioUpdate,
  scenarioUpdateSchema,
} from '@tapeline/domain/scenarios/scenario.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import type { BorrowingBase } from '../../entities/lending.ts';
import { Scenario } from '../../entities/scenarios.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { getBorrowingBase } from '../borrowing-bases/borrowing-bases.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { visiblePublishedTapes } from '../tapes/published-tapes.ts';
import { contractDocument, getContract } from '../transactions/contracts.ts';
import { type ReplacementContract, replacementOf } from './scenario-base.ts';

export const SCENARIOS = listOf('scenarios', {
  transaction: 't.transaction_id',
  note: 't.note_id',
  loanTape: 't.tape_id',
  contract: 't.contract_id',
});

/** A scenario with the names of what it belongs to. */
export type ScenarioView = Scenario & {
  readonly transactionTitle: string;
  readonly noteTitle: string;
  readonly cutOffDate: string;
  /** The certificate as it was calculated last; null once it is removed. */
  readonly baseId: string | null;
  readonly createdByName: string | null;
};

const FACTS = `select page.id, one.title as "transactionTitle", note.value ->> 'title' as "noteTitle", tape.cut_off_date::text as "cutOffDate",
    (select b.id from borrowing_bases b where b.tape_id = page.tape_id and b.contract_id = page.contract_id and b.status = 'Active') as "baseId",
    nullif(concat_ws(' ', page.metadata #>> '{createdBy,entity,firstName}', page.metadata #>> '{createdBy,entity,lastName}'), '') as "createdByName"
  from page join transactions one on one.id = page.transaction_id join loan_tapes tape on tape.id = page.tape_id
  join lateral jsonb_array_elements(one.notes) as note on note.value ->> 'id' = page.note_id`;

type Facts = Pick<ScenarioView, 'id' | 'transactionTitle' | 'noteTitle' | 'cutOffDate' | 'baseId' | 'createdByName'>;

const VIEWS = viewsOf(SCENARIOS, [FACTS], (scenarios, [rows = []]: [Facts[]?]): ScenarioView[] => {
  const facts = new Map(rows.map((row) => [row.id, row]));
  return scenarios.map((scenario) => {
    const {
      transactionTitle = '',
      noteTitle = '',
      cutOffDate = '',
      baseId = null,
      createdByName = null,
    } = facts.get(scenario.id) ?? {};
    return { ...scenario, transactionTitle, noteTitle, cutOffDate, baseId, createdByName };
  });
});
export const listScenarios = VIEWS.list;

/** @throws Refusal notFound */
export const getScenario = async (session: Session, id: string): Promise<ScenarioView> =>
  VIEWS.one(session, await getDocument(session, SCENARIOS, id));

/** The scenarios of a certificate that the actor sees, the latest first. */
export async function scenariosOf(
  session: Session,
  { tapeId, contractId }: Pick<BorrowingBase, 'tapeId' | 'contractId'>,
): Promise<ScenarioView[]> {
  const { documents } = await listScenarios(session, {
    filter: { loanTape: tapeId, contract: contractId, status: 'Active' },
    sort: { code: -1 },
    limit: MAX_SCENARIOS_PER_BASE,
  });
  return documents;
}

/** What the changes of a scenario refer to. */
export interface ScenarioTerms {
  readonly contract: TransactionContract;
  readonly catalog: FieldCatalog;
  readonly columns: ReadonlySet<string>;
  /** The contract that replaces the certificate's own; null if none does. */
  readonly replacement: ReplacementContract | null;
  readonly tape: { cutOffDate: string; mainCurrency: string; exchangeRates: Readonly<Record<string, string>> };
}

/**
 * What changes of a certificate refer to: its contract or the one that replaces it, and the fields and rates of its tape.
 * @throws Refusal if the actor does not see the contract, or the assets are no longer stored
 */
export async function scenarioTerms(
  session: Session,
  base: BorrowingBase,
  changes: readonly ScenarioChange[],
): Promise<ScenarioTerms> {
  // Changes name the rules and limits of the contract.
  requirePermission(session, 'transactions/read');
  const [published] = await visiblePublishedTapes(session, { tapeIds: [base.tapeId], borrowingBase: base.id });
  if (published?.borrowingBase?.id !== base.id) {
    throw new Refusal('badRequest', 'The assets of the borrowing base are no longer stored');
  }
  const { cutOffDate, currency: mainCurrency, result } = base;
  const tape = { cutOffDate, mainCurrency, exchangeRates: published.tape.exchangeRates };
  const replacement = await replacementOf(session, base, changes);
  const own = transactionContractSchema.parse(contractDocument(await getContract(session, base.contractId)));
  return {
    replacement,
    contract: replacement?.contract ?? certificateTerms({ contract: own, result, tape }),
    catalog: assetCatalog(published.manifest.customFields),
    columns: new Set(published.manifest.columns),
    tape,
  };
}

/** The changes of a scenario in words. */
export const wordsOf = (changes: readonly ScenarioChange[], { contract, catalog }: ScenarioTerms): string[] =>
  changes.map((change) => changeInWords(change, contract, catalog));

function requireScenarios(session: Session): void {
  requirePermission(session, scenarioCollection.write);
  refuseBorrower(session, 'Only the manager can keep scenarios');
}

/** @throws Refusal badRequest for a change that does not fit the certificate, or a title that is taken */
async function requireFitting(
  session: Session,
  base: BorrowingBase,
  { id, title, changes }: Pick<Scenario, 'id' | 'title' | 'changes'>,
): Promise<void> {
  const parsed = scenarioUpdateSchema.shape.changes.safeParse(changes);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: ['changes', ...path.map(String)],
      message,
    }));
    throw refuseIssues(issues);
  }
  const issues = changeIssues(changes, await scenarioTerms(session, base, changes));
  if (issues.length > 0) throw refuseIssues(issues);
  const [other] = await session.query(
    `select 1 from scenarios where tape_id = $1 and contract_id = $2 and lower(title) = lower($3) and status <> 'Removed' and id <> $4`,
    [base.tapeId, base.contractId, title, id],
  );
  if (other) {
    throw new Refusal('badRequest', undefined, {
      flags: { title: 'is the title of another scenario of this borrowing base' },
    });
  }
}

/**
 * Keeps a scenario of a certificate.
 * @throws Refusal forbidden; notFound; badRequest for a change that does not fit, a title that is taken, or beyond the most
 *   scenarios of a certificate
 */
export async function createScenario(
  session: Session,
  { borrowingBase, title, description, changes }: ScenarioCreate,
): Promise<ScenarioView> {
  requireScenarios(session);
  const base = await getBorrowingBase(session, borrowingBase);
  const id = newId(session.now);
  await requireFitting(session, base, { id, title, changes });
  const { managerId, companyId, tapeId, contractId, transactionId, noteId } = base;
  if ((await session.em.count(Scenario, { tapeId, contractId, status: 'Active' })) >= MAX_SCENARIOS_PER_BASE) {
    throw new Refusal(
      'badRequest',
      `A borrowing base has at most ${MAX_SCENARIOS_PER_BASE} scenarios. Remove one first`,
    );
  }
  session.em.create(Scenario, {
    id,
    managerId,
    companyId,
    tapeId,
    contractId,
    transactionId,
    noteId,
    title,
    description: description || null,
    changes,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return getScenario(session, id);
}

/** @throws Refusal forbidden; notFound; badRequest if the version is stale, or as `createScenario` */
export async function updateScenario(
  session: Session,
  { id, body: { version, title, description, changes } }: { id: string; body: ScenarioUpdate },
): Promise<ScenarioView> {
  requireScenarios(session);
  const scenario = await getDocument(session, SCENARIOS, id);
  if (scenario.version !== version) throw staleRefusal(scenario, version);
  const { baseId } = await getScenario(session, id);
  if (baseId === null) throw new Refusal('badRequest', 'The borrowing base of this scenario was removed');
  await requireFitting(session, await getBorrowingBase(session, baseId), { id, title, changes });
  await storeChange(session, scenario, {
    title,
    description: description || null,
    changes,
  });
  return getScenario(session, id);
}

/** @throws Refusal forbidden; notFound */
export async function removeScenario(session: Session, id: string): Promise<void> {
  requireScenarios(session);
  const scenario = await getDocument(session, SCENARIOS, id);
  await storeChange(session, scenario, { status: 'Removed' });
}
