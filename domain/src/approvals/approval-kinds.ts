import { valuesOf } from '../documents/labels.ts';
import { can, isOutsider, type PermissionKey, readKeyOf, type UserActor } from '../people/actor.ts';

/** What waits for a person's decision, by kind. */
export const APPROVAL_KIND_LABELS = {
  draw: 'Draw',
  correction: 'Correction',
  call: 'Capital call',
  distribution: 'Distribution',
  writeOff: 'Write-off',
  navs: 'NAVs',
  statements: 'Statements',
  fundTerms: 'Fund terms',
  investorTerms: 'Investor terms',
  contract: 'Contract',
  payoutAccount: 'Bank account',
  paymentRun: 'Payment run',
} as const;
export const APPROVAL_KINDS = valuesOf(APPROVAL_KIND_LABELS);
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** The permission to decide each kind. */
export const APPROVAL_PERMISSIONS: Readonly<Record<ApprovalKind, PermissionKey>> = {
  draw: 'transactionDraw/write',
  correction: 'assets/write',
  call: 'contributions/write',
  distribution: 'distributions/write',
  writeOff: 'funds/write',
  navs: 'funds/write',
  statements: 'funds/write',
  fundTerms: 'funds/write',
  investorTerms: 'LPs/commitments/write',
  contract: 'transactions/write',
  // Without it, account numbers are masked.
  payoutAccount: 'entities/write',
  paymentRun: 'payments/release',
};

type Decider = Pick<UserActor, 'type' | 'managerId' | 'permissions'>;

/**
 * The kinds that a person decides. Only a manager's people decide, and administrators while they act for a manager.
 */
export function kindsDecidedBy(actor: Decider): ApprovalKind[] {
  if (isOutsider(actor.type) || actor.managerId === null) return [];
  return APPROVAL_KINDS.filter((kind) => {
    const permission = APPROVAL_PERMISSIONS[kind];
    return can(actor as UserActor, permission) && can(actor as UserActor, readKeyOf(permission));
  });
}
