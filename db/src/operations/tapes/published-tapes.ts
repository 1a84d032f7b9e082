import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { BorrowingBase } from '../../entities/lending.ts';
import { LoanTape, TapeGeneration } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';

/** A published tape in sight: what it holds, and the borrowing base whose per-asset results go with it. */
export interface PublishedTape {
  tape: LoanTape;
  manifest: GenerationManifest;
  /** Null where none was computed on the published generation. */
  borrowingBase: { id: string; resultKey: string } | null;
}

/**
 * The published tapes in the actor's sight, the latest cut-off date first.
 * @param choice.tapeIds only these; ids out of sight are as if they were not there
 * @param choice.companyId only those of this company; `upTo` only those cut off by then
 * @param choice.borrowingBase the one to show beside its tape's assets; the latest of each tape where left out
 */
export async function publishedTapesInSight(
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
      ...(choice.borrowingBase ? { id: choice.borrowingBase } : {}),
    },
    { orderBy: { code: 'asc' } },
  );
  const manifests = new Map(generations.map((generation) => [generation.id, generation.manifest]));
  // In ascending order, so that the latest of a generation is the one kept.
  const latest = new Map(bases.map((base) => [base.generationId, base]));
  return tapes.flatMap((tape) => {
    const manifest = manifests.get(tape.generationId ?? '');
    if (!manifest) return [];
    const base = latest.get(tape.generationId ?? '');
    return [{ tape, manifest, borrowingBase: base?.resultKey ? { id: base.id, resultKey: base.resultKey } : null }];
  });
}
