import { valuesOf } from '../documents/labels.ts';
import { defineTransitions } from '../documents/transitions.ts';

// Documents that have no labels are drafts as well, so these are names and not the labels of an enumeration.
const STATE_NAMES = {
  Draft: 'Draft',
  Submitted: 'Submitted',
  InReview: 'In review',
  Accepted: 'Accepted',
  Disputed: 'Disputed',
  Superseded: 'Superseded',
} as const;
/** The state of a borrower's certificate. */
export const CERTIFICATION_STATUS_LABELS = STATE_NAMES;
export const CERTIFICATION_STATUSES = valuesOf(CERTIFICATION_STATUS_LABELS);
export type CertificationStatus = (typeof CERTIFICATION_STATUSES)[number];

/** A later certificate of the same borrowing base supersedes one that was submitted, and one that was accepted once it is accepted itself. */
export const CERTIFICATION_TRANSITIONS = defineTransitions<CertificationStatus>('a borrower’s certificate', {
  Draft: ['Submitted'],
  Submitted: ['InReview', 'Superseded'],
  InReview: ['Accepted', 'Disputed', 'Superseded'],
  Accepted: ['Superseded'],
  Disputed: ['Superseded'],
  Superseded: [],
});

/** The borrower confirms the calculated figures, or gives its own. */
export const FIGURES_LABELS = {
  ours: 'Confirms the calculated figures',
  own: 'Gives its own figures',
} as const;

/** Lines of a certificate that the borrower gives, and lines that one dispute names. */
export const MAX_OWN_LINES = 200;
/** Certificates of one borrowing base, with those that were superseded. */
export const MAX_CERTIFICATIONS = 50;

/** What the borrower certifies, unless the contract has a text of its own. */
export const certificationText = (ofContract: string | null | undefined, cutOff: string): string =>
  ofContract ??
  `The undersigned certifies that the figures above are calculated from the loan tape of ${cutOff} under the contract of the note, and that the loan tape is complete and correct to the best of their knowledge.`;
