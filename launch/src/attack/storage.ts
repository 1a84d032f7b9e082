import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimAnyPort, isListening } from '../ports/ports.ts';
import { findGateway, GATEWAY_REGION, gatewayService } from '../storage/s3-gateway.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import { guardRun } from '../testing/guard-run.ts';

/**
 * Starts an S3 service with an empty bucket. It ends, and what it stored is removed, when this process ends.
 * @returns the settings that make a product use it
 */
export async function startStorage(say: (line: string) => void): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-storage-'));
  const runFolder = join(folder, 'run');
  guardRun({ folder, runFolder });
  const bucket = 'attacked';
  const [objects = '', metadata = '', accounts = ''] = ['objects', 'metadata', 'accounts'].map((name) =>
    join(folder, name),
  );
  for (const place of [join(objects, bucket), metadata, accounts]) mkdirSync(place, { recursive: true });
  const { port } = await claimAnyPort();
  const account = { id: 'attacked', secret: randomBytes(16).toString('hex') };
  const program = await findGateway(process.env, say);
  const supervisor = createSupervisor({ runFolder, logFolder: join(folder, 'logs'), say });
  await supervisor.start([
    {
      ...gatewayService({ program, port, account, folders: { objects, metadata, accounts } }),
      isReady: () => isListening(port),
      readyTimeoutMs: 60_000,
      killSignal: 'SIGKILL',
      stopTimeoutMs: 10_000,
    },
  ]);
  return {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_REGION: GATEWAY_REGION,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: account.id,
    S3_SECRET_ACCESS_KEY: account.secret,
  };
}
