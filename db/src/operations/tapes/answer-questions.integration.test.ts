import { currencyQuestions } from '@tapeline/domain/tapes/tape-questions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LoanTape } from '../../entities/tapes.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { answerQuestions, questionsOfTape } from './answer-questions.ts';
import { restartTape } from './generations.ts';

let database: TestDatabase;
let tenant: TestTenant;
let tape: { id: string; company_id: string };
const FACTS = { file: null, company: 'NGN', mapping: 'USD', tape: 'USD' } as const;
const asManager = <Result>(work: (session: Session) => Promise<Result>) =>
  database.store.as(testActor({ type: 'manager', managerId: tenant.managerId }), work);
const ask = () =>
  database.query(
    `update loan_tapes set generation_id = null, published_at = null, scheduler_status = 'Completed', process_status = 'Pending', questions = $2
     where id = $1`,
    [tape.id, JSON.stringify(currencyQuestions(FACTS))],
  );

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  [tape] = (await database.query('select id, company_id from loan_tapes where generation_id is not null limit 1')) as [
    typeof tape,
  ];
});
afterAll(() => database.close());

test('the database publishes and processes no tape with an open question', async () => {
  const [{ generation_id: published }] = (await database.query('select generation_id from loan_tapes where id = $1', [
    tape.id,
  ])) as [{ generation_id: string }];
  await ask();
  const change = (set: string, values: unknown[] = []) =>
    database.query(`update loan_tapes set ${set} where id = $1`, [tape.id, ...values]);
  for (const [set, values] of [
    ['generation_id = $2, published_at = now()', [published]],
    [`scheduler_status = 'Processing'`, []],
    [`process_status = 'Completed'`, []],
  ] as const) {
    await expect(change(set, [...values]), set).rejects.toThrow('loan_tapes_questions');
  }
  await expect(asManager((session) => restartTape(session, { tapeId: tape.id }))).rejects.toMatchObject({
    code: 'badRequest',
    message: 'Answer the open questions of the tape first',
  });
  await change(`questions = '[]', scheduler_status = 'Processing'`);
});

test('answers set the currencies of the tape and start it, once; a different answer is asked again', async () => {
  await ask();
  const command = { tapeId: tape.id, answers: { amountCurrency: 'NGN', mainCurrency: 'USD' } };
  await asManager((session) => answerQuestions(session, command));
  const stored = await database.store.as(SYSTEM, ({ em }) => em.findOneOrFail(LoanTape, { id: tape.id }));
  expect(stored).toMatchObject({
    primaryCurrency: 'NGN',
    mainCurrency: 'USD',
    questions: [],
    schedulerStatus: 'Processing',
    settledQuestions: [{ answer: 'NGN' }, { answer: 'USD' }],
  });
  await expect(asManager((session) => answerQuestions(session, command))).rejects.toMatchObject({ code: 'badRequest' });
  const next = (facts: object) =>
    asManager((session) => questionsOfTape(session, { companyId: tape.company_id, facts: { ...FACTS, ...facts } }));
  // The main currency was kept as uploaded. The mapping still says dollars, which the person denied.
  const { questions, settled } = await next({});
  expect([questions, settled].map((each) => each.map(({ code }) => code))).toEqual([
    ['amountCurrency'],
    ['mainCurrency'],
  ]);
  expect((await next({ file: 'EUR' })).questions).toHaveLength(2);
  expect(await next({ company: 'USD' })).toEqual({ questions: [], settled: [] });
});
