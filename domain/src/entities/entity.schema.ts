import { z } from 'zod';
import { anyDateSchema } from '../dates/calendar-date.ts';
import { describeAccepted } from '../documents/accepted-shape.ts';
import { CHOSEN } from '../documents/chosen.ts';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { listSchema, MAX_TITLE, nameSchema, optionalNameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { plainMessage } from '../errors/issues.ts';
import { currencySchema, decimalSchema } from '../money/amount.schema.ts';
import { isNegative } from '../money/decimal.ts';
import { bankSchema, MAX_BANKS, shownBankSchema } from './bank.schema.ts';
import { RECEIVED } from './received.ts';

export const ENTITY_STAGES = ['Early', 'Early Growth', 'Growth', 'Late Growth', 'Mature'] as const;
export const BUSINESS_TYPES = [
  'Partnership',
  'Corporate',
  'LLC',
  'Provident Fund',
  'Trust',
  'Company',
  'Corporation',
  'Financial Institute',
  'Company/Exempt organization',
  'Treaty Qualified Retirement Fund',
  'Company/non-profit organization',
  'Other',
  'Individual',
] as const;
/** The type of business of which nothing more is known. */
export const GENERAL_BUSINESS_TYPE: (typeof BUSINESS_TYPES)[number] = 'Company';
export const CONTINENTS = [
  'Africa',
  'Antarctica',
  'Asia',
  'Europe',
  'North America',
  'Oceania',
  'South America',
] as const;

const notNegative = z.number().min(0, { message: 'Share values are not negative' });
const decimalNotNegative = (message: string) => decimalSchema.refine((value) => !isNegative(value), { message });

/** A page on the web. Other schemes (`javascript:`) would run when someone follows the link. */
const webPageSchema = z
  .url({ protocol: /^https?$/, message: 'Write an address that begins with http:// or https://' })
  .max(2048)
  .nullish();
/** The key of an uploaded file in the bucket `publicFiles`. */
const imageSchema = z.string().trim().min(1).max(700).nullish();

export const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, {
    message: 'Write a domain, for example example.com',
  });
export const domainsSchema = listSchema(domainSchema, 10, 'domains');

const phoneSchema = z.string().regex(/^[0-9]{1,16}$/, { message: 'Invalid phone number' });

export const addressSchema = z.object({
  isPrimary: z.boolean().nullish(),
  name: optionalNameSchema(MAX_TITLE),
  /** A country's name or its two-letter code. */
  country: nameSchema(2, 30).register(CHOSEN, { is: 'country' }),
  continent: optionalNameSchema(MAX_TITLE),
  state: optionalNameSchema(MAX_TITLE),
  city: optionalNameSchema(MAX_TITLE),
  address: optionalTextSchema(MAX_TITLE),
  houseNumber: optionalNameSchema(50),
  zip: optionalNameSchema(20),
  description: optionalTextSchema(200),
});

export type Address = z.infer<typeof addressSchema>;

export const MAX_CONTACTS = 5;

export const contactSchema = z.object({
  name: nameSchema(2, 40),
  phone: phoneSchema.nullish(),
  email: z.email({ message: 'Write an email address' }).max(320).nullish(),
  role: optionalNameSchema(MAX_TITLE),
  /** Everything if it is missing. */
  receives: listSchema(z.enum(RECEIVED), RECEIVED.length, 'kinds').nullish(),
});

export const shareSchema = z.object({
  type: nameSchema(1, MAX_TITLE),
  /** Number of shares. */
  amount: decimalNotNegative('Share values are not negative').nullish(),
  percentage: notNegative.max(100, { message: 'At most 100%' }).nullish(),
  /** In the currency of the business. */
  faceValue: decimalNotNegative('Share values are not negative').nullish(),
  preference: notNegative.nullish(),
  participation: notNegative.nullish(),
  priority: notNegative.nullish(),
});

