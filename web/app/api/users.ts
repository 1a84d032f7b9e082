import type { Permission, Role, User } from '@tapeline/db/entities/people.ts';
import {
  getRole,
  getUser,
  listPermissions,
  listRoles,
  listUsers,
  PERMISSIONS,
  ROLES,
  USERS,
} from '@tapeline/db/operations/people/people.ts';
import { USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { baseOf, documentSchema } from './documents.ts';
import type { Endpoint } from './endpoint.ts';
import { listEndpoint, oneEndpoint } from './list-endpoint.ts';

const userSchema = documentSchema
  .extend({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    recoveryEmail: z.string().nullable(),
    role: z.string().nullable(),
    type: z.enum(USER_TYPES),
    assoc: z.record(z.string(), z.unknown()),
    LPs: z.array(z.string()),
    exclusiveResources: z.array(z.string()),
    inclusiveResources: z.array(z.string()),
    lastVisited: z.string().nullable(),
    isReadPrivacyAndTerms: z.boolean(),
    isConfirmedUserDetails: z.boolean(),
    phoneNumber: z.string().nullable(),
  })
  .meta({ id: 'User' });

const toUser = (user: User): z.infer<typeof userSchema> => ({
  ...baseOf(user),
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  recoveryEmail: user.recoveryEmail ?? null,
  role: user.roleId ?? null,
  type: user.type,
  assoc: { ...user.assoc },
  LPs: [...user.LPs],
  exclusiveResources: [...user.exclusiveResources],
  inclusiveResources: [...user.inclusiveResources],
  lastVisited: user.lastVisited?.toISOString() ?? null,
  isReadPrivacyAndTerms: user.isReadPrivacyAndTerms,
  isConfirmedUserDetails: user.isConfirmedUserDetails,
  phoneNumber: user.phoneNumber ?? null,
});

const roleSchema = documentSchema
  .extend({ title: z.string(), level: z.int(), permissions: z.array(z.string()) })
  .meta({ id: 'Role' });
const toRole = (role: Role): z.infer<typeof roleSchema> => ({
  ...baseOf(role),
  title: role.title,
  level: role.level,
  permissions: [...role.permissions],
});

const permissionSchema = documentSchema
  .extend({ title: z.string(), key: z.string(), allowed: z.array(z.enum(USER_TYPES)) })
  .meta({ id: 'Permission' });
const toPermission = (permission: Permission): z.infer<typeof permissionSchema> => ({
  ...baseOf(permission),
  title: permission.title,
  key: permission.key,
  allowed: [...permission.allowed],
});

/** Users, roles and permissions as far as they are read; making and changing them comes with administration. */
export const userEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/crud/users',
    access: 'users/read',
    summary: 'Users in sight',
    listable: USERS,
    list: listUsers,
    toBody: toUser,
    response: userSchema,
  }),
  oneEndpoint({
    path: '/crud/users/{id}',
    access: 'users/read',
    summary: 'One user',
    get: getUser,
    toBody: toUser,
    response: userSchema,
  }),
  listEndpoint({
    path: '/crud/roles',
    access: 'roles/read',
    summary: "The roles that every tenant has, and the tenant's own",
    listable: ROLES,
    list: listRoles,
    toBody: toRole,
    response: roleSchema,
  }),
  oneEndpoint({
    path: '/crud/roles/{id}',
    access: 'roles/read',
    summary: 'One role',
    get: getRole,
    toBody: toRole,
    response: roleSchema,
  }),
  listEndpoint({
    path: '/crud/permissions',
    access: 'roles/read',
    summary: 'Every permission, with the user types that may ever hold it',
    listable: PERMISSIONS,
    list: listPermissions,
    toBody: toPermission,
    response: permissionSchema,
  }),
];
