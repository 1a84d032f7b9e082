import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Contribution, Nav } from '../../entities/capital.ts';
import { LPCommitment } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { addHeader } from '../capital/headers.ts';
import { createFund } from '../funds/change-funds.ts';
import { createCommitment, removeCommitment } from './change-commitments.ts';
import { commitmentContent } from './commitment-content.ts';

let database: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
});
afterAll(() => database.close());

/** A commitment of each of two investors, of which the first has a call and a NAV. */
async function commitments(session: Session) {
  const { fund } = await createFund(session, {
    title: 'With documents',
    type: 'SMA',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: { sum: '1', currency: null },
    hardCap: { sum: '1', currency: null },
    classes: [],
    timeline: [],
    GPs: [],
    serviceProviders: [],
    excludeFromIRRCalculations: false,
  });
  const [first, second] = [0, 1].map((index) =>
    commitmentCreateSchema.parse({
      fund: fund.id,
      investor: { id: tenant.lpIds[index], kind: 'LP' },
      closingDate: '2025-01-31',
      maxCommitment: 100,
    }),
  );
  const withDocuments = await createCommitment(session, first!);
  const other = await createCommitment(session, second!);
  const of = {
    managerId: tenant.managerId,
    fundId: fund.id,
    investorKind: 'LP' as const,
    investorLPId: tenant.lpIds[0]!,
    currency: 'USD',
    cutOffDate: '2025-03-31',
  };
  const { em, now } = session;
  const commitmentId = withDocuments.id;
  const purposes = [{ title: 'Loans', kind: 'investments' as const, amount: '10' }];
  const call = { callNumber: '1', dueDate: '2025-04-15', purposes, pdfOptions: { fundLevel: false } };
  const activityId = await addHeader(session, 'contributions', { ...of, ...call });
  em.create(Contribution, { id: newId(now), ...of, commitmentId, activityId, ...call });
  em.create(Nav, { id: newId(now), ...of, commitmentId, gross: '10', net: '10' });
  await em.flush();
  return { withDocuments, other };
}

test('a commitment with documents is removed only together with them', async () => {
  await database.store.as(
    testActor({ type: 'manager', managerId: tenant.managerId }),
    async (session) => {
      const { withDocuments, other } = await commitments(session);
      const remove = (id: string, deleteAllContent: boolean) =>
        removeCommitment(session, { id, isDeleteAll: false, deleteAllContent });
      expect(await commitmentContent(session, [withDocuments.id])).toEqual(['1 call', '1 NAV']);
      expect(await commitmentContent(session, [other.id])).toEqual([]);
      await expect(remove(withDocuments.id, false)).rejects.toMatchObject({
        flags: { deleteAllContent: 'must be set: there are 1 call, 1 NAV' },
      });
      expect(await remove(other.id, false)).toEqual({ ids: [other.id] });
      expect(await remove(withDocuments.id, true)).toEqual({ ids: [withDocuments.id] });
      expect(await commitmentContent(session, [withDocuments.id])).toEqual([]);
      const call = await session.em.findOneOrFail(Contribution, { commitmentId: withDocuments.id });
      expect([call.status, call.removalReason]).toEqual(['Removed', 'The commitment was removed']);
      expect((await session.em.findOneOrFail(LPCommitment, withDocuments.id)).status).toBe('Removed');
    },
    { rollback: true },
  );
});
