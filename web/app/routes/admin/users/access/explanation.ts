import type { PermissionSource, RowVisibility } from '@tapeline/db/operations/users/access-report.ts';
import { USER_TYPE_LABELS, type UserType } from '@tapeline/domain/people/actor.ts';

/** One step of the answer: it speaks for opening the document, against it, or is only context. */
export interface Reason {
  speaks: 'for' | 'against';
  text: string;
}

export interface Explanation {
  opens: boolean;
  reasons: Reason[];
  /** What the API answers. */
  answer: string;
}

/** Which documents row-level security shows to the users of a type. */
const SEEN_BY: Readonly<Record<UserType, string>> = {
  admin: 'Administrators see the documents of all managers',
  manager: 'Users of a manager see the documents of that manager',
  company: 'Users of a borrower see the lending documents of that borrower',
  LP: 'Users of an investor see the investor, its commitments, and the funds it is in',
  LPGroup: 'Users of an investor group see the investors of the group, their commitments, and the funds they are in',
};

interface Facts {
  firstName: string;
  status: string;
  type: UserType;
  role: string | null;
  source: PermissionSource;
  rows: RowVisibility;
}

function permissionReasons({ firstName, type, role, source }: Facts): Reason[] {
  const { key, allowed, inRole, blocked, granted } = source;
  if (!allowed)
    return [{ speaks: 'against', text: `A user of the type ${USER_TYPE_LABELS[type]} can never hold ${key}.` }];
  const ofRole: Reason = role
    ? {
        speaks: inRole ? 'for' : 'against',
        text: `The ${role} role ${inRole ? 'includes' : 'does not include'} ${key}.`,
      }
    : { speaks: 'against', text: `${firstName} has no role.` };
  return [
    ofRole,
    ...(blocked ? [{ speaks: 'against' as const, text: `${key} was removed for ${firstName}.` }] : []),
    ...(granted ? [{ speaks: 'for' as const, text: `${key} was added for ${firstName}.` }] : []),
  ];
}

function rowReasons({ firstName, type, rows }: Facts): Reason[] {
  const { visible, withoutBlocks, withoutGrants } = rows;
  const byType = SEEN_BY[type];
  if (visible && !withoutGrants)
    return [
      { speaks: 'against', text: `${byType}. This document is not among them, or is blocked.` },
      { speaks: 'for', text: `It was allowed for ${firstName} individually.` },
    ];
  if (visible) return [{ speaks: 'for', text: `${byType}. This document is among them.` }];
  if (withoutBlocks)
    return [
      { speaks: 'for', text: `${byType}. This document is among them.` },
      { speaks: 'against', text: `It, or what it belongs to, was blocked for ${firstName} individually.` },
    ];
  return [{ speaks: 'against', text: `${byType}. This document is not among them.` }];
}

/** Why a user can or cannot open a document, from the answers of the database. */
export function explain(facts: Facts): Explanation {
  const { firstName, status, source, rows } = facts;
  const isActive = status === 'Active';
  const opens = isActive && source.held && rows.visible;
  const answer = !isActive
    ? `${firstName} cannot sign in.`
    : !source.held
      ? `${firstName} sees 403 “You do not have enough permissions to perform this action”.`
      : rows.visible
        ? `${firstName} sees the document.`
        : `${firstName} sees 404 “Not found”, as if the document did not exist.`;
  return {
    opens,
    answer,
    reasons: [
      { speaks: isActive ? 'for' : 'against', text: `Account: ${status}` },
      ...permissionReasons(facts),
      ...rowReasons(facts),
    ],
  };
}
