import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import {
  type BaseOrigin,
  type PublishedTape,
  type TapeBase,
  visiblePublishedTapes,
} from '@tapeline/db/operations/tapes/published-tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { TapeSource } from '@tapeline/lake/asset-relation.ts';
import type { ErroredSource } from '@tapeline/lake/errored-assets.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { RequestContext } from '../http/context.ts';

/**
 * The published tapes visible to the actor, in the form that the lake reads. This is where access control meets the
 * lake: only what row level security shows is ever opened.
 * @param choice.borrowingBase the borrowing base whose results are shown with the assets; by default, for each tape,
 * that of its first note. Its tape has the assets that it was calculated from
 * @throws Refusal badRequest if it does not belong to these tapes, or its results by asset are not stored
 */
export async function tapeSources(
  context: Pick<RequestContext, 'objects'>,
  session: Session,
  choice: { tapeIds?: readonly string[]; borrowingBase?: string } = {},
): Promise<TapeSource[]> {
  const published = await visiblePublishedTapes(session, choice);
  if (choice.borrowingBase && !published.some(({ borrowingBase }) => borrowingBase)) throw notOfTheseTapes();
  return Promise.all(published.map((one) => sourceOf(context, one)));
}

export const notOfTheseTapes = (): Refusal =>
  new Refusal('badRequest', 'This borrowing base was not calculated from these tapes, or has no results by asset', {
    flags: { borrowingBase: 'is not a borrowing base of these tapes, or its results by asset are not stored' },
  });

const originOf = ({ transaction, note, contract }: TapeBase): BaseOrigin => ({ transaction, note, contract });

/** A published tape in the form that the lake reads. Its parts are fetched if they are stored elsewhere. */
export async function sourceOf(
  context: Pick<RequestContext, 'objects'>,
  { tape, manifest, borrowingBase }: PublishedTape,
): Promise<TapeSource> {
  const local = (keys: readonly string[]) => localPaths(context.objects, keys);
  return {
    tapeId: tape.id,
    ...pick(tape, 'managerId', 'companyId', 'cutOffDate', 'assetPrefix'),
    mappingVersion: manifest.mapping?.version ?? tape.mappingVersion,
    paths: await local(manifest.assets),
    columns: manifest.columns,
    customFields: manifest.customFields,
    borrowingBase: borrowingBase && {
      id: borrowingBase.id,
      currency: borrowingBase.currency,
      paths: await local([borrowingBase.resultKey]),
      of: originOf(borrowingBase),
    },
  };
}

/** The errored rows of the visible tapes as they are published now. */
export async function erroredSources(
  context: Pick<RequestContext, 'objects'>,
  session: Session,
  choice: { tapeIds?: readonly string[] } = {},
): Promise<ErroredSource[]> {
  // Not those of an earlier generation, whatever borrowing base a caller names besides.
  const published = await visiblePublishedTapes(session, choice.tapeIds ? { tapeIds: choice.tapeIds } : {});
  return Promise.all(
    published
      .filter(({ tape }: { tape: LoanTape }) => (tape.counts?.errored ?? 0) > 0)
      .map(async ({ tape, manifest }) => ({
        tapeId: tape.id,
        managerId: tape.managerId,
        assetPrefix: tape.assetPrefix,
        paths: await localPaths(context.objects, manifest.errored),
        discarded: manifest.discarded ?? [],
      })),
  );
}
