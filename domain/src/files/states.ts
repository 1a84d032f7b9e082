import { defineTransitions } from '../documents/transitions.ts';

export type FileStatus = 'Pending' | 'Active' | 'Removed';

/** A file is Pending until its bytes are uploaded and checked. */
export const FILE_TRANSITIONS = defineTransitions<FileStatus>('a file', {
  Pending: ['Active', 'Removed'],
  Active: ['Removed'],
  Removed: [],
});
