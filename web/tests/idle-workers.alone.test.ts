import { beforeAll, describe, expect, inject, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { expectRefusal } from './api-client.ts';
import { openPage, signIn } from './browser.ts';
import { whileWorkersHalt } from './halted-workers.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';
import { workbookBytes } from './workbook-bytes.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const tenant = ownTenant();
let tapes: NorthwindTapes;
beforeAll(async () => {
  tapes = await northwindTapes(tenant.manager);
});

const preview = (fileUrl: string) =>
  tenant.manager.post('/LTP/preview/ETL', {
    rules: [{ originCol: 'Loan ID', targetCol: 'assetId', checks: ['Mandatory'], serializations: [{ type: 'text' }] }],
    currency: 'USD',
    fileUrl,
    sheetName: 'Loan Tape',
    cutOffDate: '2011-01-31',
  });

const readiness = async () => {
  const answer = await fetch(`${inject('productUrl')}/readyz`);
  return { status: answer.status, missing: (await answer.json()).missing };
};

it('a file that busy workers open late is refused all the same', async () => {
  const bytes = workbookBytes({ name: 'Loan Tape', xml: Buffer.alloc(1 << 20, ' '), declaredBytes: 1000 });
  const upload = await tenant.manager.post('/files/signedUrls/loanTapes?operation=upload', {
    filesInfo: [{ name: 'late.xlsx', size: bytes.byteLength, type: XLSX }],
  });
  const { key, signedUrl } = upload.json[0].fileMetadata;
  const body = new Uint8Array(bytes);
  expect((await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': XLSX }, body })).status).toBe(200);
  const answer = await whileWorkersHalt(async () => {
    const scheduled = tenant.manager.post('/files/loanTapeScheduler', {
      cutOffDate: '2011-08-31',
      companyId: tapes.company,
      mainCurrency: 'USD',
      attachments: [{ key }],
    });
    // The workers are paused for longer than the warning of an upload waits.
    await expect.poll(async () => (await readiness()).status).toBe(503);
    return { scheduled };
  });
  expectRefusal(await answer.scheduled, 400, /unpacks to more than/);
  expect((await tenant.manager.get('/crud/loanTape', { limit: 1 })).json).toEqual([]);
  await expect.poll(readiness).toEqual({ status: 200, missing: [] });
});

describe('while no worker lives', () => {
  it('a tape is accepted at once, is shown as waiting, and starts by itself', async () => {
    const page = await openPage();
    await signIn(page, tenant.emails.manager);
    const [id, file] = await whileWorkersHalt(async () => {
      await expect.poll(readiness).toEqual({
        status: 503,
        missing: ['workflows', 'io', 'compute', 'previews'].map((queue) => `worker for ${queue}`),
      });
      const waiting = await tapes.begin([tapes.loan({})], { cutOffDate: '2011-07-31', name: 'waiting.xlsx' });
      const jobs = (await tenant.manager.get('/LTP')).json;
      expect(jobs.find((job: { id: string }) => job.id === waiting)).toMatchObject({
        schedulerStatus: 'Processing',
        waitsForWorker: true,
        progress: null,
      });
      expect((await tenant.manager.get('/crud/loanTape', { filter: { id: waiting } })).json).toMatchObject([
        { waitsForWorker: true },
      ]);
      await page.goto(paths.tape(waiting));
      await page.getByText('starts automatically when a worker is available').waitFor();
      await page.goto(paths.tapes());
      await page.getByText('waiting for a worker').waitFor();
      const [tape] = (await tenant.manager.get('/crud/loanTape', { filter: { id: waiting } })).json;
      const { key } = tape.metadata.attachment;
      // A review shows what the file's name says, and the file can be processed.
      await page.goto(paths.newTape({ company: tapes.company, files: key.split('/')[0], date: '2011-07-31' }));
      await page.getByText('not read yet: it is checked when it is processed').waitFor();
      await page.getByRole('button', { name: 'Process', exact: true }).waitFor();
      expect((await preview(key)).json).toMatchObject({
        code: 502,
        message: expect.stringContaining('No worker'),
      });
      return [waiting, key];
    });
    expect(await tapes.finished(id)).toMatchObject({ processStatus: 'Completed', failure: null });
    await expect.poll(readiness).toEqual({ status: 200, missing: [] });
    expect((await preview(file)).status).toBe(200);
  });
});
