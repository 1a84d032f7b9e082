import { CHAT_LIMITS } from '@tapeline/domain/chats/chat.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fund } from '../../entities/funds.ts';
import { User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listCallHeaders } from '../capital/calls-and-distributions.ts';
import {
  createGroupFilter,
  getGroupFilter,
  listGroupFilters,
  removeGroupFilter,
  updateGroupFilter,
} from '../group-filters/group-filters.ts';
import { createdMetadata } from '../metadata.ts';
import { draftContracts } from '../transactions/contracts.ts';
import { addMessage, createChat, getChat, listChats, removeChats } from './chats.ts';
import {
  listsOf,
  mainCurrencyOf,
  mainCurrencyOfTapes,
  matchesOf,
  placesOf,
  type QuestionList,
  visibleNames,
} from './question-lists.ts';

let database: TestDatabase;
let one: UserActor;
let colleague: UserActor;
let ofOther: UserActor;
let fundId: string;
let otherFundId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    const { em, now } = session;
    const [first, second] = [await makeTenant(session), await makeTenant(session)];
    fundId = first.fundId;
    otherFundId = second.fundId;
    const makeUser = (managerId: string): UserActor => {
      const id = newId(now);
      const assoc = { manager: { id: managerId } };
      em.create(User, {
        id,
        firstName: 'Mia',
        lastName: 'Holt',
        email: `${id}@example.test`,
        type: 'manager',
        assoc,
        managerId,
      });
      return { ...testActor({ type: 'manager', managerId }), userId: id };
    };
    one = makeUser(first.managerId);
    colleague = makeUser(first.managerId);
    ofOther = makeUser(second.managerId);
  });
});
afterAll(() => database.close());

const start = (actor: UserActor) =>
  database.store.as(actor, (session) =>
    createChat(
      session,
      { title: '', task: 'mongoFilter', text: 'funds' },
      { text: 'One fund.', filter: {}, count: 1, list: 'funds' },
    ),
  );

test('a chat is its user’s own: nobody else lists, reads, continues or deletes it', async () => {
  const { id } = await start(one);
  const seen = await database.store.as(one, (session) => getChat(session, id));
  expect(seen).toMatchObject({
    title: 'funds',
    tasks: [{ type: 'mongoFilter', count: 1, messages: [{ from: 'user', text: 'funds' }, { from: 'assistant' }] }],
  });
  for (const actor of [colleague, ofOther, testActor({ type: 'admin' })]) {
    const listed = await database.store.read(actor, (session) => listChats(session));
    expect(listed.documents.map((chat) => chat.id)).not.toContain(id);
    await expect(database.store.as(actor, (session) => getChat(session, id))).rejects.toMatchObject({
      code: 'notFound',
    });
    await expect(
      database.store.as(actor, (session) => addMessage(session, id, 'more', { text: 'no' })),
    ).rejects.toMatchObject({ code: 'notFound' });
    await expect(database.store.as(actor, (session) => removeChats(session, [id]))).rejects.toMatchObject({
      code: 'notFound',
    });
  }
  await database.store.as(one, (session) => removeChats(session, [id]));
  await expect(database.store.as(one, (session) => getChat(session, id))).rejects.toMatchObject({ code: 'notFound' });
});

test('an answer that asks back keeps the filter; a new filter replaces it', async () => {
  const { id } = await start(one);
  const asked = await database.store.as(one, (session) =>
    addMessage(session, id, 'good ones', { text: 'Which?', choices: [{ label: 'A', question: 'a' }] }),
  );
  expect(asked.tasks[0]).toMatchObject({ count: 1, filter: {}, messages: { length: 4 } });
  const answered = await database.store.as(one, (session) =>
    addMessage(session, id, 'in dollars', { text: 'None.', filter: { currency: 'USD' }, count: 0, list: 'funds' }),
  );
  expect(answered.tasks[0]).toMatchObject({ count: 0, filter: { currency: 'USD' } });
});

