import type { Permission, Role } from '@tapeline/db/entities/people.ts';
import {
  createPermission,
  listPermissions,
  PERMISSIONS,
  updatePermission,
} from '@tapeline/db/operations/permissions/permissions.ts';
import { createRole, getRole, listRoles, ROLES, updateRole } from '@tapeline/db/operations/roles/roles.ts';
import { createUser, removeUsers, updateUser, updateUsers } from '@tapeline/db/operations/users/change-users.ts';
import { getUser, listUsers, USERS } from '@tapeline/db/operations/users/users.ts';
import {
  permissionCreateSchema,
  permissionSchema,
  permissionUpdateSchema,
} from '@tapeline/domain/people/permission.schema.ts';
import { roleCreateSchema, roleSchema, roleUpdateSchema } from '@tapeline/domain/people/role.schema.ts';
import {
  userBulkItemSchema,
  userCreateSchema,
  userSchema,
  userUpdateSchema,
} from '@tapeline/domain/people/user.schema.ts';
import { baseOf } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { requireReadStatus, splitStatus, withReadStatus } from './status-fields.ts';
import { userBody } from './user-body.ts';

const roleBody = (role: Role) => ({
  ...baseOf(role),
  title: role.title,
  level: role.level,
  permissions: role.permissions,
});

const permissionBody = (permission: Permission) => ({
  ...baseOf(permission),
  title: permission.title,
  key: permission.key,
  allowed: permission.allowed,
});

export const userEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('users'),
    firstStatus: 'Pending',
    response: userSchema,
    toBody: userBody,
    list: { listable: USERS, load: listUsers },
    get: getUser,
    create: {
      body: userCreateSchema,
      run: createUser,
      summary: 'Create a user, or a list of users. A user is Pending until they sign up',
    },
    update: {
      body: userUpdateSchema,
      run: updateUser,
      summary:
        'Update a user. Disabling or removing one ends their sessions at once. A new email of a user who has signed up is `pendingEmail` until it is confirmed from that address; `pendingEmail: null` cancels it. Changing the email, recovery email, role, `exclusiveResources` or `inclusiveResources` requires every permission that the user has, and that no document is blocked for the caller alone. Changing any of the last three cancels `pendingEmail`',
    },
    updateMany: { item: userBulkItemSchema, run: updateUsers },
    removeMany: { run: removeUsers },
  }),
  ...resource({
    ...ofCollection('roles'),
    response: roleSchema,
    toBody: roleBody,
    list: {
      listable: ROLES,
      load: listRoles,
      summary: "List roles: those that every manager has, and the manager's own",
    },
    get: getRole,
    create: { body: roleCreateSchema, run: createRole },
    update: {
      body: roleUpdateSchema,
      run: updateRole,
      summary:
        'Update a role, for everyone who has it. Changing its permissions or level requires every permission that it has',
    },
  }),
  ...resource({
    path: '/crud/permissions',
    noun: ['permission', 'permissions'],
    read: 'roles/read',
    write: 'roles/write',
    response: permissionSchema,
    toBody: permissionBody,
    list: {
      listable: PERMISSIONS,
      load: listPermissions,
      summary: 'List permissions, with the user types that can hold each',
    },
    create: {
      body: permissionCreateSchema,
      run: createPermission,
      summary: "Create a permission, or a list of permissions, for an installation's own programs",
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/permissions',
    access: 'roles/write',
    summary: 'Update a permission, which the body names by its id. Users of types that it no longer allows lose it',
    body: withReadStatus(permissionUpdateSchema),
    response: permissionSchema,
    handle: ({ body: given, db }) =>
      db(async (session) => {
        const { body, status } = splitStatus(permissionUpdateSchema, given);
        const updated = permissionBody(await updatePermission(session, { id: body.id, body }));
        return { body: requireReadStatus('a permission', status, updated) };
      }),
  }),
];
