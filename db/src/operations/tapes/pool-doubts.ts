import { outstandingByCurrency } from '@tapeline/domain/tapes/outstanding.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import type { PoolFacts, PoolQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { poolQuestion } from '@tapeline/domain/tapes/tape-questions.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { previousPublishedTape } from './tapes.ts';

interface Made {
  readonly counts: { readonly assets: number };
  readonly statistics: AssetStatistics;
}

/**
 * What is asked about the pool of a tape that is about to be published for the first time, beside that of the company's
 * tape before. Null if it is plausible, or if a person has answered.
 */
export async function poolDoubt(session: Session, tape: LoanTape, made: Made): Promise<PoolQuestion | null> {
  const { companyId, cutOffDate } = tape;
  if (tape.generationId !== null && tape.generationId !== undefined) return null;
  if (tape.settledQuestions.some(({ code }) => code === 'pool')) return null;
  const before = await previousPublishedTape(session, { companyId, beforeCutOffDate: cutOffDate });
  if (!before?.counts || !before.statistics) return null;
  return poolQuestion(
    factsOf(before.cutOffDate, { counts: before.counts, statistics: before.statistics }),
    factsOf(cutOffDate, made),
  );
}

const factsOf = (cutOffDate: string, { counts, statistics }: Made): PoolFacts => ({
  cutOffDate,
  assets: counts.assets,
  balances: outstandingByCurrency(statistics),
});