test('a chat takes as many messages as the limit, and no more', async () => {
  const { id } = await start(one);
  await database.query(
    `update chats set tasks = jsonb_set(tasks, '{0,messages}', (select jsonb_agg(jsonb_build_object('from', 'user', 'text', 'x', 'at', ''))
     from generate_series(1, $2))) where id = $1`,
    [id, CHAT_LIMITS.messages - 2],
  );
  const full = await database.store.as(one, (session) => addMessage(session, id, 'last', { text: 'yes' }));
  expect(full.tasks[0]?.messages).toHaveLength(CHAT_LIMITS.messages);
  await expect(
    database.store.as(one, (session) => addMessage(session, id, 'more', { text: 'no' })),
  ).rejects.toMatchObject({ code: 'badRequest', flags: { text: expect.stringMatching(/at most 200 messages/) } });
  await expect(
    database.query(
      `update chats set tasks = jsonb_set(tasks, '{0,messages}', (tasks #> '{0,messages}') || '[{}]') where id = $1`,
      [id],
    ),
  ).rejects.toThrow(/check constraint/);
});

test('questions count what the user can see, and know no other names', async () => {
  const [names, found] = await database.store.read(one, async (session) => [
    await visibleNames(session),
    await matchesOf(session, 'funds', {}, 10),
  ]);
  expect(found).toEqual({ ids: [fundId], total: 1 });
  expect(names.fund?.map(({ value }) => value)).toEqual([fundId]);
  expect(names.company?.length).toBe(2);
});

test('the currency of a list is the one of all amounts that the user sees, and none of several', async () => {
  const of = (list: QuestionList) => database.store.read(one, (session) => mainCurrencyOf(session, list));
  const currencyOf = (currency: string) =>
    database.store.as(SYSTEM, async (session) => {
      const { em } = session;
      const { managerId } = await em.findOneOrFail(Fund, fundId);
      const fund = {
        title: 'Of its own currency',
        type: 'SMA',
        strategy: 'ABL',
        targetSize: '1',
        hardCap: '2',
      } as const;
      em.create(Fund, { id: newId(), managerId, ...fund, currency, metadata: createdMetadata(session) });
    });
  const before = await of('funds');
  expect(before).toMatch(/^[A-Z]{3}$/);
  await currencyOf(before ?? '');
  expect(await of('funds')).toBe(before);
  await currencyOf(before === 'CHF' ? 'SEK' : 'CHF');
  expect(await of('funds')).toBeNull();
  expect(await of('draws')).toBe('USD');
  expect(await database.store.read(one, (session) => mainCurrencyOfTapes(session, []))).toBe('USD');
});

test('contributions are found in their calls, and commitments in their funds', async () => {
  const [calls, places, funds, none] = await database.store.read(one, async (session) => [
    await listCallHeaders(session),
    await placesOf(session, 'contributions', { filter: { status: { neq: 'Removed' } }, limit: 10 }),
    await placesOf(session, 'commitments', { filter: {}, limit: 1 }),
    await placesOf(session, 'commitments', { filter: { currency: 'XXX' }, limit: 1 }),
  ]);
  expect(calls.total).toBeGreaterThan(0);
  expect(places.values.map(({ value }) => value).sort()).toEqual(calls.rows.map(({ id }) => id).sort());
  expect(places.total).toBe(calls.total);
  expect(places.rows).toBeGreaterThanOrEqual(places.total);
  expect(funds).toMatchObject({ values: [{ value: fundId }], total: 1 });
  expect(none).toEqual({ values: [], total: 0, rows: 0, amounts: 'row' });
});

