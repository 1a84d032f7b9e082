import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { newPartySchema } from '../../components/organizations/entity-form.ts';
import { permissionEditSchema, permissionFormSchema } from './permissions/permission-form.ts';
import { roleFormSchema } from './roles/role-form.ts';
import { newProviderSchema } from './service-providers/provider-schema.ts';
import { userEditSchema, userFormSchema } from './users/user-form.ts';

const long = (length: number) => 'x'.repeat(length);
const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const id = (index: number) => index.toString(16).padStart(24, '0');

const address = { country: 'US' };
const bank = { title: 'First', accountNumber: '12', address: '1 Main St', type: 'Business' };
const contact = { name: 'Jo' };
const business = { type: 'LLC', formalName: 'Acme LLC' };
const share = { type: 'Common' };
const entity = { name: 'Acme', formalId: '1', nationality: address };
const party = (fields: object) => ({ entity: { ...entity, ...fields } });
const user = {
  organization: 'admin',
  firstName: 'Jo',
  lastName: 'Do',
  email: 'jo@example.com',
  role: '65f0c2a1b3d4e5f601234567',
};
const edited = { firstName: 'Jo', lastName: 'Do', email: 'jo@example.com', userVersion: '1' };
const role = { title: 'Desk', level: '10' };
const permission = { title: 'Desk read', key: 'desk/read', allowed: ['manager'] };
const provider = { title: 'Acme', type: 'Auditor' };

