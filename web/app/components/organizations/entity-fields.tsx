import { type FieldMetadata, useField } from '@conform-to/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import {
  BUSINESS_TYPES,
  CONTINENTS,
  ENTITY_STAGES,
  type EntityInput,
} from '@tapeline/domain/entities/entity.schema.ts';
import { RECEIVED_LABELS } from '@tapeline/domain/entities/received.ts';
import { IMAGE_TYPES } from '@tapeline/domain/files/images.ts';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Problem, SelectField, TextareaField, TextField } from '../forms/fields.tsx';
import { ListRows } from '../forms/list-rows.tsx';
import { MoreDetails } from '../forms/more-details.tsx';
import { PanelSection } from '../page/section.tsx';
import { BankFields } from './bank-fields.tsx';
import { CountryField, CurrencyField } from './country-field.tsx';
import { NOTHING_RECEIVED, REMOVED_IMAGE } from './entity-form.ts';
import { useStates, WRITTEN_STATES, writeStates } from './use-states.ts';

type Address = EntityInput['nationality'];

type StoredBusiness = NonNullable<EntityInput['business']>;

type Share = NonNullable<StoredBusiness['shares']>[number];

type Contact = NonNullable<EntityInput['contacts']>[number];
type Receives = FieldMetadata<Contact['receives']>;

/** An entity as its form shows it: every group and list is there, and may be empty. */
interface Business extends Omit<StoredBusiness, 'industries' | 'headQuarters' | 'shares' | 'raised'> {
  raised: string;
  industries: string[];
  headQuarters: Address[];
  shares: (Omit<Share, 'amount' | 'faceValue'> & { amount: string; faceValue: string })[];
}

interface ShownEntity {
  name: string;
  formalId: string;
  description: string;
  nationality: Address;
  business: Business;
  person: { dob: string };
  category: string[];
  contacts: Contact[];
  banks: NonNullable<EntityInput['banks']>;
}

const GRID = 'grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2';

/** A state: one of the country's, if it has any. One that is stored by another name stays a choice. */
function StateField({ field, country }: { field: FieldMetadata<string | null | undefined>; country: string }) {
  const choices = useStates(country);
  if (choices === null || choices.length === 0) return <TextField field={field} label="State" />;
  const stored = String(field.initialValue ?? '');
  const isListed = stored === '' || choices.some(({ value }) => value === stored);
  return (
    <div className="min-w-0">
      <script
        type="application/json"
        {...{ [WRITTEN_STATES]: country }}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the states of a country, which no person has written
        dangerouslySetInnerHTML={{ __html: writeStates(choices) }}
      />
      <SelectField
        field={field}
        label="State (optional)"
        choices={isListed ? choices : [{ value: stored, label: stored }, ...choices]}
        empty="Not given"
      />
    </div>
  );
}

function AddressFields({ address, hasCountry = true }: { address: FieldMetadata<Address>; hasCountry?: boolean }) {
  const fields = address.getFieldset();
  return (
    <>
      {hasCountry ? <CountryField field={fields.country} /> : null}
      <StateField field={fields.state} country={String(fields.country.value ?? '')} />
      <TextField field={fields.city} label="City" />
      <TextField field={fields.zip} label="Zip" />
      <TextField field={fields.address} label="Street" />
      <TextField field={fields.houseNumber} label="House number" />
      <TextField field={fields.name} label="Address name" hint="For example Registered office" />
      <SelectField
        field={fields.continent}
        label="Continent (optional)"
        choices={choicesOf(CONTINENTS)}
        empty="Not given"
      />
      <TextField field={fields.description} label="Address description" className="sm:col-span-2" />
    </>
  );
}

/** An image file. The key of the stored image is sent back with the form, so that it stays. */
function ImageField({
  field,
  image,
  label,
}: {
  field: FieldMetadata<string | null | undefined>;
  image: 'logo' | 'icon';
  label: string;
}) {
  const key = field.initialValue ? String(field.initialValue) : '';
  return (
    <div className="min-w-0">
      {key ? <input type="hidden" name={field.name} value={key} /> : null}
      <label htmlFor={field.id} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
        <span className="font-normal text-ink-3"> (optional)</span>
      </label>
      <div className="flex items-center gap-3">
        {key ? (
          <img src={paths.image({ key })} alt={`Present ${image}`} className="h-8 max-w-24 object-contain" />
        ) : null}
        <input
          id={field.id}
          type="file"
          name={`${image}File`}
          accept={IMAGE_TYPES.join(',')}
          aria-invalid={field.errors ? true : undefined}
          aria-describedby={field.errors ? field.errorId : undefined}
          className="min-w-0 text-sm file:mr-2 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-paper file:px-2.5 file:text-ink max-sm:file:h-10"
        />
      </div>
      {key ? (
        <label className="mt-1 flex items-center gap-2 text-xs text-ink-2 max-sm:min-h-10">
          <input type="checkbox" name={REMOVED_IMAGE} value={image} className="size-4 accent-accent" />
          Remove the {image}
        </label>
      ) : null}
      <Problem field={field} label={label} />
    </div>
  );
}

