import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { newId } from '../ids.ts';

/** A user with every permission, so that only visibility decides. Override the fields that the test is about. */
export function testActor(fields: Partial<UserActor> & Pick<UserActor, 'type'>): UserActor {
  return {
    kind: 'user',
    userId: newId(),
    email: 'someone@example.test',
    firstName: 'Some',
    lastName: 'One',
    roleTitle: null,
    level: 5,
    managerId: null,
    companyId: null,
    lpIds: [],
    assocTitle: null,
    permissions: PERMISSION_KEYS,
    blockedDocuments: [],
    allowedDocuments: [],
    onboarding: [],
    ...fields,
  };
}
