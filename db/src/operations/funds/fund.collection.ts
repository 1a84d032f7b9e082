import type { StoredCollection } from '../../collections/stored-collection.ts';
import { Fund, MainFund } from '../../entities/funds.ts';

const terms = `t.currency || ', ' || replace(t.type, 'ComingleFund', 'Commingled fund')`;

export const storedFunds = {
  entity: Fund,
  title: 't.title',
  currency: 't.currency',
  // Headers exist as long as their lines do, which are counted by their commitments.
  parts: [
    ['capital_calls', 'fund_id'],
    ['distribution_events', 'fund_id'],
  ],
  found: { detail: terms, numbered: /^fund$/, named: 't.title' },
  party: { name: 'title', isEntity: 'entity_id = $1' },
} as const satisfies StoredCollection;

export const storedMainFunds = {
  entity: MainFund,
  title: 't.title',
  currency: 't.currency',
  found: { detail: terms, named: 't.title' },
} as const satisfies StoredCollection;
