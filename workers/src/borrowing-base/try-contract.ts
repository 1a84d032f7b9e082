import { noteOnDay } from '@tapeline/db/operations/amendments/note-amendments.ts';
import { noteLedger } from '@tapeline/db/operations/ledger/note-ledger.ts';
import { contractDocument, findApplyingContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { OffsetList } from '@tapeline/domain/borrowing-base/offset-list.ts';
import { checkContractAgainstFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { FacilityPosition } from '@tapeline/domain/borrowing-base/publish.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { nullIfRefused, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import type { ContractDraft, TrialResult } from '@tapeline/workflows/preview/preview.ts';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { computeEachWithin, positionOf, withDilutions } from './calculate.ts';
import { changedAssets } from './changed-assets.ts';
import type { BorrowingBaseCalculation } from './engine.ts';
import { readOffsetLists } from './offset-lists.ts';
import { openPublishedTape } from './published-tape.ts';
import { RecentCalculations } from './recent-calculations.ts';

/** A user is waiting for the result. */
const TRYING = { what: 'The trial of the contract', seconds: 25 };

/** A person changes a draft many times, and each trial compares it with the same contract in force. */
const recent = new RecentCalculations<{ result: BorrowingBaseResult; status: Uint8Array }>();

/** Calculates a contract on a published tape and compares it with the note's current contract. Stores nothing. */
export async function tryContract(
  context: Pick<WorkerContext, 'store' | 'objects' | 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  input: ContractDraft,
): Promise<TrialResult> {
  const parsed = transactionContractSchema.safeParse(input.contract);
  if (!parsed.success) throw refuseIssues(parsed.error.issues, 'The contract is not complete; see the flagged rules');
  const parts = await openPublishedTape(context, input.tapeId);
  const catalog = assetCatalog(parts.manifest.customFields);
  const problems = checkContractAgainstFields(parsed.data, catalog, parts.manifest.columns);
  if (problems.length > 0) throw refuseIssues(problems, 'The tape lacks fields that the contract uses');
  const { against } = input;
  const { facility, facilityOfActive, active } = await context.store.as(TAPE_WORKER, async (session) => {
    if (!against) return { facility: undefined, facilityOfActive: undefined, active: null };
    const transaction = await getTransaction(session, against.transactionId);
    const note = transaction.notes.find(({ id }) => id === against.noteId);
    const applying = await findApplyingContract(session, { noteId: against.noteId, cutOffDate: parts.tape.cutOffDate });
    const contract = applying && transactionContractSchema.parse(contractDocument(applying));
    const ofDay = note && (await noteOnDay(session, note, parts.terms.cutOffDate));
    const position = ofDay && positionOf(ofDay, await noteLedger(session, ofDay.id), parts.terms);
    const of = { companyId: transaction.company, tape: parts.terms };
    return {
      facility: await withDilutions(session, position, { ...of, contract: parsed.data }),
      facilityOfActive: contract && (await withDilutions(session, position, { ...of, contract })),
      active: applying && contract && { key: `${applying.id} ${applying.version}`, contract },
    };
  });
  const listsOf = (contract: TransactionContract) =>
    readOffsetLists(context, contract, parts.terms, parts.tape.otherAttachments);
  const lists = await listsOf(parsed.data);
  const listsOfActive = active ? await listsOf(active.contract).catch(nullIfRefused) : null;
  const inputOf = (
    contract: TransactionContract,
    position: FacilityPosition | undefined,
    offsetLists: readonly OffsetList[],
  ) => ({
    parquetFiles: parts.parquetFiles,
    tape: parts.terms,
    contract,
    catalog,
    facility: position,
    offsetLists,
  });
  // The active contract may use fields or documents that this tape lacks. In that case there is nothing to compare with.
  const comparable =
    active !== null &&
    listsOfActive !== null &&
    checkContractAgainstFields(active.contract, catalog, parts.manifest.columns).length === 0
      ? {
          ...active,
          lists: listsOfActive,
          key: JSON.stringify([
            parts.generationId,
            active.key,
            parts.terms,
            facilityOfActive,
            listsOfActive.map(({ file }) => file.key),
          ]),
        }
      : null;
  const known = comparable && recent.get(comparable.key);
  const inputs = [
    inputOf(parsed.data, facility, lists),
    ...(comparable && !known ? [inputOf(comparable.contract, facilityOfActive ?? undefined, comparable.lists)] : []),
  ];
  const [draft, calculated] = await computeEachWithin(context, TRYING, inputs);
  const before = comparable && (known ?? recent.keep(comparable.key, kept(calculated!)));
  return {
    draft: draft!.result,
    active: before?.result ?? null,
    statusChanges: before ? statusChanges(before.status, draft!.assets.status) : [],
    changedAssets: before ? await changedAssets(parts.parquetFiles, before.status, draft!.assets) : [],
  };
}

const kept = ({ result, assets }: BorrowingBaseCalculation) => ({ result, status: assets.status });

/** Counts the assets for each change from one borrowing-base status to another. */
function statusChanges(before: Uint8Array, after: Uint8Array): TrialResult['statusChanges'] {
  const statuses = [...BORROWING_BASE_STATUSES, 'outOfScope'];
  const counts = new Map<number, number>();
  for (let asset = 0; asset < after.length; asset += 1) {
    const [from, to] = [before[asset] ?? 0, after[asset] ?? 0];
    if (from !== to) counts.set(from * 256 + to, (counts.get(from * 256 + to) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, assets]) => ({
      from: statuses[key >> 8] ?? 'outOfScope',
      to: statuses[key & 255] ?? 'outOfScope',
      assets,
    }))
    .sort((a, b) => b.assets - a.assets);
}
