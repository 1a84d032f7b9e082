import { namedAssociation, type UserView } from '@tapeline/db/operations/users/users.ts';
import type { userSchema } from '@tapeline/domain/people/user.schema.ts';
import type { z } from 'zod';
import { baseOf } from './documents.ts';

/** A user in wire format, the same in every call. */
export const userBody = (user: UserView): z.input<typeof userSchema> => ({
  ...baseOf(user),
  status: user.status as z.input<typeof userSchema>['status'],
  assoc: namedAssociation(user),
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  pendingEmail: user.pendingEmail ?? null,
  recoveryEmail: user.recoveryEmail ?? null,
  role: user.roleId ?? null,
  type: user.type,
  // An empty list would not be accepted as an update.
  ...(user.LPs.length > 0 ? { LPs: user.LPs } : {}),
  exclusiveResources: user.exclusiveResources,
  inclusiveResources: user.inclusiveResources,
  lastVisited: user.lastVisited?.toISOString() ?? null,
  isReadPrivacyAndTerms: user.isReadPrivacyAndTerms,
  isConfirmedUserDetails: user.isConfirmedUserDetails,
  phoneNumber: user.phoneNumber ?? null,
  magicLink: user.hasInvitation,
});
