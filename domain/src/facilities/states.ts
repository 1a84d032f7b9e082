import { defineTransitions } from '../documents/transitions.ts';
import type { CONTRACT_STATUSES } from './contract.schema.ts';

/** A contract in force is never edited: a new version replaces it, and closes it. */
export const CONTRACT_TRANSITIONS = defineTransitions<(typeof CONTRACT_STATUSES)[number]>('a contract', {
  Draft: ['Active'],
  Active: ['Closed'],
  Closed: [],
});

export const TRANSACTION_STATUSES = ['Draft', 'Active', 'Closed', 'Removed'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** A transaction with draws, repayments or borrowing bases is closed instead of removed, and stays for its figures. */
export const TRANSACTION_TRANSITIONS = defineTransitions<TransactionStatus>('a facility', {
  Draft: ['Active', 'Removed'],
  Active: ['Closed', 'Removed'],
  Closed: [],
  Removed: [],
});
