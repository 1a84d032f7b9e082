import { expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { expectRefusal } from '../api-client.ts';
import { northwindTapes, uploadTape } from '../northwind-tapes.ts';
import { fieldsOf, read, screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';
import { createTwoNotes } from '../two-notes.ts';

const tenant = ownTenant();
const limited = ownTenant();

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

it('changes beyond the limits of a contract are asked about before a tape is published', async () => {
  const { manager } = limited;
  const { tapes, transaction } = await createTwoNotes(manager, [], {
    tapeLimits: { changedPercent: 20, leftPercent: 30 },
  });
  const publish = async (cutOffDate: string, rows: readonly Parameters<typeof tapes.loan>[0][], onDoubt = 'ask') => {
    const loans = rows.map((row) =>
      tapes.loan({ 'FICO at Origination': 700, Grade: 'A', State: 'CA', 'Original Amount': 1000, ...row }),
    );
    const bytes = Buffer.from(
      [tapes.headers, ...loans.map((row) => tapes.headers.map((header) => row[header] ?? ''))]
        .map((row) => row.join(','))
        .join('\n'),
    );
    const key = await uploadTape(manager, { name: `limits-${cutOffDate}.csv`, bytes, type: 'text/csv' });
    const body = { companyId: tapes.company, mainCurrency: 'USD', attachments: [{ key }], cutOffDate, onDoubt };
    const answer = await manager.post('/files/loanTapeScheduler', body);
    expect(answer.status, answer.text).toBe(201);
    const id = answer.json.loanTapes[0].id as string;
    return { id, tape: await tapes.finished(id) };
  };
  const row = (n: number, balance: number, more: object = {}) => ({
    'Loan ID': `L-${n}`,
    'Borrower ID': `L-${n}`,
    'Principal Balance': balance,
    ...more,
  });
  // The balance of one of four loans grew: 25% of those on both tapes. Nothing left.
  const changed = await publish('2017-04-30', [
    row(1, 900),
    row(2, 700),
    row(3, 500, { 'FICO at Origination': 612 }),
    row(4, 500, { State: 'NY', Grade: 'B' }),
  ]);
  expect(changed.tape).toMatchObject({
    processStatus: 'Pending',
    publishedAt: null,
    questions: [
      {
        code: 'changes',
        data: {
          ...{ since: '2017-03-31', matched: 4, changed: 1, changes: [{ kind: 'grew', count: 1 }] },
          ...{ changedPercent: '25', changedLimit: '20', leftPercent: '0', leftLimit: '30' },
          choices: ['publish'],
        },
      },
    ],
  });
  const screens = await screensOf(limited.emails.manager);
  const page = read(await screens.get(paths.tape(changed.id)));
  expect(page).toContain('1 of 4 loans (25.00%) have changes that should not happen, at most 20% may.');
  expectRefusal(await manager.post(`/LTP/questions/${changed.id}`, { answers: { pool: 'publish' } }), 400);
  const sent = await screens.submit(paths.tape(changed.id), { intent: 'answer', 'answers.changes': 'publish' });
  expect(sent.status).toBe(302);
  expect(await tapes.finished(changed.id)).toMatchObject({
    processStatus: 'Completed',
    answers: { changes: 'publish' },
  });

  // 500 of 2,600 left, 19.2%: within the limit of 30%.
  const within = await publish('2017-05-31', [row(1, 900), row(2, 700), row(3, 500)]);
  expect(within.tape).toMatchObject({ processStatus: 'Completed', questions: [] });
  // 700 of 2,100 left, 33.3%: beyond it. Where nobody is to be asked, it is a warning.
  const beyond = await publish('2017-06-30', [row(1, 900), row(3, 500)], 'publish');
  expect(beyond.tape).toMatchObject({
    processStatus: 'Completed',
    warnings: { questions: [{ code: 'changes', data: { leftPercent: '33.33333334', changed: 0 } }] },
  });
  expect(read(await screens.get(paths.tape(beyond.id)))).toContain(
    '33.33% of the balance is no longer reported, at most 30% may be',
  );

  // The limits are in the contract, whose next version changes them without scripts.
  const [senior] = (await manager.get(`/crud/transactions/${transaction}`)).json.notes;
  const terms = { tab: 'advance' } as const;
  expect(read(await screens.get(paths.contract(senior.contracts[0].id, terms)))).toContain(
    'If more than 20% of the loans have changes that should not happen, or 30% of the balance is no longer reported',
  );
  const copied = await screens.submit(paths.contract(senior.contracts[0].id), { intent: 'newVersion' });
  const draft = copied.headers.get('location') as string;
  const address = `${draft}?tab=advance&edit=tapeLimits`;
  const fields = fieldsOf(await screens.get(address), 'leftPercent');
  expect(fields).toMatchObject({ changedPercent: '20', leftPercent: '30' });
  const wrong = await screens.submit(address, { ...fields, leftPercent: '101' });
  expect(read(wrong)).toContain('A limit of a tape is from 0 to 100%');
  const saved = await screens.submit(address, { ...fields, changedPercent: '', leftPercent: '5' });
  expect(saved.status, read(saved).slice(0, 500)).toBe(302);
  expect(read(await screens.get(`${draft}?tab=advance`))).toContain(
    'If more than 5% of the balance is no longer reported',
  );
});
