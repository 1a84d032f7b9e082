/** Kinds of user; an association (`assoc`) names exactly one of the first five. */
export const USER_TYPES = ['admin', 'manager', 'company', 'LP', 'LPGroup'] as const;
export type UserType = (typeof USER_TYPES)[number];

const PAIRED = [
  'LPs',
  'LPs/commitments',
  'entities',
  'contributions',
  'distributions',
  'announcements',
  'funds',
  'users',
  'roles',
  'importer',
  'managers',
  'transactions',
  'assets',
  'companies',
  'assets/ETL',
  'tables',
  'transactionDraw',
  'repayments',
] as const;
const READ_ONLY = ['history/read', 'borrowingBase/read', 'preview/read'] as const;

export type PermissionKey = `${(typeof PAIRED)[number]}/${'read' | 'write'}` | (typeof READ_ONLY)[number];

/** Every permission key: read and write pairs, then the read-only ones. */
export const PERMISSION_KEYS: readonly PermissionKey[] = [
  ...PAIRED.flatMap((resource) => [`${resource}/read`, `${resource}/write`] as PermissionKey[]),
  ...READ_ONLY,
];

/** A signed-in person with the rights that count now (role, less exclusive, plus inclusive resources). */
export interface UserActor {
  readonly kind: 'user';
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly type: UserType;
  readonly roleTitle: string | null;
  readonly level: number;
  /** The manager acted for; null for an admin who has chosen none. */
  readonly managerId: string | null;
  readonly companyId: string | null;
  /** The LPs whose documents may be seen: one for an LP, its members for an LP group. */
  readonly lpIds: readonly string[];
  /** What the actor acts for, in words: "Harbour Credit Partners". */
  readonly assocTitle: string | null;
  readonly permissions: readonly PermissionKey[];
}

/** The program itself: workers, sign-in, seeding. Sees everything, and is named in the history. */
export interface SystemActor {
  readonly kind: 'system';
  readonly name: string;
}

export type Actor = UserActor | SystemActor;

export function can(actor: Actor, key: PermissionKey): boolean {
  return actor.kind === 'system' || actor.permissions.includes(key);
}
