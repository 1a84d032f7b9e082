import { compileFor, type PartFiles, transformFile } from './publish-tape.ts';

// The second worker of the bench: transforms the parts that it receives, one at a time.
const [workbook] = process.argv.slice(2);
if (workbook === undefined || process.send === undefined) throw new Error('usage: fork helper-process.ts WORKBOOK');
const { compiled } = await compileFor(workbook);
process.on('message', async (files: PartFiles | 'end') => {
  if (files === 'end') {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    process.send?.({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024 });
    process.disconnect();
    return;
  }
  await transformFile(compiled, files);
  process.send?.('done');
});
process.send('ready');
