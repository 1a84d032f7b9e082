import { defineTransitions } from '../documents/transitions.ts';
import type { ItemStatus } from './deliverable-labels.ts';

/** What is sent is accepted or returned; what was accepted by mistake is returned, and a waiver can be withdrawn. */
export const ITEM_TRANSITIONS = defineTransitions<ItemStatus>('an item', {
  Received: ['Accepted', 'Returned'],
  Accepted: ['Returned'],
  Returned: [],
  Waived: ['Withdrawn'],
  Withdrawn: [],
});
