import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { beginRemap, type RemapChoice, remapTarget } from '@tapeline/db/operations/tapes/remap-tape.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import type { RemapInput } from '@tapeline/workflows/corrections/activities.ts';
import type { ReviewedRemap } from '@tapeline/workflows/corrections/preview.ts';
import type { RequestContext } from '../http/context.ts';
import { askAboutFile } from './checks.server.ts';
import { proposes } from './proposals.server.ts';
import { handOver, type RerunStarted } from './rerun.server.ts';
import { type VisibleNote, visibleNotes } from './reviewed-notes.server.ts';

export type RemapReview = Omit<ReviewedRemap, 'notes'> & {
  notes: VisibleNote[];
  /** The generation that the effect is calculated on. */
  generationId: string | null;
};

/** Whether the actor can process a tape with another mapping version: only the manager changes published data. */
export const mayRemap = (
  actor: UserActor,
  { generationId, schedulerStatus }: Pick<LoanTape, 'generationId' | 'schedulerStatus'>,
): boolean =>
  can(actor, 'assets/write') &&
  !proposes(actor) &&
  generationId !== null &&
  generationId !== undefined &&
  schedulerStatus === 'Completed';

/**
 * Returns the effect that another mapping version would have on a published tape. Nothing is stored.
 * @throws Refusal as `remapTarget` and `askWorkers`, and for a version that cannot read the file
 */
export async function reviewRemap(
  context: RequestContext,
  actor: UserActor,
  choice: RemapChoice,
  signal?: AbortSignal,
): Promise<RemapReview> {
  const tape = await context.store.as(actor, async (session) => {
    await remapTarget(session, choice);
    return getTape(session, choice.tapeId);
  });
  const review = await askAboutFile<RemapInput, ReviewedRemap>(
    { context, actor },
    'remapReview',
    tape.id,
    { tapeId: tape.id, mappingId: choice.mappingId },
    { signal },
  );
  return {
    ...review,
    notes: await visibleNotes(context, actor, review.notes),
    generationId: tape.generationId ?? null,
  };
}

/**
 * Processes the stored file of a published tape with another mapping version.
 * @param command.on the generation whose review was seen; null for the published one
 * @throws Refusal as `beginRemap`
 */
export async function startRemap(
  context: RequestContext,
  actor: UserActor,
  { on, ...choice }: RemapChoice & { on: string | null },
  origin: CallOrigin = {},
): Promise<RerunStarted> {
  const by = `${actor.firstName} ${actor.lastName}`.trim() || null;
  const attempt = await context.store.as(actor, (session) => beginRemap(session, { ...choice, on, by }), origin);
  return handOver(context, actor, 'remapTape', attempt, async () => ({ mappingId: choice.mappingId }));
}
