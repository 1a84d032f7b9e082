import { Readable } from 'node:stream';
import { Manager } from '@tapeline/db/entities/people.ts';
import { type Store, systemActor } from '@tapeline/db/store.ts';
import { DELIVERY_REST_MS, deliveryPrefix } from '@tapeline/domain/cash/statement-delivery.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import { listDeliveries, takeDelivery } from '@tapeline/lake/storage/statement-deliveries.ts';
import { DEMONSTRATION_MANAGER } from './names.ts';

/** A file of a bank whose columns nobody has named yet. */
const FILE = { name: 'tidewater-2026-w47.csv', type: 'text/csv' };
const CONTENT = 'Booked;Value;Text;Debit;Credit\n2026-11-18;2026-11-18;CAPITAL CALL 8;;250000.00\n';

/** A file that a bank delivered to the object storage and that was refused, so that the list of delivered files has one. */
export async function addDemonstrationDeliveries(store: Store, objects: ObjectStore): Promise<void> {
  const managerId = await store.as(systemActor('Seeding'), async ({ em }) => {
    const { id } = await em.findOneOrFail(Manager, { name: DEMONSTRATION_MANAGER });
    return id;
  });
  await objects.putStream(`${deliveryPrefix(managerId)}${FILE.name}`, Readable.from([Buffer.from(CONTENT)]), FILE);
  // It is whole: nobody else writes it.
  const now = new Date(Date.now() + 2 * DELIVERY_REST_MS);
  const { ready } = await listDeliveries(objects, managerId, now);
  for (const delivered of ready) await takeDelivery({ store, objects }, delivered);
}
