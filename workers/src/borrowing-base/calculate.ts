import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { noteOnDay } from '@tapeline/db/operations/amendments/note-amendments.ts';
import { saveBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { type BreachedRate, breachedRate } from '@tapeline/db/operations/covenants/consequences.ts';
import { dilutionsOf } from '@tapeline/db/operations/covenants/dilutions.ts';
import { noteLedger } from '@tapeline/db/operations/ledger/note-ledger.ts';
import { beginCalculation, completeCalculation } from '@tapeline/db/operations/tapes/calculations.ts';
import { generationPrefix } from '@tapeline/db/operations/tapes/tapes.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { inputsText } from '@tapeline/domain/borrowing-base/inputs.ts';
import type { OffsetList } from '@tapeline/domain/borrowing-base/offset-list.ts';
import { requireContractFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { FacilityPosition, TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { BorrowingBaseWarning, OffsetFile } from '@tapeline/domain/borrowing-base/result.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { commitmentsInForce } from '@tapeline/domain/facilities/in-force.ts';
import { balancesOf, currencyLimits, type NoteLedger } from '@tapeline/domain/facilities/ledger.ts';
import type { TransactionNote } from '@tapeline/domain/facilities/transaction.schema.ts';
import { formatRate } from '@tapeline/domain/money/format-figure.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import type { BorrowingBaseMade, NoteToCompute } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import type { JobLimits } from '../job-limits.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { writeAssetResults } from './asset-results.ts';
import { type BorrowingBaseCalculation, type BorrowingBaseInput, calculateBorrowingBase } from './engine.ts';
import { listsAsInputs, readOffsetLists } from './offset-lists.ts';
import { measurePool } from './pool-figures.ts';
import { openPublishedTape, type PublishedTapeParts } from './published-tape.ts';

/** The limit is below Temporal's timeout, so the calculation ends before Temporal would retry it. */
const CALCULATING = { what: 'The borrowing base', seconds: 1_740 };

/**
 * Calculates and stores the borrowing base of a published tape under one contract. Idempotent: running it again stores
 * the same result.
 * @param signal aborts when the calculation is cancelled; nothing is stored in that case
 * @throws Refusal if the contract and the tape do not allow a calculation
 */
export async function calculateNote(
  context: WorkerContext,
  folder: string,
  tapeId: string,
  note: NoteToCompute,
  signal: AbortSignal,
): Promise<BorrowingBaseMade> {
  const { noteId, contractId } = note;
  await context.store.as(TAPE_WORKER, (session) => beginCalculation(session, { tapeId, noteId, contractId }));
  const parts = await openPublishedTape(context, tapeId);
  const terms = await termsWithLists(context, note, { ...parts, documents: parts.tape.otherAttachments });
  const file = join(folder, 'results.parquet');
  const calculated = await measure(context, CALCULATING, parts, terms);
  signal.throwIfAborted();
  await writeAssetResults(calculated.assets, parts.parquetFiles, file);
  const inputsHash = hashOf(parts.generationId, parts.terms, terms);
  const result = { ...calculated.result, inputsHash };
  signal.throwIfAborted();
  // The hash is in the key because the results of a superseded borrowing base can still be opened.
  const resultKey = `${generationPrefix(tapeId, parts.generationId)}borrowing-base-${contractId}-${inputsHash}.parquet`;
  await context.objects.putFile(resultKey, file);
  const made = await context.store.as(TAPE_WORKER, async (session) => {
    const { id: borrowingBaseId } = await saveBorrowingBase(session, {
      tapeId,
      generationId: parts.generationId,
      contractId,
      currency: result.currency,
      netBB: result.netBB.sum,
      firstBB: result.firstBB.sum,
      result,
      resultKey,
    });
    await completeCalculation(session, { tapeId, noteId, contractId, borrowingBaseId });
    return { borrowingBaseId, noteId };
  });
  await measurePool(context, parts, note, made.borrowingBaseId);
  return made;
}

type MeasuredParts = Pick<PublishedTapeParts, 'manifest' | 'parquetFiles' | 'terms'>;
type Terms = Awaited<ReturnType<typeof termsWithLists>>;

/**
 * Calculates the borrowing base of a note on a tape's parts, which may be unpublished. Stores nothing.
 * @throws Refusal as `calculateNote` does
 */
export async function measureNote(
  context: Pick<WorkerContext, 'store' | 'objects' | 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  limits: Omit<JobLimits, 'signal'>,
  parts: MeasuredParts & { documents: readonly OffsetFile[] },
  note: NoteToCompute,
): Promise<BorrowingBaseCalculation> {
  const terms = await termsWithLists(context, note, parts);
  return measure(context, limits, parts, terms);
}

/** The terms on which a note's borrowing base is calculated, with what the tape's documents have for its offsets. */
async function termsWithLists(
  context: Pick<WorkerContext, 'store' | 'objects'>,
  note: NoteToCompute,
  { terms: tape, documents }: Pick<MeasuredParts, 'terms'> & { documents: readonly OffsetFile[] },
) {
  const terms = await termsOf(context, note, tape);
  const offsetLists: OffsetList[] = await readOffsetLists(context, validContract(terms.stored), tape, documents);
  return { ...terms, offsetLists };
}

/** Reads the terms on which a note's borrowing base is calculated. */
function termsOf(context: Pick<WorkerContext, 'store'>, note: NoteToCompute, tape: TapeTerms) {
  return context.store.as(TAPE_WORKER, async (session) => {
    const stored = contractDocument(await getContract(session, note.contractId));
    const { company, note: own } = await noteOf(session, note);
    const ofDay = await noteOnDay(session, { ...own, id: note.noteId }, tape.cutOffDate);
    const position = positionOf(ofDay, await noteLedger(session, note.noteId), tape);
    return {
      stored,
      breached: await breachedRate(session, note.noteId),
      facility: await withDilutions(session, position, { companyId: company, contract: stored, tape }),
    };
  });
}

/** The position with what the dilution reserves of a contract read. */
export async function withDilutions(
  session: Session,
  position: FacilityPosition | undefined,
  {
    companyId,
    contract,
    tape,
  }: { companyId: string; contract: Pick<TransactionContract, 'reserves'>; tape: Pick<TapeTerms, 'cutOffDate'> },
): Promise<FacilityPosition | undefined> {
  const { reserves = [] } = contract;
  if (!position || !reserves.some(({ kind }) => kind === 'dilution')) return position;
  const { cutOffDate } = tape;
  return { ...position, dilutions: await dilutionsOf(session, { companyId, reserves, cutOffDate }) };
}

/** The SHA-256 of everything that a result is calculated from: the same inputs give the same result. */
function hashOf(generationId: string, tape: TapeTerms, { stored, breached, facility, offsetLists }: Terms) {
  const { id, version, status, ...contract } = stored;
  const inputs = { generationId, tape, contract, facility: facility ?? null };
  const more = { ...(breached && { breached }), ...listsAsInputs(offsetLists) };
  return createHash('sha256')
    .update(inputsText({ ...inputs, ...more }))
    .digest('hex');
}

async function measure(
  context: Pick<WorkerContext, 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  limits: Omit<JobLimits, 'signal'>,
  { manifest, parquetFiles, terms }: MeasuredParts,
  { stored, breached, facility, offsetLists }: Terms,
): Promise<BorrowingBaseCalculation> {
  const agreed = validContract(stored);
  const contract = breached ? withDefaultRate(agreed, breached) : agreed;
  const catalog = assetCatalog(manifest.customFields);
  requireContractFields(contract, catalog, manifest.columns);
  const input = { parquetFiles, tape: terms, contract, catalog, facility, offsetLists };
  const [calculation] = await computeEachWithin(context, limits, [input]);
  const { result, ...rest } = calculation!;
  if (!breached) return { ...rest, result };
  return { ...rest, result: { ...result, warnings: [...result.warnings, rateWarning(agreed, breached)] } };
}

const withDefaultRate = (contract: TransactionContract, { ratePercent }: BreachedRate): TransactionContract => ({
  ...contract,
  advanceRate: { ...contract.advanceRate, defaultRate: ratePercent },
});

const rateWarning = (
  { advanceRate: { defaultRate } }: TransactionContract,
  { ratePercent, covenant, testDate }: BreachedRate,
): BorrowingBaseWarning => ({
  code: 'covenantRate',
  message: `The default advance rate is ${formatRate(ratePercent)} instead of ${formatRate(defaultRate)}, because ${covenant} was breached on ${formatCalendarDate(testDate)}`,
  count: null,
});

/**
 * Calculates borrowing bases in the activity's own DuckDB, within the limits of one job.
 * @throws Refusal as `withinLimits` does
 */
export const computeEachWithin = (
  context: Pick<WorkerContext, 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  limits: Omit<JobLimits, 'signal'>,
  inputs: readonly BorrowingBaseInput[],
): Promise<BorrowingBaseCalculation[]> =>
  withJobLake(context, limits, (lake) =>
    Promise.all(
      inputs.map((input) =>
        lake.connected(async (connection) => {
          await connection.run('SET preserve_insertion_order = false');
          return calculateBorrowingBase(input, connection);
        }),
      ),
    ),
  );

/** @throws Refusal if a contract stored by an earlier version does not match the current schema */
function validContract(stored: unknown): TransactionContract {
  const parsed = transactionContractSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [first] = issues;
  const named = first ? `${first.path.join('.')}: ${first.message}` : 'it cannot be read';
  throw refuseIssues(issues, `The contract is not valid (${named}). Correct it in a new version of the contract.`);
}

async function noteOf(session: Session, { transactionId, noteId }: Pick<NoteToCompute, 'transactionId' | 'noteId'>) {
  const transaction = await getTransaction(session, transactionId);
  const note = transaction.notes.find(({ id }) => id === noteId);
  if (!note) throw new Refusal('notFound', 'The note is no longer part of its facility');
  return { company: transaction.company, note };
}

/**
 * The note's position on the tape's cut-off date: the balance per currency (unknown if no draw or repayment was ever
 * recorded), the commitments in force, and the limit of each currency at the tape's exchange rates.
 */
export function positionOf(
  note: TransactionNote,
  ledger: NoteLedger,
  tape: Pick<TapeTerms, 'cutOffDate' | 'exchangeRates'>,
): FacilityPosition | undefined {
  const inForce = commitmentsInForce(note);
  return (
    inForce && {
      ...inForce,
      balances: balancesOf(ledger, { until: tape.cutOffDate }),
      limits: currencyLimits(note, tape.exchangeRates).map(({ amount }) => amount),
    }
  );
}
