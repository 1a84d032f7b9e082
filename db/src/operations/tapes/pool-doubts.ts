import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { outstandingByCurrency } from '@tapeline/domain/tapes/outstanding.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import type { ChangesQuestion, PoolFacts, PoolQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
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

/** Asks once, before a tape is published for the first time. */
export const changesDoubt = (tape: LoanTape, question: ChangesQuestion | null): ChangesQuestion | null =>
  tape.generationId || tape.settledQuestions.some(({ code }) => code === 'changes') ? null : question;

interface Limits {
  changed: DecimalText | null;
  left: DecimalText | null;
}

/**
 * The strictest limits of changes since the previous tape, of the borrower's contracts that apply on its cut-off date and
 * use a version of its mapping. Of each note that is the latest contract in force, as `applyingContract` finds it: one that
 * a later contract replaced limits nothing. Null of a tape that was published or answered, and where no contract has one.
 */
export async function tapeLimitsOf(session: Session, tape: LoanTape): Promise<Limits | null> {
  if (tape.generationId || tape.settledQuestions.some(({ code }) => code === 'changes')) return null;
  const [limits] = await session.query<Limits>(
    `select min((c.body #>> '{tapeLimits,changedPercent}')::numeric)::text as changed,
       min((c.body #>> '{tapeLimits,leftPercent}')::numeric)::text as left
     from (select distinct on (note_id) body, mapping_id from contracts
       where company_id = $1 and status = 'Active' and cut_off_date <= $2 order by note_id, cut_off_date desc) c
     join mappings m on m.id = c.mapping_id
     where c.body ? 'tapeLimits' and m.family_id = (select family_id from mappings where id = $3)`,
    [tape.companyId, tape.cutOffDate, tape.mappingId],
  );
  return limits && (limits.changed !== null || limits.left !== null) ? limits : null;
}

const factsOf = (cutOffDate: string, { counts, statistics }: Made): PoolFacts => ({
  cutOffDate,
  assets: counts.assets,
  balances: outstandingByCurrency(statistics),
});
