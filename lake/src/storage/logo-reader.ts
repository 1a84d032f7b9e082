import { buffer } from 'node:stream/consumers';
import type { LogoReader } from '@tapeline/db/operations/capital/notice-context.ts';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { type ObjectStore, objectKey } from './object-store.ts';

/** Bytes. A larger logo is left out: the name of the manager is printed instead. */
const MAX_LOGO = 1024 * 1024;
const LOGO_TYPES = ['image/png', 'image/jpeg'];

interface LogoContext {
  readonly objects: Pick<ObjectStore, 'getStream'>;
  readonly log: { warn: (details: object, message: string) => void };
}

/** Reads logos for printed documents, by their keys, in base64. Null for one that is missing, too large or no image. */
export const logoReader =
  (session: Session, { objects, log }: LogoContext): LogoReader =>
  async (key) => {
    try {
      const file = await resolveFile(session, { bucket: 'publicFiles', keyOrId: key });
      if (!LOGO_TYPES.includes(file.type) || file.size > MAX_LOGO) return null;
      return (await buffer(await objects.getStream(objectKey('publicFiles', file.key)))).toString('base64');
    } catch (error) {
      // The storage denies access, so the logo may be there.
      if (!isRefusal(error) || error.code === 'serverError') throw error;
      log.warn({ err: error, key }, 'a logo is missing, so a notice shows the name alone');
      return null;
    }
  };
