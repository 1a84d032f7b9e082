import { afterAll, beforeAll, expect, test } from 'vitest';
import { testActor } from '../../testing/actors.ts';
import { type CashLedger, openCashLedger } from '../../testing/cash-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { searchDocuments } from '../search/search.ts';
import { owedOfReference } from './find-by-reference.ts';
import { listObligations, type Obligation } from './obligations.ts';

const NOW = new Date('2026-04-20T12:00:00Z');

let database: TestDatabase;
let one: CashLedger;
let two: CashLedger;
let owed: Obligation;
let paid: string;
let stating: string;
beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = [await openCashLedger(database, { now: NOW }), await openCashLedger(database, { now: NOW })];
  owed = (await one.as((session) => listObligations(session, { kind: 'contribution' }))).obligations[0]!;
  const first = await one.record('30', '2026-04-14', { remittance: 'first part' });
  await one.allocate(first.id, '30', owed.documentId);
  paid = first.id;
  stating = (await one.record('20', '2026-04-15', { remittance: `for ${owed.reference.toLowerCase()} thanks` })).id;
  // Another fund’s, which ends in the same signs.
  await one.record('21', '2026-04-15', { remittance: `X9${owed.reference.replaceAll(/-|^[A-Z]+/g, '')}` });
});
afterAll(() => database.close());

const paymentsFound = async (text: string, ledger = one, actor = ledger.manager()) => {
  const groups = await database.store.read(actor, (session) => searchDocuments({ ...session, actor }, text));
  return groups.flatMap(({ kind, documents }) => (kind === 'payment' ? documents.map(({ id }) => id) : [])).sort();
};
const owedFound = async (text: string, actor = one.manager()) =>
  (await database.store.read(actor, (session) => owedOfReference(session, text))).map(({ documentId }) => documentId);

test.each<[string, (reference: string) => string]>([
  ['as it is', (reference) => reference],
  ['in lower case, without hyphens', (reference) => reference.toLowerCase().replaceAll('-', '')],
  ['within a text', (reference) => `Call of ${reference}, thanks`],
])('a reference %s finds what is owed, what pays it and what states it', async (_, written) => {
  const text = written(owed.reference);
  expect(await owedFound(text)).toEqual([owed.documentId]);
  expect(await paymentsFound(text)).toEqual([paid, stating].sort());
});

test('a reference with a wrong digit, and a part of one, find nothing', async () => {
  const digit = Number(owed.reference.at(-1));
  for (const text of [`${owed.reference.slice(0, -1)}${(digit + 1) % 10}`, owed.reference.slice(0, -2), 'first part']) {
    expect(await owedFound(text), text).toEqual([]);
    expect(await paymentsFound(text), text).toEqual([]);
  }
});

test('who has no permission, and another manager, find nothing of it', async () => {
  const { reference, party } = owed;
  expect(
    await paymentsFound(reference, one, one.manager({ permissions: ['contributions/read', 'funds/read'] })),
  ).toEqual([]);
  expect(await owedFound(reference, one.manager({ permissions: ['payments/read', 'funds/read'] }))).toEqual([]);
  // Funds and investors of both managers have the same numbers.
  const others = (await two.as((session) => listObligations(session, {}))).obligations.map(
    ({ documentId }) => documentId,
  );
  const [ofOther, ...more] = await owedFound(reference, two.manager());
  expect(others).toContain(ofOther);
  expect(more).toEqual([]);
  expect(await paymentsFound(reference, two)).toEqual([]);
  const investor = (lp: string) =>
    testActor({
      type: 'LP',
      managerId: one.tenant.managerId,
      lpIds: [lp],
      permissions: ['contributions/read', 'funds/read', 'LPs/read'],
    });
  expect(await owedFound(reference, investor(party!.id))).toEqual([owed.documentId]);
  expect(await owedFound(reference, investor(one.tenant.lpIds.find((id) => id !== party!.id)!))).toEqual([]);
  expect(await paymentsFound(reference, one, investor(party!.id))).toEqual([]);
});
