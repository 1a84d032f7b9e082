import { expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { expectRefusal } from '../api-client.ts';
import { northwindTapes, uploadTape } from '../northwind-tapes.ts';
import { screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();

it('a pool very different from that of the previous tape is asked about before it is published', async () => {
  const { manager } = tenant;
  const tapes = await northwindTapes(manager);
  const loans = (count: number) =>
    Array.from({ length: count }, (_, index) => tapes.loan({ 'Loan ID': `P-${index}`, 'Principal Balance': 100 }));
  await tapes.publish(loans(40), { cutOffDate: '2018-06-30' });
  const csv = (count: number) =>
    Buffer.from(
      [tapes.headers, ...loans(count).map((row) => tapes.headers.map((header) => row[header] ?? ''))]
        .map((row) => row.join(','))
        .join('\n'),
    );
  const schedule = async (count: number, more: object) => {
    const key = await uploadTape(manager, { name: `pool-${count}.csv`, bytes: csv(count), type: 'text/csv' });
    const body = { companyId: tapes.company, mainCurrency: 'USD', attachments: [{ key }], ...more };
    const answer = await manager.post('/files/loanTapeScheduler', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json.loanTapes[0].id as string;
  };

  const asked = await schedule(6, { cutOffDate: '2018-07-31', onDoubt: 'ask' });
  const facts = (cutOffDate: string, assets: number) => ({
    cutOffDate,
    assets,
    balances: [{ sum: assets * 100, currency: 'USD' }],
  });
  expect(await tapes.finished(asked)).toMatchObject({
    processStatus: 'Pending',
    publishedAt: null,
    failure: null,
    questions: [
      {
        code: 'pool',
        data: { before: facts('2018-06-30', 40), now: facts('2018-07-31', 6), choices: ['publish'] },
      },
    ],
  });
  const assets = async () => (await manager.get('/crud/assets', { filter: { loanTape: asked } })).json;
  expect(await assets()).toEqual([]);
  const screens = await screensOf(tenant.emails.manager);
  const page = await screens.get(paths.tape(asked));
  expect(page.text).toContain('Is this the whole pool?');
  expectRefusal(await manager.post(`/LTP/questions/${asked}`, { answers: { pool: 'remove' } }), 400);
  const sent = await screens.submit(paths.tape(asked), { intent: 'answer', 'answers.pool': 'publish' });
  expect([sent.status, sent.headers.get('location')]).toEqual([302, paths.tape(asked)]);
  expect(await tapes.finished(asked)).toMatchObject({
    processStatus: 'Completed',
    counts: { assets: 6 },
    questions: [],
    answers: { pool: 'publish' },
    warnings: { assets: 0 },
  });
  expect(await assets()).toHaveLength(6);

  // Where nobody is to be asked, it is published with the question as a warning.
  const unasked = await schedule(30, { cutOffDate: '2018-08-31' });
  expect(await tapes.finished(unasked)).toMatchObject({ processStatus: 'Completed', counts: { assets: 30 } });
  const fewer = await schedule(7, { cutOffDate: '2018-09-30' });
  expect(await tapes.finished(fewer)).toMatchObject({
    processStatus: 'Completed',
    questions: [],
    warnings: { questions: [{ code: 'pool', data: { before: { assets: 30 }, now: { assets: 7 } } }] },
  });
  expect((await screens.get(paths.tape(fewer))).text).toContain('Size of the pool is in doubt: 7 assets');
});