export const businessSchema = z.object({
  type: z.enum(BUSINESS_TYPES, { error: 'Choose a type of business' }),
  formalName: nameSchema(2, 250),
  industries: listSchema(nameSchema(1, MAX_TITLE), 100, 'industries').nullish(),
  currency: currencySchema.nullish(),
  /** In the currency of the business. */
  raised: decimalNotNegative('The amount raised is not negative').nullish(),
  /** Full-time equivalents: people employed. */
  FTEs: z.number().min(0).max(10_000_000).nullish(),
  stage: z.enum(ENTITY_STAGES).nullish(),
  headQuarters: listSchema(addressSchema, 10, 'head offices').nullish(),
  dateEstablished: anyDateSchema.nullish(),
  shares: listSchema(shareSchema, 50, 'share classes').nullish(),
  description: optionalTextSchema(4000),
  siteLink: webPageSchema,
  linkedinPage: webPageSchema,
  logo: imageSchema,
  icon: imageSchema,
});

/** A natural person. Operations check that the date of birth is in the past. */
export const personSchema = z.object({ dob: anyDateSchema.nullish() });

/** The body for creating a legal entity: a company, a fund or a person. */
export const entityCreateSchema = z.object({
  name: nameSchema(2, 250),
  formalId: nameSchema(1, 100),
  nationality: addressSchema,
  business: businessSchema.nullish(),
  person: personSchema.nullish(),
  description: optionalTextSchema(300),
  /** Deprecated: companies, managers and LPs have their own. */
  domains: domainsSchema.default([]),
  category: listSchema(nameSchema(1, 100), 50, 'categories').default([]),
  contacts: listSchema(contactSchema, MAX_CONTACTS, 'contacts').default([]),
  banks: listSchema(bankSchema, MAX_BANKS, 'banks').default([]),
});
export type EntityCreate = z.infer<typeof entityCreateSchema>;
export type EntityInput = z.input<typeof entityCreateSchema>;

/** An update contains the whole entity, with the version that it changes. */
export const entityUpdateSchema = entityCreateSchema.extend({ version: versionSchema });
export type EntityUpdate = z.infer<typeof entityUpdateSchema>;

/** An entity of the register as the API returns it and parties embed it. */
export const entitySchema = documentSchema
  .extend({ ...entityCreateSchema.shape, banks: z.array(shownBankSchema) })
  .meta({ id: 'Entity' });

/** The entity in the body of a party: one of the register, or a new one. */
export type EntityReference =
  | { readonly kind: 'known'; readonly id: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'new'; readonly entity: EntityCreate };

const knownEntitySchema = z.looseObject({ id: idSchema });

/**
 * An entity in the body of a party: the id of one in the register, one as a call returned it (its fields then equal the
 * stored ones), or a new one, which is added to the register.
 */
export const entityReferenceSchema = z
  .union([z.string().max(24), z.looseObject({})], {
    error: 'Give the id of an entity, or a new entity with name, formalId and nationality',
  })
  .transform((value, context): EntityReference => {
    const refuse = (error: z.ZodError): never => {
      for (const issue of error.issues) context.addIssue({ ...issue, path: [...issue.path], input: value } as never);
      return z.NEVER;
    };
    if (typeof value === 'string') {
      const id = idSchema.safeParse(value);
      return id.success ? { kind: 'known', id: id.data, fields: {} } : refuse(id.error);
    }
    if (value.id === undefined) {
      const entity = entityCreateSchema.safeParse(value, { error: plainMessage });
      return entity.success ? { kind: 'new', entity: entity.data } : refuse(entity.error);
    }
    const known = knownEntitySchema.safeParse(value);
    if (!known.success) return refuse(known.error);
    const { id, ...fields } = known.data;
    return { kind: 'known', id, fields };
  });

/** As `entityReferenceSchema` accepts it. An entity with an id is compared with the stored one, field by field. */
const entityReferenceShape = z
  .union([
    idSchema,
    entityCreateSchema.meta({ id: 'EntityCreate' }),
    entitySchema.partial().extend({ id: idSchema }).meta({ id: 'KnownEntity' }),
  ])
  .meta({ id: 'EntityReference' });
describeAccepted(entityReferenceSchema, entityReferenceShape);
