import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';

/** What the borrower does with each borrowing base under a contract. Apart from the schemas, which pages do not load. */
export const CERTIFYING_LABELS = {
  optional: 'If it wants to',
  required: 'Each borrowing base',
  beforeDraws: 'Each borrowing base, and draws use the accepted one',
} as const;

export const certifyingOf = ({
  certification,
}: Pick<TransactionContract, 'certification'>): keyof typeof CERTIFYING_LABELS =>
  certification ? (certification.drawsUseAccepted ? 'beforeDraws' : 'required') : 'optional';
