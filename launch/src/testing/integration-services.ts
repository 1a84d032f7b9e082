import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { claimAnyPort } from '../ports/ports.ts';
import { prepareCluster, superuserUrl } from '../postgres/cluster.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import { temporalService } from '../temporal/dev-server.ts';
import { findTemporalCli } from '../temporal/find-cli.ts';
import { guardRun } from './guard-run.ts';
import './provided.ts';
import { temporaryFolder } from './temporary-folder.ts';

const say = (line: string) => process.stderr.write(`integration services: ${line}\n`);

/**
 * Runs once before the integration tests. Starts PostgreSQL and a Temporal dev server in a folder that is deleted
 * afterwards. Each test file creates its own database (a clone of one template) and its own task queues.
 */
export default async function startIntegrationServices(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(temporaryFolder(), 'tapeline-tests-'));
  chmodSync(folder, 0o711);
  const runFolder = join(folder, 'run');
  const guard = guardRun({ folder, runFolder });
  const supervisor = createSupervisor({ runFolder, logFolder: join(folder, 'logs'), say });
  const tearDown = async () => {
    await supervisor.stop();
    rmSync(folder, { recursive: true, force: true });
    guard.release();
  };
  try {
    mkdirSync(join(folder, 'postgres'));
    const [postgresPort, temporalPort, cli] = await Promise.all([
      claimAnyPort(),
      claimAnyPort(),
      findTemporalCli(process.env, say),
    ]);
    const cluster = {
      dataFolder: join(folder, 'postgres', 'data'),
      port: postgresPort.port,
      superuserPassword: 'only for tests',
      throwAway: true,
    };
    const postgres = await prepareCluster(cluster, say);
    const temporal = temporalService({ cli, port: temporalPort.port, uiPort: null, file: null });
    await supervisor.start([postgres, temporal]);
    project.provide('postgresAdminUrl', superuserUrl(cluster));
    project.provide('temporalAddress', `127.0.0.1:${temporalPort.port}`);
    project.provide('temporalCli', cli);
    const bundles = join(folder, 'workflow-bundles');
    mkdirSync(bundles, { mode: 0o700 });
    project.provide('workflowBundles', bundles);
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}
