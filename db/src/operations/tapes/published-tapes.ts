import { isId } from '@tapeline/domain/documents/id.schema.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { BorrowingBase, Contract, Transaction } from '../../entities/lending.ts';
import { LoanTape, TapeGeneration } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';

/** What a borrowing base was calculated for. Results are shown with the assets only together with these names. */
export interface BaseOrigin {
  readonly transaction: { readonly id: string; readonly title: string };
  readonly note: { readonly id: string; readonly title: string };
  readonly contract: { readonly id: string; readonly revision: number; readonly cutOffDate: string };
}

/** A borrowing base of a generation, with what it was calculated for. */
export interface TapeBase extends BaseOrigin {
  id: string;
  /** The currency of its per-asset amounts. */
  currency: string;
  resultKey: string;
  /** ISO 8601. */
  calculatedAt: string;
  /** A later calculation of the same tape and contract replaced it. */
  isSuperseded: boolean;
}

/** A visible published tape: its content, and the borrowing base whose per-asset results are shown with it. */
export interface PublishedTape {
  tape: LoanTape;
  /** Of the published generation, or of the earlier one that the requested borrowing base was calculated from. */
  manifest: GenerationManifest;
  /** The manifest is that of an earlier generation, so the counts and statistics of `tape` are not those of its assets. */
  isEarlier: boolean;
  /** The requested one, or the first of `borrowingBases`. Null if the published generation has none. */
  borrowingBase: TapeBase | null;
  /**
   * All borrowing bases of the published generation, one per note and contract: transactions by code, notes in the
   * order of the transaction, latest contract of a note first. Only the requested one if it is none of these.
   */
  borrowingBases: readonly TapeBase[];
}

/** A borrowing base without its result, which can be large: a list can contain many tapes. */
const BASE_FIELDS = [
  'id',
  'tapeId',
  'generationId',
  'status',
  'metadata',
  'currency',
  'resultKey',
  'transactionId',
  'noteId',
  'contractId',
] as const;
type StoredBase = Pick<BorrowingBase, (typeof BASE_FIELDS)[number]>;

/**
 * The published tapes that the actor can see, latest cut-off date first.
 * @param choice.tapeIds only these; ids that are not visible are ignored
 * @param choice.companyId only those of this company; `upTo` only those with a cut-off date up to this one
 * @param choice.borrowingBase the one to show with its tape's assets, with none for the other tapes; if omitted, the
 *   one of each tape's first note. If it was calculated from an earlier generation, its tape has the assets of that one.
 *   One that is not visible, was removed, or has no stored results by asset, is ignored
 */
export async function visiblePublishedTapes(
  session: Session,
  choice: { tapeIds?: readonly string[]; companyId?: string; upTo?: string; borrowingBase?: string } = {},
): Promise<PublishedTape[]> {
  const tapes = await session.em.find(
    LoanTape,
    {
      status: 'Active',
      generationId: { $ne: null },
      ...(choice.tapeIds ? { id: { $in: [...choice.tapeIds] } } : {}),
      ...(choice.companyId ? { companyId: choice.companyId } : {}),
      ...(choice.upTo ? { cutOffDate: { $lte: choice.upTo } } : {}),
    },
    { orderBy: [{ cutOffDate: 'desc' }, { code: 'desc' }] },
  );
  const generationIds = tapes.flatMap((tape) => tape.generationId ?? []);
  const generations = await session.em.find(TapeGeneration, { id: { $in: generationIds } });
  const bases = await session.em.find(
    BorrowingBase,
    {
      generationId: { $in: generationIds },
      status: 'Active',
      resultKey: { $ne: null },
    },
    { orderBy: { code: 'asc' }, fields: BASE_FIELDS },
  );
  const past = bases.some(({ id }) => id === choice.borrowingBase)
    ? null
    : await pastBase(session, tapes, choice.borrowingBase);
  const origins = await originsOf(session, past ? [...bases, past.base] : bases);
  const shown = (base: StoredBase): TapeBase => ({
    id: base.id,
    currency: base.currency,
    resultKey: base.resultKey ?? '',
    calculatedAt: base.metadata.iat,
    isSuperseded: base.status !== 'Active',
    ...origins.originOf(base),
  });
  const manifests = new Map(generations.map((generation) => [generation.id, generation.manifest]));
  const ofGeneration = Map.groupBy(bases, (base) => base.generationId);
  return tapes.flatMap((tape): PublishedTape[] => {
    if (past?.base.tapeId === tape.id) {
      const isEarlier = past.base.generationId !== tape.generationId;
      const borrowingBase = shown(past.base);
      return [{ tape, manifest: past.manifest, isEarlier, borrowingBase, borrowingBases: [borrowingBase] }];
    }
    const manifest = manifests.get(tape.generationId ?? '');
    if (!manifest) return [];
    const borrowingBases = (ofGeneration.get(tape.generationId ?? '') ?? [])
      .map((base) => ({ base, place: origins.placeOf(base) }))
      .sort((a, b) => compareTexts(a.place, b.place))
      .map(({ base }) => shown(base));
    const borrowingBase = choice.borrowingBase
      ? borrowingBases.find(({ id }) => id === choice.borrowingBase)
      : borrowingBases[0];
    return [{ tape, manifest, isEarlier: false, borrowingBase: borrowingBase ?? null, borrowingBases }];
  });
}

