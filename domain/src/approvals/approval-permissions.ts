import { can, isOutsider, type PermissionKey, readKeyOf, type UserActor } from '../people/actor.ts';
import type { ApprovalKind } from './approval-kinds.ts';

// Apart from the labels of the kinds: every page decides by these whether it has a link to Approvals.

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
  adjustment: 'transactions/write',
  waiver: 'transactions/write',
  // Without it, account numbers are masked.
  payoutAccount: 'entities/write',
  paymentRun: 'payments/release',
};

/** What else a person reads who decides a kind. */
const ALSO_READ: Partial<Record<ApprovalKind, readonly PermissionKey[]>> = { adjustment: ['borrowingBase/read'] };

type Decider = Pick<UserActor, 'type' | 'managerId' | 'permissions'>;

/**
 * The kinds that a person decides. Only a manager's people decide, and administrators while they act for a manager.
 */
export function kindsDecidedBy(actor: Decider): ApprovalKind[] {
  if (isOutsider(actor.type) || actor.managerId === null) return [];
  return (Object.keys(APPROVAL_PERMISSIONS) as ApprovalKind[]).filter((kind) => {
    const permission = APPROVAL_PERMISSIONS[kind];
    const needed = [permission, readKeyOf(permission), ...(ALSO_READ[kind] ?? [])];
    return needed.every((one) => can(actor as UserActor, one));
  });
}
