import { Readable } from 'node:stream';
import type { RunFile } from '@tapeline/db/entities/payment-runs.ts';
import {
  downloadedFile,
  fileToRelease,
  type RunView,
  releasePaymentRun,
} from '@tapeline/db/operations/cash/payment-runs.ts';
import type { SessionOptions, Store } from '@tapeline/db/store.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * Releases a run. Its file is stored first: the same run always gives the same bytes under the same key, so that people
 * who release at once, or again after a failure, store one file.
 * @throws Refusal as `releasePaymentRun` does
 */
export async function releaseRun(
  { store, objects }: { store: Store; objects: ObjectStore },
  actor: Actor,
  command: { id: string; version: number },
  options: SessionOptions = {},
): Promise<RunView> {
  const written = await store.as(actor, (session) => fileToRelease(session, command), {
    ...options,
    isPreparation: true,
  });
  if (written) {
    await objects.putStream(written.file.key, Readable.from([written.bytes]), { type: written.file.type });
  }
  return store.as(actor, (session) => releasePaymentRun(session, command), options);
}

/** The file of a released run, as it was stored. The history records the download. @throws Refusal as `downloadedFile` does */
export async function openRunFile(
  { store, objects }: { store: Store; objects: ObjectStore },
  actor: Actor,
  id: string,
  options: SessionOptions = {},
): Promise<{ file: RunFile; content: Readable }> {
  const file = await store.as(actor, (session) => downloadedFile(session, id), options);
  return { file, content: await objects.getStream(file.key) };
}
