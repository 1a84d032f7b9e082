/**
 * Fetches Temporal's CLI with the SDK's own downloader: `download-cli.ts FOLDER VERSION`. The SDK only offers it as part
 * of starting a server, so one is started on a free port and stopped again; the program stays in the folder.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir, version] = process.argv.slice(2);
if (downloadDir === undefined || version === undefined) throw new Error('use: download-cli.ts FOLDER VERSION');

const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
