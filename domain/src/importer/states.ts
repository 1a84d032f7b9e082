import { defineTransitions } from '../documents/transitions.ts';

/**
 * A Pending import waits for a worker, or has failed: its `failure` says why. Removing a Completed one undoes it:
 * everything that it created is removed. Removing one before cancels it.
 */
export const IMPORT_TRANSITIONS = defineTransitions<'Pending' | 'Processing' | 'Completed' | 'Removed'>('an import', {
  Pending: ['Processing', 'Removed'],
  Processing: ['Pending', 'Completed', 'Removed'],
  Completed: ['Removed'],
  Removed: [],
});
/** Why nothing was imported. */
export const CANCELLED_IMPORT = 'The import was cancelled. Nothing was imported.';

export type ImportState = (typeof IMPORT_TRANSITIONS)['states'][number];
