import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { AssetStatistics, TapeCounts } from '@tapeline/domain/tapes/tape.schema.ts';
import type { Mapping } from '../../entities/lending.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { mappingForUpload } from '../mappings/mappings.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { beginOn, lockPublished, publishOn, type RerunAttempt } from './rerun-errored.ts';
import { getTape } from './tapes.ts';

const ONLY_MANAGER = 'Only the manager can process a published tape with another mapping version';

/** A tape, and a version of a mapping that it could be processed with instead of its own. */
export interface RemapChoice {
  readonly tapeId: string;
  readonly mappingId: string;
}

/**
 * The version of a mapping that a published tape can be processed with.
 * @throws Refusal notFound; forbidden for a borrower; badRequest (flag on `assetsETL`) for a mapping of another company,
 *   and for the version that the tape already has
 */
export async function remapTarget(session: Session, { tapeId, mappingId }: RemapChoice): Promise<Mapping> {
  requirePermission(session, 'assets/write');
  const tape = await getTape(session, tapeId);
  refuseBorrower(session, ONLY_MANAGER);
  if (tape.generationId === null || tape.generationId === undefined) {
    throw new Refusal('badRequest', 'The tape is not published yet: wait until processing is complete');
  }
  const mapping = await mappingForUpload(session, { companyId: tape.companyId, mappingId });
  if (mapping.id === tape.mappingId) {
    throw new Refusal('badRequest', 'The tape was processed with this mapping version. Choose another one', {
      flags: { assetsETL: 'is the mapping version that the tape has' },
    });
  }
  return mapping;
}

/**
 * Starts to process the stored file of a published tape with another mapping version. Its assets stay visible meanwhile;
 * no other re-run or discard is possible until it has ended.
 * @param command.on the generation whose review was seen; null for the published one, whatever it is
 * @param command.by the name of the person who starts it
 * @throws Refusal as `remapTarget`; badRequest if the tape is being processed, or was published again since the review
 */
export async function beginRemap(
  session: Session,
  { by, on, ...choice }: RemapChoice & { on: string | null; by: string | null },
): Promise<RerunAttempt> {
  const { mappingVersion } = await remapTarget(session, choice);
  const locked = await lockPublished(session, choice.tapeId, ONLY_MANAGER);
  if (on !== null && on !== locked.base.id) {
    throw new Refusal('badRequest', 'Rows of this tape have been reprocessed since. Review the effect again');
  }
  return beginOn(session, locked, { rows: null, by, mappingVersion });
}

/**
 * Makes the generation of another mapping version visible, in one step with its counts and statistics. The tape has that
 * version from then on. Open proposals are outdated. Idempotent.
 * @throws Refusal as `publishRerun`
 */
export const publishRemap = (
  session: Session,
  command: {
    attempt: RerunAttempt;
    mapping: { readonly id: string; readonly version: number };
    manifest: GenerationManifest;
    counts: TapeCounts;
    statistics: AssetStatistics;
  },
): Promise<LoanTape> => {
  const { attempt, ...next } = command;
  return publishOn(session, attempt, () => next);
};
