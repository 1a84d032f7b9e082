import { defineTransitions } from '../documents/transitions.ts';

/** An issued invoice never changes: it is withdrawn, with a reason, and another one is prepared. */
export const INVOICE_TRANSITIONS = defineTransitions<'Draft' | 'Active' | 'Removed'>('an invoice', {
  Draft: ['Active', 'Removed'],
  Active: ['Removed'],
  Removed: [],
});
export type InvoiceStatus = (typeof INVOICE_TRANSITIONS)['states'][number];