function BusinessFields({
  business,
  industries,
}: {
  business: FieldMetadata<Business>;
  industries: readonly string[];
}) {
  const fields = business.getFieldset();
  return (
    <>
      <PanelSection title="Business" note="Leave it empty for a person" className={GRID}>
        <SelectField
          field={fields.type}
          label="Type of business (optional)"
          choices={choicesOf(BUSINESS_TYPES)}
          empty="Not given"
          required={false}
        />
        <TextField
          field={fields.formalName}
          label="Formal name (optional)"
          hint="As registered; needed with a type of business"
          required={false}
        />
        <CurrencyField field={fields.currency} label="Currency (optional)" />
        <TextField
          field={fields.raised}
          label="Raised (optional)"
          inputMode="decimal"
          hint="In the currency above"
          required={false}
        />
        <TextField field={fields.FTEs} label="Employees" inputMode="decimal" hint="Full-time equivalents" />
        <SelectField
          field={fields.stage}
          label="Stage (optional)"
          choices={choicesOf(ENTITY_STAGES)}
          empty="Not given"
        />
        <TextField field={fields.dateEstablished} label="Established" type="date" />
        <TextField field={fields.siteLink} label="Website" type="url" />
        <TextField field={fields.linkedinPage} label="LinkedIn page" type="url" />
        <TextareaField field={fields.description} label="Business description" rows={3} className="sm:col-span-2" />
      </PanelSection>
      <PanelSection title="Images" note="PNG, JPEG, GIF or WebP, at most 512 KB each" className={GRID}>
        <ImageField field={fields.logo} image="logo" label="Logo" />
        <ImageField field={fields.icon} image="icon" label="Icon" />
      </PanelSection>
      <PanelSection title="Industries" className="max-w-[46rem] p-4">
        <ListRows field={fields.industries} one="Industry" most={100} compact>
          {(item, index) => (
            <TextField
              field={item}
              label={`Industry ${index + 1}`}
              list="industries"
              autoComplete="off"
              required={false}
            />
          )}
        </ListRows>
        <datalist id="industries">
          {industries.map((industry) => (
            <option key={industry} value={industry} />
          ))}
        </datalist>
      </PanelSection>
      <PanelSection title="Head offices" className="max-w-[46rem] p-4">
        <ListRows field={fields.headQuarters} one="Head office" most={10}>
          {(item) => <AddressFields address={item} />}
        </ListRows>
      </PanelSection>
      <PanelSection title="Shares" className="max-w-[46rem] p-4">
        <ListRows field={fields.shares} one="Share class" most={50}>
          {(item) => <ShareFields share={item} />}
        </ListRows>
      </PanelSection>
    </>
  );
}

function ShareFields({ share }: { share: FieldMetadata<Business['shares'][number]> }) {
  const fields = share.getFieldset();
  return (
    <>
      <TextField field={fields.type} label="Type" hint="For example Ordinary or Series A" />
      <TextField field={fields.amount} label="Number of shares (optional)" inputMode="decimal" required={false} />
      <TextField field={fields.percentage} label="Percentage" inputMode="decimal" unit="%" />
      <TextField field={fields.faceValue} label="Face value (optional)" inputMode="decimal" required={false} />
      <TextField field={fields.preference} label="Preference" inputMode="decimal" />
      <TextField field={fields.participation} label="Participation" inputMode="decimal" />
      <TextField field={fields.priority} label="Priority" inputMode="decimal" />
    </>
  );
}

/**
 * What a contact of an investor receives. A contact of whom nothing is known, also a new one, receives
 * everything.
 */