/**
 * A superseded borrowing base of one of the tapes, or one of an earlier generation, with what the tape was then. Null if
 * the actor sees none by this id, or the results or the assets of that time are not stored.
 */
async function pastBase(
  session: Session,
  tapes: readonly LoanTape[],
  id: string | undefined,
): Promise<{ base: StoredBase; manifest: GenerationManifest } | null> {
  if (!isId(id)) return null;
  const tapeId = { $in: tapes.map((tape) => tape.id) };
  const base = await session.em.findOne(
    BorrowingBase,
    { id, tapeId, status: { $ne: 'Removed' }, resultKey: { $ne: null } },
    { fields: BASE_FIELDS },
  );
  const generation = base && (await session.em.findOne(TapeGeneration, { id: base.generationId, tapeId: base.tapeId }));
  const manifest = generation?.manifest;
  return base && manifest && !manifest.swept ? { base, manifest } : null;
}

/** Greater than any code, position or revision. */
const MOST = 9_999_999_999;

type Origin = Pick<BorrowingBase, 'transactionId' | 'noteId' | 'contractId'>;

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * What borrowing bases were calculated for, and their order. A transaction or contract that is not visible has no name.
 */
async function originsOf(
  session: Session,
  bases: readonly Origin[],
): Promise<{ originOf: (base: Origin) => BaseOrigin; placeOf: (base: Origin) => string }> {
  const ids = (of: (base: Origin) => string) => ({ id: { $in: [...new Set(bases.map(of))] } });
  const transactions = await session.em.find(
    Transaction,
    ids((base) => base.transactionId),
  );
  const contracts = await session.em.find(
    Contract,
    ids((base) => base.contractId),
    { fields: ['id', 'revision', 'cutOffDate'] },
  );
  const transactionOf = new Map(transactions.map((one) => [one.id, one]));
  const contractOf = new Map(contracts.map((one) => [one.id, one]));
  const placeOf = ({ transactionId, noteId, contractId }: Origin): string => {
    const transaction = transactionOf.get(transactionId);
    const note = transaction?.notes.findIndex(({ id }) => id === noteId) ?? -1;
    const indexes = [
      transaction?.code ?? MOST,
      note < 0 ? MOST : note,
      MOST - (contractOf.get(contractId)?.revision ?? 0),
    ];
    return indexes.map((index) => String(index).padStart(10, '0')).join();
  };
  const originOf = ({ transactionId, noteId, contractId }: Origin): BaseOrigin => {
    const transaction = transactionOf.get(transactionId);
    const contract = contractOf.get(contractId);
    return {
      transaction: { id: transactionId, title: transaction?.title ?? '' },
      note: { id: noteId, title: transaction?.notes.find(({ id }) => id === noteId)?.title ?? '' },
      contract: { id: contractId, revision: contract?.revision ?? 0, cutOffDate: contract?.cutOffDate ?? '' },
    };
  };
  return { originOf, placeOf };
}
