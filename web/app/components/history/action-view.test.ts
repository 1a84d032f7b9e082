import type { Action, ActionCount } from '@tapeline/db/operations/history/actions.ts';
import type { DocumentTitle } from '@tapeline/db/operations/history/document-titles.ts';
import { differencesOf } from '@tapeline/domain/history/differences.ts';
import type { UpdatedField } from '@tapeline/domain/history/history.schema.ts';
import { describe, expect, it } from 'vitest';
import { actionView } from './action-view.ts';

const FUND = 'f'.repeat(24);
const DRAW = 'd'.repeat(24);
const AT = new Date('2026-11-20T09:14:05.120Z');
const MARA = {
  agent: null,
  ip: null,
  locale: null,
  timestamp: AT.toISOString(),
  entity: { id: 'a'.repeat(24), firstName: 'Mara', lastName: 'Holt' },
};

const titled = (resource: string, title: string): DocumentTitle => ({
  resource,
  title,
  currency: 'USD',
  code: 1,
  isStored: true,
  isRemoved: false,
});
const TITLES = new Map([
  [FUND, titled('funds', 'Harbour Credit Fund')],
  [DRAW, titled('draws', 'Draw 3, Warehouse A')],
]);

const action = (
  fields: UpdatedField[],
  count: Partial<ActionCount> = {},
  total = 1,
  titles: typeof TITLES = TITLES,
) => {
  const { resource = 'funds', operation = 'Update', documentId = FUND, status = null } = count;
  const found: Action = {
    id: '1'.repeat(24),
    at: AT,
    changedBy: MARA,
    total,
    counts: [{ resource, operation, status, documentId, documents: total, header: null, ...count }],
    changes: [
      {
        id: '1'.repeat(24),
        resource,
        documentId,
        operation,
        updatedFields: fields,
        differences: [...differencesOf(fields)],
        changedBy: MARA,
        changedAt: AT,
        recordedAt: AT,
      },
    ],
  };
  return actionView(found, titles);
};

const field = (name: string, old: unknown, now: unknown): UpdatedField => ({ field: name, old, new: now });
const hardCap = field('hardCap', '50000000', '60000000');

describe('an action of one change', () => {
  it.each<[string, UpdatedField[], Partial<ActionCount>]>([
    ['Changed fund Harbour Credit Fund: hard cap from 50,000,000 to 60,000,000 USD', [hardCap], {}],
    [
      'Changed fund Harbour Credit Fund: hard cap from 50,000,000 to 60,000,000 USD, description set to Senior loans',
      [hardCap, field('description', null, 'Senior loans')],
      {},
    ],
    ['Changed fund Harbour Credit Fund: description Old removed', [field('description', 'Old', null)], {}],
    [
      'Changed fund Harbour Credit Fund: one, two, three and 1 more',
      ['one', 'two', 'three', 'four'].map((name) => field(name, 'a', 'b')),
      {},
    ],
    ['Changed fund Harbour Credit Fund: one, two, three', ['one', 'two', 'three'].map((name) => field(name, 1, 2)), {}],
    ['Created fund Harbour Credit Fund', [hardCap], { operation: 'Insert', status: 'Draft' }],
    ['Removed fund Harbour Credit Fund', [], { operation: 'Delete', status: 'Removed' }],
    ['Approved draw 3, Warehouse A', [], { resource: 'draws', documentId: DRAW, status: 'Approved' }],
    ['Changed internal fields of fund Harbour Credit Fund', [field('fence', 1, 2)], {}],
    ['Changed a fund: hard cap from 50,000,000 to 60,000,000', [hardCap], { documentId: 'b'.repeat(24) }],
  ])('%s', (sentence, fields, count) => {
    expect(action(fields, count).sentence).toBe(sentence);
  });

  it('shortens values and titles', () => {
    const long = action([field('description', 'x'.repeat(500), 'y'.repeat(500))]);
    expect(long.sentence.length).toBeLessThan(250);
    const titles = new Map([[FUND, titled('funds', 'z'.repeat(500))]]);
    expect(action([], { operation: 'Insert' }, 1, titles).sentence.length).toBeLessThan(100);
  });
});

it('an action of several changes counts them, and those that are not shown', () => {
  const view = action([], { resource: 'LPs', operation: 'Insert', documents: 10_000 }, 10_000);
  expect(view).toMatchObject({
    sentence: 'Created 10,000 investors',
    more: 9999,
    by: { name: 'Mara Holt', userId: 'a'.repeat(24) },
    at: AT.toISOString(),
  });
});

it('an action that changed one tape twice says both', () => {
  const steps = [field('processStatus', 'Pending', 'Processing'), field('failure', null, 'Cancelled')];
  const twice: Action = {
    id: '1'.repeat(24),
    at: AT,
    changedBy: MARA,
    total: 2,
    counts: [
      { resource: 'loanTapes', operation: 'Update', status: null, documents: 1, documentId: FUND, header: null },
    ],
    changes: steps.map((step, at) => ({
      id: String(at).repeat(24),
      resource: 'loanTapes',
      documentId: FUND,
      operation: 'Update',
      updatedFields: [step],
      differences: [...differencesOf([step])],
      changedBy: MARA,
      changedAt: AT,
      recordedAt: AT,
    })),
  };
  expect(actionView(twice, new Map()).sentence).toBe('Processing started; Stopped: Cancelled');
});
