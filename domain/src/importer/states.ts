import { defineTransitions } from '../documents/transitions.ts';

/**
 * A Pending import waits for a worker, or has failed: its `failure` says why. Removing a Completed one undoes it:
 * everything that it created is removed.
 */
export const IMPORT_TRANSITIONS = defineTransitions<'Pending' | 'Processing' | 'Completed' | 'Removed'>('an import', {
  Pending: ['Processing', 'Removed'],
  Processing: ['Pending', 'Completed'],
  Completed: ['Removed'],
  Removed: [],
});
export type ImportState = (typeof IMPORT_TRANSITIONS)['states'][number];