test('an amount is that of the whole call, unless an investor is named or notices are asked for', async () => {
  const found = (filter: object, byRow = false) =>
    database.store.read(one, async (session) => {
      const { values, amounts } = await placesOf(session, 'contributions', { filter, limit: 10, byRow });
      return { ids: values.map(({ value }) => value), amounts };
    });
  const { rows } = await database.store.read(one, (session) => listCallHeaders(session));
  const call = rows.find(({ investors }) => investors > 0);
  if (!call) throw new Error('The tenant has a call');
  const whole = { amount: { gte: Number(call.amount) }, fund: call.fundId };
  expect(await found(whole)).toMatchObject({ ids: expect.arrayContaining([call.id]), amounts: 'whole' });
  expect((await found({ amount: { gt: Number(call.amount) }, callNumber: call.callNumber })).ids).not.toContain(
    call.id,
  );
  expect(await found({ ...whole, 'investor.kind': 'LP' })).toMatchObject({ amounts: 'row' });
  expect(await found(whole, true)).toMatchObject({ amounts: 'row' });
  expect(await found({ $or: [whole, { status: 'Closed' }] })).toMatchObject({ amounts: 'row' });
});

test('two amounts that are compared are both those of the whole distribution', async () => {
  const filter = { principal: { lte: { $field: 'totalDistributed' } } };
  const found = await database.store.read(one, (session) => placesOf(session, 'distributions', { filter, limit: 10 }));
  expect(found).toMatchObject({ amounts: 'whole' });
  expect(found.total).toBeGreaterThan(0);
});

test('a filter is offered to the drafts that the user may change', async () => {
  const before = await database.store.as(one, (session) => draftContracts(session, 10));
  await database.query(`update contracts set status = 'Draft' where manager_id = any ($1)`, [
    [one.managerId, ofOther.managerId],
  ]);
  const after = await database.store.as(one, (session) => draftContracts(session, 1));
  expect(after.drafts).toHaveLength(1);
  expect(after.total).toBeGreaterThan(before.total);
  const owners = await database.query('select manager_id from contracts where id = $1', [after.drafts[0]?.id]);
  expect(owners).toEqual([{ manager_id: one.managerId }]);
  const reader = { ...one, permissions: ['transactions/read' as const] };
  await expect(database.store.as(reader, (session) => draftContracts(session, 1))).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test('lists are offered by permission', () => {
  expect(listsOf({ ...one, permissions: ['funds/read'] })).toEqual(['funds']);
});

test('a saved filter is private, names only what its user can see, and guards its version', async () => {
  const body = { title: 'My funds', filters: { funds: [fundId, fundId], investors: [] } };
  const filter = await database.store.as(one, (session) => createGroupFilter(session, body));
  expect(filter.fundIds).toEqual([fundId]);
  await expect(
    database.store.as(one, (session) =>
      createGroupFilter(session, { ...body, filters: { funds: [otherFundId], investors: [] } }),
    ),
  ).rejects.toMatchObject({ code: 'badRequest', flags: { 'filters.funds.0': 'is not the id of a fund' } });
  await expect(database.store.as(colleague, (session) => getGroupFilter(session, filter.id))).rejects.toMatchObject({
    code: 'notFound',
  });
  const update = { ...body, title: 'Mine', version: filter.version };
  const changed = await database.store.as(one, (session) =>
    updateGroupFilter(session, { id: filter.id, body: update }),
  );
  expect(changed.title).toBe('Mine');
  await expect(
    database.store.as(one, (session) => updateGroupFilter(session, { id: filter.id, body: update })),
  ).rejects.toMatchObject({ code: 'badRequest' });
  await database.store.as(one, (session) => removeGroupFilter(session, filter.id));
  const left = await database.store.read(one, (session) => listGroupFilters(session));
  expect(left.documents.map(({ id }) => id)).not.toContain(filter.id);
});

test('the database refuses a saved filter of nothing', async () => {
  const nothing = database.store.as(one, async (session) => {
    await session.query(`insert into group_filters (id, manager_id, user_id, title) values ($1, $2, $3, 'Nothing')`, [
      newId(session.now),
      one.managerId,
      one.userId,
    ]);
  });
  await expect(nothing).rejects.toThrow(/group_filters_some/);
});