function ReceivesField({ field }: { field: Receives }) {
  const stored = field.initialValue as string[] | string | undefined;
  const ticked = stored === undefined ? null : [stored].flat();
  return (
    <fieldset className="min-w-0 sm:col-span-2">
      <legend className="mb-1 text-xs font-medium text-ink-2">Receives, as a contact of an investor</legend>
      <input type="hidden" name={field.name} value={NOTHING_RECEIVED} />
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {choicesOf(RECEIVED_LABELS).map(({ value, label }) => (
          <label key={value} className="flex items-center gap-2 text-sm max-sm:min-h-10">
            <input
              type="checkbox"
              name={field.name}
              value={value}
              defaultChecked={ticked?.includes(value) ?? true}
              className="size-4 accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
      <p className="mt-1 text-xs text-ink-3">
        Tapeline emails notices, statements and reports. If no contact receives one of these, all contacts do.
      </p>
      <Problem field={field} label="Receives" />
    </fieldset>
  );
}

function ContactFields({ contact }: { contact: FieldMetadata<Contact> }) {
  const fields = contact.getFieldset();
  return (
    <>
      <TextField field={fields.name} label="Contact name" />
      <TextField field={fields.role} label="Role" />
      <TextField field={fields.email} label="Email" type="email" />
      <TextField field={fields.phone} label="Phone" type="tel" hint="Digits only" />
      <ReceivesField field={fields.receives} />
    </>
  );
}

/** The parts of an entity that its form shows as details. */
const DETAILS = [
  ...['person', 'description', 'business', 'contacts', 'category'],
  ...['state', 'city', 'zip', 'address', 'houseNumber', 'name', 'continent', 'description'].map(
    (part) => `nationality.${part}`,
  ),
].map((name) => `entity.${name}`);

/**
 * The fields of a legal entity, as every organization's form shows them: its name, number and country, and the others as
 * details. The form's schema has them under `entity`.
 * @param asksForBank whether the bank accounts are asked for, before the details
 * @param more what the form has besides among the details, and the names of these fields
 */
export function EntityFields({
  categories,
  industries,
  today,
  asksForBank = false,
  more,
}: {
  categories: readonly string[];
  industries: readonly string[];
  today: string;
  asksForBank?: boolean;
  more?: { names: readonly string[]; fields: ReactNode };
}) {
  const [entity] = useField<ShownEntity>('entity');
  const fields = entity.getFieldset();
  const person = fields.person.getFieldset();
  const banks = (
    <PanelSection title="Bank accounts" className="max-w-[46rem] p-4">
      <ListRows field={fields.banks} one="Bank account" most={10}>
        {(item) => <BankFields bank={item} />}
      </ListRows>
    </PanelSection>
  );
  return (
    <>
      <PanelSection title="Legal entity" className={GRID}>
        <TextField field={fields.name} label="Name" className="sm:col-span-2" />
        <TextField field={fields.formalId} label="Formal id" hint="Registration or tax number" />
        <CountryField field={fields.nationality.getFieldset().country} />
      </PanelSection>
      {asksForBank ? banks : null}
      <MoreDetails names={[...DETAILS, ...(asksForBank ? [] : ['entity.banks']), ...(more?.names ?? [])]}>
        {more?.fields}
        <PanelSection title="Address" className={GRID}>
          <AddressFields address={fields.nationality} hasCountry={false} />
        </PanelSection>
        <PanelSection title="Description" className={GRID}>
          <TextareaField field={fields.description} label="Description" rows={3} className="sm:col-span-2" />
          <TextField field={person.dob} label="Date of birth" type="date" max={today} hint="Only for a person" />
        </PanelSection>
        <BusinessFields business={fields.business} industries={industries} />
        <PanelSection title="Contacts" className="max-w-[46rem] p-4">
          <ListRows field={fields.contacts} one="Contact" most={5}>
            {(item) => <ContactFields contact={item} />}
          </ListRows>
        </PanelSection>
        {asksForBank ? null : banks}
        <PanelSection title="Categories" note="To find the entity in the register" className="max-w-[46rem] p-4">
          <ListRows field={fields.category} one="Category" most={50} compact>
            {(item, index) => (
              <TextField
                field={item}
                label={`Category ${index + 1}`}
                list="categories"
                autoComplete="off"
                required={false}
              />
            )}
          </ListRows>
          <datalist id="categories">
            {categories.map((category) => (
              <option key={category} value={category} />
            ))}
          </datalist>
        </PanelSection>
      </MoreDetails>
    </>
  );
}
