import { openStore, type Store } from '@tapeline/db/store.ts';
import { runningProduct } from './running-product.ts';

let opened: Promise<Store> | null = null;

/** The database of the product under test. Only for fixtures: tests themselves go through the product. */
export function productStore(): Promise<Store> {
  opened ??= openStore({ databaseUrl: runningProduct().DATABASE_URL, databasePoolSize: 2 });
  return opened;
}

/** Closes the database connections of the test file, if it opened any. */
export async function closeProductStore(): Promise<void> {
  const store = opened;
  opened = null;
  await (await store)?.close();
}
