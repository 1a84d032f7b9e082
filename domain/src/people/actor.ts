import { valuesOf } from '../documents/labels.ts';

/** Kinds of user, and what people call them; an association (`assoc`) has exactly one of them. */
export const USER_TYPE_LABELS = {
  admin: 'Administrator',
  manager: 'Manager',
  company: 'Borrower',
  LP: 'Investor',
  LPGroup: 'Investor group',
} as const;
export const USER_TYPES = valuesOf(USER_TYPE_LABELS);
export type UserType = (typeof USER_TYPES)[number];

/** Users of companies and investors, who deal with a manager but do not work there. */
export const isOutsider = (type: UserType): boolean => type === 'company' || type === 'LP' || type === 'LPGroup';

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
  'payments',
] as const;
const SINGLE = ['payments/release', 'history/read', 'borrowingBase/read', 'preview/read'] as const;

export type PermissionKey = `${(typeof PAIRED)[number]}/${'read' | 'write'}` | (typeof SINGLE)[number];

/** Every permission key: read and write pairs, then those without one. */
export const PERMISSION_KEYS: readonly PermissionKey[] = [
  ...PAIRED.flatMap((resource) => [`${resource}/read`, `${resource}/write`] as PermissionKey[]),
  ...SINGLE,
];

/** The permission to read what a permission is about. */
export const readKeyOf = (key: PermissionKey): PermissionKey =>
  key.replace(/(write|release)$/, 'read') as PermissionKey;

/** What a new user has to do once before anything else opens. */
export type OnboardingStep = 'privacyAndTerms' | 'userDetails';

/** A signed-in person with their effective rights (role, less exclusive, plus inclusive resources). */
export interface UserActor {
  readonly kind: 'user';
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly type: UserType;
  readonly roleTitle: string | null;
  /** Of the role: 1 is the most privileged; the lowest without a role. */
  readonly level: number;
  /** The manager that the person acts for; null for an admin who has chosen none. */
  readonly managerId: string | null;
  readonly companyId: string | null;
  /** The LPs whose documents are visible: one for an LP, its members for an LP group. */
  readonly lpIds: readonly string[];
  /** The name of whom the actor acts for: "Harbour Credit Partners". */
  readonly assocTitle: string | null;
  readonly permissions: readonly PermissionKey[];
  /** Documents hidden from this person, whatever else shows them: `<collection>/<id>`. */
  readonly blockedDocuments: readonly string[];
  /** Documents of their tenant that this person can read, whatever else hides them. */
  readonly allowedDocuments: readonly string[];
  /**
   * The funds and investors of the saved filter that narrows what this page shows; none for an empty list. It only ever
   * hides what the person could see.
   */
  readonly within?: { readonly funds: readonly string[]; readonly investors: readonly string[] };
  /** The steps that remain: accepting the privacy notice and terms, confirming their details. */
  readonly onboarding: readonly OnboardingStep[];
}

/**
 * What decides which documents a person sees, besides permissions. An answer that is kept is given again only to whoever
 * still sees the same.
 */
export const sightOf = (actor: UserActor): readonly unknown[] => [
  actor.type,
  actor.managerId,
  actor.companyId,
  actor.lpIds,
  actor.blockedDocuments,
  actor.allowedDocuments,
];

/** The program itself: workers, sign-in, seeding. It sees everything, and is named in the history. */
export interface SystemActor {
  readonly kind: 'system';
  readonly name: string;
}

export type Actor = UserActor | SystemActor;

export function can(actor: Actor, key: PermissionKey): boolean {
  return actor.kind === 'system' || actor.permissions.includes(key);
}
