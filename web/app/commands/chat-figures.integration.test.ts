import { visibleNames } from '@tapeline/db/operations/chats/question-lists.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { makeTenant, type TestTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerFigure } from './chat-figures.server.ts';

let database: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, (session) => makeTenant(session));
});
afterAll(() => database.close());

test.each([
  ...['what is the availability of our facilities', 'our balance', 'our net borrowing base', 'our utilization'],
  ...['when do our facilities mature', 'our NAV', 'our IRR', 'our TVPI', 'how much have we called so far'],
  ...['how much have we distributed in 2025', 'our unfunded commitment', 'our written off'],
])('“%s” is answered with a figure, its date and a link', async (text) => {
  const actor = testActor({ type: 'manager', managerId: tenant.managerId });
  const answer = await database.store.as(actor, async (session) =>
    answerFigure(session, actor, { text, names: await visibleNames(session), today: '2026-10-31' }),
  );
  expect(answer).toMatchObject({ text: expect.stringMatching(/of .+: /), figures: expect.any(Array) });
  expect(answer?.figures?.length).toBeGreaterThan(0);
  expect(answer?.links?.length).toBeGreaterThan(0);
});
