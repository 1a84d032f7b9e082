import { describe, expect, it } from 'vitest';
import { type ActionPart, describeAction, namedDocument, verbOf } from './action-sentence.ts';

const part = (values: Partial<ActionPart> & Pick<ActionPart, 'resource'>): ActionPart => ({
  operation: 'Update',
  status: null,
  documents: 1,
  title: null,
  header: null,
  ...values,
});

describe('an action in a sentence', () => {
  const call = part({
    resource: 'contributions',
    status: 'Active',
    documents: 12,
    header: 'capital call 9 of Harbour Credit Fund',
  });
  it.each<[string, ActionPart[]]>([
    ['Issued capital call 9 of Harbour Credit Fund: 12 notices', [call]],
    ['Issued 12 notices', [{ ...call, header: null }]],
    ['Created capital call 9 of Harbour Credit Fund: 12 notices', [{ ...call, operation: 'Insert', status: 'Draft' }]],
    [
      'Removed capital call 9 of Harbour Credit Fund: 12 notices',
      [{ ...call, operation: 'Delete', status: 'Removed' }],
    ],
    ['Issued notice Alpine', [{ ...call, documents: 1, title: 'Alpine' }]],
    [
      'Created borrower Northwind: 1 entity',
      [
        part({ resource: 'entities', operation: 'Insert', title: 'Northwind' }),
        part({ resource: 'companies', operation: 'Insert', status: 'Active', title: 'Northwind' }),
      ],
    ],
    [
      'Approved draw 3, Warehouse A: 1 facility changed',
      [
        part({ resource: 'transactions', title: 'Warehouse A' }),
        part({ resource: 'draws', status: 'Approved', title: 'Draw 3, Warehouse A' }),
      ],
    ],
    [
      'Published: 4,984 assets; 1 proposed correction accepted',
      [
        part({ resource: 'loanTapes', sentence: 'Published: 4,984 assets' }),
        part({ resource: 'correctionProposals', status: 'Accepted' }),
      ].toReversed(),
    ],
    [
      'Created 14 entities: 25 users',
      [
        part({ resource: 'users', operation: 'Insert', status: 'Active', documents: 18 }),
        part({ resource: 'users', operation: 'Insert', status: 'Pending', documents: 7 }),
        part({ resource: 'entities', operation: 'Insert', documents: 14 }),
      ].toReversed(),
    ],
    [
      'Published announcement Annual meeting',
      [
        part({ resource: 'announcements', operation: 'Insert', status: 'Active', title: 'Annual meeting' }),
        part({ resource: 'announcements', title: 'Annual meeting' }),
      ],
    ],
    [
      'Created 2 borrowers: 3 funds, 3 investors, 3 facilities, 3 service providers, and 1 more',
      [
        part({ resource: 'companies', operation: 'Insert', documents: 2 }),
        ...['funds', 'LPs', 'transactions', 'serviceProviders', 'users'].map((resource) =>
          part({ resource, operation: 'Insert', documents: 3 }),
        ),
      ],
    ],
    ['Changed 2 NAVs', [part({ resource: 'navs', documents: 2 })]],
    ['Changed 1 fund', [part({ resource: 'funds' })]],
    ['Created 10,000 investors', [part({ resource: 'LPs', operation: 'Insert', documents: 10_000 })]],
  ])('%s', (sentence, parts) => {
    expect(describeAction(parts)).toBe(sentence);
  });

  it('names what a change of the status is called in its collection, and elsewhere', () => {
    const verb = (resource: string, status: string | null, operation: ActionPart['operation'] = 'Update') =>
      verbOf({ resource, status, operation });
    expect([
      verb('reports', 'Active'),
      verb('funds', 'Active'),
      verb('funds', 'Active', 'Insert'),
      verb('distributions', 'Active', 'Insert'),
      verb('loanTapes', 'Something'),
      verb('loanTapes', null, 'Permanent Delete'),
    ]).toEqual(['Published', 'Activated', 'Created', 'Issued', 'Changed', 'Permanently deleted']);
  });

  it('says what a document is unless its title does', () => {
    expect(namedDocument('draws', 'Draw 3, Warehouse A')).toBe('draw 3, Warehouse A');
    expect(namedDocument('draws', 'Drawbridge')).toBe('draw request Drawbridge');
    expect(namedDocument('funds', 'Harbour')).toBe('fund Harbour');
  });
});
