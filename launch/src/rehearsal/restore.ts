import { prepareBucket, untilReady } from './install.ts';
import type { Machine } from './machine.ts';
import { ensure, type Steps } from './steps.ts';
import { checkTape, type Expected, type Portfolio, uploadTape } from './tapes.ts';
import { signIn } from './use.ts';

const ROWS = 20_000;

/** Backs up while a tape is uploaded afterwards, loses the database and the bucket, and restores. */
export async function loseAndRestore(
  machine: Machine,
  { step }: Steps,
  version: string,
  portfolio: Portfolio,
  published: readonly Expected[],
): Promise<void> {
  const { servers } = machine;
  await step('guide: back up while everything runs', async () => {
    const output = await machine.follow(version, 'shell', 'backup');
    const assets = published.reduce((sum, tape) => sum + tape.assets, 0);
    ensure(output.includes(`${published.length} published tapes with ${assets} assets`), output);
  });
  await step('the database and the bucket are lost, and set up again', async () => {
    await Promise.all([servers.postgres.lose(), servers.storage.lose()]);
    await Promise.all([servers.postgres.up(), servers.storage.up()]);
    await machine.follow(version, 'roles');
    await prepareBucket(machine, version);
  });
  await step('guide: restore; the doctor finds nothing', async () => {
    const output = await machine.follow(version, 'shell', 'restore');
    ensure(output.includes('Everything is well.'), output);
    await untilReady(machine);
  });
  await step('all restored tapes are exact, and a new one is published', async () => {
    const admin = await signIn(machine);
    await admin.renew();
    const restored = { ...portfolio, admin };
    for (const tape of published) await checkTape(restored, tape);
    await checkTape(restored, await uploadTape(restored, '2026-08-31', ROWS));
  });
}
