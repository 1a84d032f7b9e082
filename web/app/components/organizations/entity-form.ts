import { COMPANY_STATUSES } from '@tapeline/domain/companies/states.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { listSchema } from '@tapeline/domain/documents/text.schema.ts';
import {
  contactSchema,
  domainsSchema,
  type EntityInput,
  entityCreateSchema,
  MAX_CONTACTS,
} from '@tapeline/domain/entities/entity.schema.ts';
import { RECEIVED } from '@tapeline/domain/entities/received.ts';
import { z } from 'zod';
import { versionField } from '../forms/version-field.ts';

const isBlank = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return Object.values(value).every(isBlank);
};

/** A group of fields that is missing if all of them are empty. */
const optionalGroup = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isBlank(value) ? undefined : value), schema);
/** A list of texts without its empty entries. */
const withoutBlanks = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (Array.isArray(value) ? value.filter((entry) => !isBlank(entry)) : value), schema);

const { business, person, category } = entityCreateSchema.shape;
const { industries } = business.unwrap().unwrap().shape;

/** The images of a business. Each is a file field `logoFile`, next to the key of the image that is stored. */
export const IMAGES = ['logo', 'icon'] as const;
type ImageField = (typeof IMAGES)[number];
export const imageField = (image: ImageField): string => `entity.business.${image}`;
/** Why an uploaded image was refused. The server adds it to the form before it is checked. */
export const problemField = (image: ImageField): string => `entity.business.${image}Problem`;
/** The checkboxes that remove a stored image. */
export const REMOVED_IMAGE = 'removedImage';
const problem = z.string().max(200).optional();
const imageProblems = { logoProblem: problem, iconProblem: problem };

/** What a form always sends with the boxes of a contact, so that nothing ticked is not the same as not asked. */
export const NOTHING_RECEIVED = 'nothing';

/** An entity as the fields of its form show it: an empty list would be the same as none. */
export const enteredEntity = <Shown extends { readonly contacts: EntityInput['contacts'] & object }>(
  entity: Shown,
) => ({
  ...entity,
  contacts: entity.contacts.map((contact) =>
    contact.receives ? { ...contact, receives: [NOTHING_RECEIVED, ...contact.receives] } : contact,
  ),
});

const contactForm = contactSchema.extend({
  receives: listSchema(z.enum([...RECEIVED, NOTHING_RECEIVED]), RECEIVED.length + 1, 'kinds')
    .transform((sent) => sent.filter((kind) => kind !== NOTHING_RECEIVED))
    .optional(),
});

/**
 * A legal entity in a form. Its names and limits are those of the document, so that an error has the same path in both.
 * The deprecated `domains` are not in the form.
 */
export const entityFormSchema = entityCreateSchema.omit({ domains: true }).extend({
  business: optionalGroup(
    business
      .unwrap()
      .unwrap()
      .extend({ industries: withoutBlanks(industries), ...imageProblems })
      .superRefine((form, context) => {
        for (const image of IMAGES) {
          const message = form[`${image}Problem`];
          if (message) context.addIssue({ code: 'custom', path: [image], message });
        }
      })
      .nullish(),
  ),
  person: optionalGroup(person),
  category: withoutBlanks(category),
  contacts: listSchema(contactForm, MAX_CONTACTS, 'contacts').default([]),
});
export type EntityForm = z.output<typeof entityFormSchema>;

/** The lists of an entity's form that `act` edits without JavaScript. */
export const ENTITY_LISTS = [
  'entity.category',
  'entity.contacts',
  'entity.banks',
  'entity.business.industries',
  'entity.business.headQuarters',
  'entity.business.shares',
];

/** Domains, one per line or separated by commas. */
export const domainsTextSchema = z
  .string()
  .max(3_000, 'At most 3,000 characters')
  .default('')
  .transform((text, context) => {
    const words = text.split(/[\s,;]+/).filter(Boolean);
    const parsed = domainsSchema.safeParse(words);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const word = words[Number(issue?.path[0])];
    context.addIssue({ code: 'custom', message: word ? `"${word}": ${issue?.message}` : (issue?.message ?? '') });
    return z.NEVER;
  });

