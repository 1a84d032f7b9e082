import { type FieldMetadata, getSelectProps } from '@conform-to/react';
import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button } from '../../../components/forms/button.tsx';
import { type Choice, Field, inputClass, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import type { OrganizationGroups } from './user-choices.server.ts';
import { USER_LABELS as LABELS } from './user-form.ts';

type Fields = Readonly<
  Record<'firstName' | 'lastName' | 'email' | 'recoveryEmail' | 'phoneNumber' | 'role', FieldMetadata<unknown>>
>;

/** The fields shared by the forms for a new user and a stored one. */
export function UserFields({
  fields,
  organization,
  role,
  beyond = [],
  emailHint,
  onEmail,
  onFirstName,
}: {
  fields: Fields;
  /** The field of the organization, of a new user. */
  organization?: ReactNode;
  /** The field of the role. */
  role: ReactNode;
  /** The user's permissions that the person lacks. With any, they cannot change how the user signs in. */
  beyond?: readonly string[];
  emailHint?: string | undefined;
  /** Called with the field of the email when it is left. */
  onEmail?: (field: HTMLInputElement) => void;
  /** The same with the first name, which can be a whole name while there is no last name. */
  onFirstName?: (field: HTMLInputElement) => void;
}) {
  if (beyond.length > 0) {
    const kept = [fields.email, fields.role, fields.recoveryEmail];
    return (
      <>
        <TextField field={fields.firstName} label={LABELS.firstName} autoComplete="off" />
        <TextField field={fields.lastName} label={LABELS.lastName} autoComplete="off" />
        {kept.map(({ name, initialValue }) => (
          <input key={name} type="hidden" name={name} value={String(initialValue ?? '')} />
        ))}
        <PhoneField field={fields.phoneNumber} />
        <p className="text-xs text-ink-3 sm:col-span-2">
          You cannot change the email, recovery email or role, because this user has permissions that you do not have:{' '}
          {beyond.join(', ')}.
        </p>
      </>
    );
  }
  return (
    <>
      <TextField
        field={fields.email}
        label={LABELS.email}
        type="email"
        autoComplete="off"
        hint={emailHint}
        onBlur={onEmail && ((event) => onEmail(event.target))}
      />
      {organization}
      <TextField
        field={fields.firstName}
        label={LABELS.firstName}
        autoComplete="off"
        hint={onFirstName && 'Or the whole name'}
        onBlur={onFirstName && ((event) => onFirstName(event.target))}
      />
      <TextField field={fields.lastName} label={LABELS.lastName} autoComplete="off" />
      {role}
      <div className="sm:col-span-2">
        <MoreDetails names={['recoveryEmail', 'phoneNumber']}>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={fields.recoveryEmail} label={LABELS.recoveryEmail} type="email" autoComplete="off" />
            <PhoneField field={fields.phoneNumber} />
          </div>
        </MoreDetails>
      </div>
    </>
  );
}

const PhoneField = ({ field }: { field: FieldMetadata<unknown> }) => (
  <TextField
    field={field}
    label={LABELS.phoneNumber}
    type="tel"
    autoComplete="off"
    hint="Country code and number, digits only: 442079460000"
  />
);

/** The role of a stored user. */
export const RoleField = ({ field, roles }: { field: FieldMetadata<unknown>; roles: readonly Choice[] }) => (
  <SelectField
    field={field}
    label={LABELS.role}
    choices={roles}
    empty="No role"
    hint="Decides what the user can see and do"
  />
);

/** A choice among groups of choices. */
export function GroupedField({
  field,
  label,
  hint,
  empty,
  groups,
  className,
}: {
  field: FieldMetadata<unknown>;
  label: string;
  hint: string;
  empty: string;
  groups: readonly { label: string; choices: readonly Choice[] }[];
  className?: string;
}) {
  const { key, ...props } = getSelectProps(field);
  const offered = groups.map((group) => group.label).join();
  return (
    <Field field={field} label={label} hint={hint} marksOptional={false} verb="Choose" className={className}>
      {/* Other groups of choices keep what was chosen, if they offer it as well. */}
      <select
        key={`${key} ${offered}`}
        {...props}
        defaultValue={String(field.value ?? props.defaultValue ?? '')}
        className={inputClass('truncate')}
      >
        <option value="">{empty}</option>
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </Field>
  );
}

/** The organization that a user acts for, in groups by type. */
export const OrganizationField = ({
  field,
  organizations,
}: {
  field: FieldMetadata<unknown>;
  organizations: OrganizationGroups;
}) => (
  <GroupedField
    field={field}
    label={LABELS.organization}
    hint="Decides the type of the user. It cannot change later."
    empty="Choose an organization"
    groups={organizations.groups}
  />
);

/** Finds an organization by name, where there are more than the field lists. A form of its own. */
export function OrganizationSearch({ organizations }: { organizations: OrganizationGroups }) {
  const { search, found, listed } = organizations;
  if (search === '' && found <= listed) return null;
  return (
    <Form method="get" preventScrollReset className="mb-4 flex flex-wrap items-center gap-2">
      <label htmlFor="organization-search" className="sr-only">
        Find an organization
      </label>
      <input
        id="organization-search"
        type="search"
        name="find"
        key={search}
        defaultValue={search}
        maxLength={200}
        placeholder="Find an organization"
        className={inputClass('w-56 max-w-full')}
      />
      <Button type="submit">Find</Button>
      <span className="text-xs text-ink-3" role="status">
        {found === 0
          ? `No organization is called “${search}”.`
          : found > listed
            ? `${listed} of ${found} organizations are listed.`
            : `${found} found.`}
      </span>
    </Form>
  );
}