/** For each rule: a form within it, a form beyond it, and the field that the error is shown at. */
const RULES: readonly (readonly [
  rule: string,
  schema: z.ZodType,
  field: string,
  within: readonly object[],
  beyond: readonly object[],
])[] = [
  [
    'first name of 2 to 30 characters',
    userFormSchema,
    'firstName',
    [2, 30].map((length) => ({ ...user, firstName: long(length) })),
    [1, 31].map((length) => ({ ...user, firstName: long(length) })),
  ],
  [
    'last name of 2 to 30 characters',
    userEditSchema,
    'lastName',
    [2, 30].map((length) => ({ ...edited, lastName: long(length) })),
    [1, 31].map((length) => ({ ...edited, lastName: long(length) })),
  ],
  [
    'valid emails',
    userFormSchema,
    'email',
    [{ ...user, email: 'a@b.co' }],
    [
      { ...user, email: 'a@b' },
      { ...user, email: 'nobody' },
    ],
  ],
  [
    'phone of at most 16 digits',
    userFormSchema,
    'phoneNumber',
    [{ ...user, phoneNumber: '1'.repeat(16) }],
    ['1'.repeat(17), '+4420', '1-2'].map((phoneNumber) => ({ ...user, phoneNumber })),
  ],
  [
    'at most 100 investors',
    userEditSchema,
    'LPs',
    [{ ...edited, LPs: Array.from({ length: 100 }, (_, index) => id(index)) }],
    [{ ...edited, LPs: Array.from({ length: 101 }, (_, index) => id(index)) }],
  ],
  [
    'role title of 2 to 30 characters',
    roleFormSchema,
    'title',
    [2, 30].map((length) => ({ ...role, title: long(length) })),
    [1, 31].map((length) => ({ ...role, title: long(length) })),
  ],
  [
    'role level from 1 to 30',
    roleFormSchema,
    'level',
    ['1', '30'].map((level) => ({ ...role, level })),
    ['0', '31', '1.5'].map((level) => ({ ...role, level })),
  ],
  [
    'permission title of 2 to 20 characters',
    permissionFormSchema,
    'title',
    [2, 20].map((length) => ({ ...permission, title: long(length) })),
    [1, 21].map((length) => ({ ...permission, title: long(length) })),
  ],
  [
    'history that outsiders cannot read',
    permissionFormSchema,
    'allowed',
    [
      { ...permission, key: 'history/read' },
      { ...permission, allowed: ['LP'] },
    ],
    [{ ...permission, key: 'history/read', allowed: ['manager', 'LP'] }],
  ],
  [
    'at least one user type of a permission',
    permissionEditSchema,
    'allowed',
    [{ title: 'Desk read', allowed: ['LP'], permissionVersion: '1' }],
    [
      { title: 'Desk read', allowed: [], permissionVersion: '1' },
      { title: 'Desk read', permissionVersion: '1' },
    ],
  ],
  [
    'entity name of 2 to 250 characters',
    newPartySchema,
    'entity.name',
    [2, 250].map((length) => party({ name: long(length) })),
    [1, 251].map((length) => party({ name: long(length) })),
  ],
  [
    'formal id of 1 to 100 characters',
    newPartySchema,
    'entity.formalId',
    [1, 100].map((length) => party({ formalId: long(length) })),
    [0, 101].map((length) => party({ formalId: long(length) })),
  ],
  [
    'description of at most 300 characters',
    newPartySchema,
    'entity.description',
    [party({ description: long(300) })],
    [party({ description: long(301) })],
  ],
  [
    'country of 2 to 30 characters',
    newPartySchema,
    'entity.nationality.country',
    [2, 30].map((length) => party({ nationality: { country: long(length) } })),
    [1, 31].map((length) => party({ nationality: { country: long(length) } })),
  ],
  [
    'address description of at most 200 characters',
    newPartySchema,
    'entity.nationality.description',
    [party({ nationality: { ...address, description: long(200) } })],
    [party({ nationality: { ...address, description: long(201) } })],
  ],
  [
    'at most 5 contacts',
    newPartySchema,
    'entity.contacts',
    [party({ contacts: times(5, contact) })],
    [party({ contacts: times(6, contact) })],
  ],
  [
    'contact name of 2 to 40 characters',
    newPartySchema,
    'entity.contacts.0.name',
    [2, 40].map((length) => party({ contacts: [{ name: long(length) }] })),
    [1, 41].map((length) => party({ contacts: [{ name: long(length) }] })),
  ],
  [
    'at most 10 banks',
    newPartySchema,
    'entity.banks',
    [party({ banks: times(10, bank) })],
    [party({ banks: times(11, bank) })],
  ],
  ...(
    [
      ['title', 250],
      ['accountNumber', 150],
      ['address', 250],
    ] as const
  ).map(
    ([field, most]) =>
      [
        `bank ${field} of 2 to ${most} characters`,
        newPartySchema,
        `entity.banks.0.${field}`,
        [2, most].map((length) => party({ banks: [{ ...bank, [field]: long(length) }] })),
        [1, most + 1].map((length) => party({ banks: [{ ...bank, [field]: long(length) }] })),
      ] as const,
  ),
  [
    'formal name of 2 to 250 characters',
    newPartySchema,
    'entity.business.formalName',
    [2, 250].map((length) => party({ business: { ...business, formalName: long(length) } })),
    [1, 251].map((length) => party({ business: { ...business, formalName: long(length) } })),
  ],
  [
    'at most 10 head offices',
    newPartySchema,
    'entity.business.headQuarters',
    [party({ business: { ...business, headQuarters: times(10, address) } })],
    [party({ business: { ...business, headQuarters: times(11, address) } })],
  ],
  [
    'at most 50 shares',
    newPartySchema,
    'entity.business.shares',
    [party({ business: { ...business, shares: times(50, share) } })],
    [party({ business: { ...business, shares: times(51, share) } })],
  ],
  ...(['amount', 'percentage', 'faceValue', 'preference', 'participation', 'priority'] as const).map((field) => {
    const isDecimal = field === 'amount' || field === 'faceValue';
    const shareOf = (value: number) =>
      party({ business: { ...business, shares: [{ ...share, [field]: isDecimal ? String(value) : value }] } });
    return [
      `share ${field} that is not negative`,
      newPartySchema,
      `entity.business.shares.0.${field}`,
      [shareOf(0)],
      [shareOf(-1)],
    ] as const;
  }),
  [
    'at most 10 email domains',
    newPartySchema,
    'domains',
    [{ ...party({}), domains: times(10, 'example.com').join(', ') }],
    [{ ...party({}), domains: times(11, 'example.com').join(', ') }],
  ],
  [
    'service provider title of 2 to 40 characters',
    newProviderSchema,
    'title',
    [2, 40].map((length) => ({ ...provider, title: long(length) })),
    [1, 41].map((length) => ({ ...provider, title: long(length) })),
  ],
];

describe('the forms of people and parties hold the rules of their documents', () => {
  it.each(RULES)('%s', (_, schema, field, within, beyond) => {
    const errorsOf = (form: object) => schema.safeParse(form).error?.issues.map(({ path }) => path.join('.')) ?? [];
    for (const form of within) expect(errorsOf(form), JSON.stringify(form).slice(0, 200)).toEqual([]);
    for (const form of beyond) expect(errorsOf(form), JSON.stringify(form).slice(0, 200)).toContain(field);
  });
});
