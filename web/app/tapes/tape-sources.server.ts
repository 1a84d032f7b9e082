import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { localPaths } from '@tapeline/db/files/object-store.ts';
import type { TapeSource } from '@tapeline/db/lake/assets.ts';
import type { ErroredSource } from '@tapeline/db/lake/errored-assets.ts';
import { type PublishedTape, publishedTapesInSight } from '@tapeline/db/operations/tapes/published-tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { RequestContext } from '../context.ts';

/**
 * The published tapes in the actor's sight as the lake reads them. This is where sight meets the lake: only what row
 * level security shows is ever opened.
 * @param choice.borrowingBase the borrowing base whose results stand beside the assets; the tape's latest where left out
 */
export async function tapeSources(
  context: Pick<RequestContext, 'objects'>,
  session: Session,
  choice: { tapeIds?: readonly string[]; borrowingBase?: string } = {},
): Promise<TapeSource[]> {
  const published = await publishedTapesInSight(session, choice);
  return Promise.all(published.map((one) => sourceOf(context, one)));
}

/** A published tape as the lake reads it: its parts are brought here where they lie elsewhere. */
export async function sourceOf(
  context: Pick<RequestContext, 'objects'>,
  { tape, manifest, borrowingBase }: PublishedTape,
): Promise<TapeSource> {
  const local = (keys: readonly string[]) => localPaths(context.objects, keys);
  return {
    tapeId: tape.id,
    companyId: tape.companyId,
    cutOffDate: tape.cutOffDate,
    assetPrefix: tape.assetPrefix,
    mappingVersion: tape.mappingVersion,
    paths: await local(manifest.assets),
    columns: manifest.columns,
    customFields: manifest.customFields,
    borrowingBase: borrowingBase ? { id: borrowingBase.id, paths: await local([borrowingBase.resultKey]) } : null,
  };
}

/** The errored rows of published tapes in sight. */
export async function erroredSources(
  context: Pick<RequestContext, 'objects'>,
  session: Session,
  choice: { tapeIds?: readonly string[] } = {},
): Promise<ErroredSource[]> {
  const published = await publishedTapesInSight(session, choice);
  return Promise.all(
    published
      .filter(({ tape }: { tape: LoanTape }) => (tape.counts?.errored ?? 0) > 0)
      .map(async ({ tape, manifest }) => ({
        tapeId: tape.id,
        assetPrefix: tape.assetPrefix,
        paths: await localPaths(context.objects, manifest.errored),
        discarded: manifest.discarded ?? [],
      })),
  );
}
