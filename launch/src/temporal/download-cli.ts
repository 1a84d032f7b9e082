/**
 * Downloads Temporal's CLI with the SDK's own downloader: `download-cli.ts FOLDER VERSION`. The SDK downloads it only
 * when it starts a server, so this starts one on a free port and stops it again. The program stays in the folder.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir, version] = process.argv.slice(2);
if (downloadDir === undefined || version === undefined) throw new Error('usage: download-cli.ts FOLDER VERSION');

const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