/** The form for a new company, manager or investor: a new entity, or one of the register. */
export const newPartySchema = z.object({
  entity: entityFormSchema.optional(),
  entityId: idSchema.optional(),
  domains: domainsTextSchema,
});

/**
 * The form for a stored company, manager or investor. Each document is updated at the version that the form showed. No
 * field is called `version`, so the error for a stale version appears at the top of the form. The entity is missing for
 * people who may not change it.
 */
export const partyEditSchema = z.object({
  entity: entityFormSchema.optional(),
  domains: domainsTextSchema,
  status: z.enum(COMPANY_STATUSES),
  partyVersion: versionField,
  entityVersion: versionField,
});

type Stored = Pick<EntityInput, 'domains'>;

/** The document that the form describes. @param stored what the form does not show and leaves unchanged */
export function entityOf(form: EntityForm, stored?: Stored) {
  return {
    ...form,
    business: form.business ?? null,
    person: form.person ?? null,
    domains: stored?.domains ?? [],
  };
}

const ENTITY_LABELS = {
  name: 'Name',
  formalId: 'Formal id',
  description: 'Description',
  'person.dob': 'Date of birth',
  'business.type': 'Type of business',
  'business.formalName': 'Formal name',
  'business.currency': 'Currency',
  'business.raised': 'Raised',
  'business.FTEs': 'Employees',
  'business.stage': 'Stage',
  'business.dateEstablished': 'Established',
  'business.siteLink': 'Website',
  'business.linkedinPage': 'LinkedIn page',
  'business.description': 'Business description',
  'business.logo': 'Logo',
  'business.icon': 'Icon',
  'business.shares': 'Shares',
  'business.headQuarters': 'Head offices',
  'business.industries': 'Industries',
  category: 'Categories',
  contacts: 'Contacts',
  banks: 'Bank accounts',
} as const;

const LIST_LABELS = { contacts: 'Contact', banks: 'Bank account', shares: 'Share class', headQuarters: 'Head office' };

/** "Account title" for the `title` of a bank account. */
export const bankFieldLabel = (field: string): string => ITEM_LABELS.banks[field] ?? FIELD_LABELS[field] ?? field;

/** Fields whose label names what they are of. */
const ITEM_LABELS: Readonly<Record<keyof typeof LIST_LABELS, Readonly<Record<string, string>>>> = {
  contacts: { name: 'Contact name' },
  banks: {
    title: 'Account title',
    type: 'Account type',
    accountName: 'Account holder',
    bankName: 'Bank',
    address: 'Address of the bank',
  },
  shares: {},
  headQuarters: { address: 'Street', name: 'Address name', description: 'Address description' },
};

/** "Bank account 2, IBAN" for `entity.banks[1].IBAN`. */
export function partyLabel(name: string): string {
  const path = name.replace(/^entity\./, '');
  const known = (ENTITY_LABELS as Readonly<Record<string, string>>)[path];
  if (known) return known;
  const item = /(contacts|banks|shares|headQuarters)\[(\d+)\](?:\.(.+))?$/.exec(path);
  if (item) {
    const [, list, index, field = ''] = item;
    const key = list as keyof typeof LIST_LABELS;
    const label = ITEM_LABELS[key][field] ?? FIELD_LABELS[field] ?? field;
    return `${LIST_LABELS[key]} ${Number(index) + 1}${field ? `, ${label}` : ''}`;
  }
  const last = path.split('.').at(-1) ?? path;
  return FIELD_LABELS[last] ?? last;
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  domains: 'Email domains',
  status: 'Status',
  title: 'Title',
  type: 'Type',
  country: 'Country',
  continent: 'Continent',
  state: 'State',
  city: 'City',
  address: 'Address',
  houseNumber: 'House number',
  zip: 'Zip',
  description: 'Description',
  name: 'Name',
  phone: 'Phone',
  email: 'Email',
  role: 'Role',
  receives: 'Receives',
  accountNumber: 'Account number',
  branch: 'Branch',
  swiftCode: 'SWIFT code (BIC)',
  IBAN: 'IBAN',
  abaOrRouting: 'ABA routing number',
  amount: 'Number of shares',
  percentage: 'Percentage',
  faceValue: 'Face value',
  preference: 'Preference',
  participation: 'Participation',
  priority: 'Priority',
  groupId: 'Group',
  groupTitle: 'Group by title',
};
