import { Readable } from 'node:stream';
import { Company, Manager } from '@tapeline/db/entities/people.ts';
import { LegalEntity } from '@tapeline/db/entities/register.ts';
import { fileStored, registerFile } from '@tapeline/db/operations/files/files.ts';
import { changedMetadata } from '@tapeline/db/operations/metadata.ts';
import { type Store, systemActor } from '@tapeline/db/store.ts';
import { type ObjectStore, objectKey } from '@tapeline/lake/storage/object-store.ts';
import { drawLogo } from './logo.ts';

const SEEDING = systemActor('Seeding');
const FILE = { bucket: 'publicFiles', name: 'logo.png', type: 'image/png' } as const;

/**
 * Stores a logo for each manager and company of the demonstration whose entity is a business without one.
 * @returns how many were stored
 */
export async function addDemonstrationLogos(store: Store, objects: ObjectStore): Promise<number> {
  const logos = await store.as(SEEDING, async (session) => {
    const parties = [...(await session.em.find(Manager, {})), ...(await session.em.find(Company, {}))];
    const entities = await session.em.find(LegalEntity, { id: { $in: parties.map(({ entityId }) => entityId) } });
    return entities
      .filter(({ business }) => business && !business.logo)
      .map(({ id, managerId, name }) => ({ id, managerId, image: drawLogo(name) }));
  });
  for (const { id, managerId, image } of logos) {
    const { key } = await store.as(SEEDING, (session) =>
      registerFile(session, { ...FILE, size: image.length, managerId }),
    );
    const stored = await objects.putStream(objectKey(FILE.bucket, key), Readable.from([image]), { type: FILE.type });
    await store.as(SEEDING, async (session) => {
      await fileStored(session, { bucket: FILE.bucket, key, ...stored });
      const entity = await session.em.findOneOrFail(LegalEntity, { id });
      if (entity.business) entity.business = { ...entity.business, logo: key };
      entity.metadata = changedMetadata(session, entity.metadata);
      await session.em.flush();
    });
  }
  return logos.length;
}
