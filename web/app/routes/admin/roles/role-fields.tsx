import type { FieldMetadata } from '@conform-to/react';
import { TextField } from '../../../components/forms/fields.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import type { AreaGroup } from '../areas.ts';
import { PermissionMatrix } from '../permission-matrix.tsx';
import { ROLE_LABELS as LABELS } from './role-form.ts';

/** A permission as the form for a role offers it. */
export interface OfferedPermission {
  key: string;
  /** False if the person who edits the role does not have it and so cannot give it. */
  grantable: boolean;
}

function PermissionBox({
  permission,
  label,
  name,
  checked,
}: {
  permission: OfferedPermission | null;
  label: string;
  name: string;
  checked: boolean;
}) {
  if (!permission)
    return (
      <span className="text-ink-3">
        <span aria-hidden="true">–</span>
        <span className="sr-only">does not exist</span>
      </span>
    );
  const locked = !permission.grantable && !checked;
  return (
    <label className="inline-flex items-center gap-2 max-sm:min-h-10">
      <input
        type="checkbox"
        name={name}
        value={permission.key}
        defaultChecked={checked}
        disabled={locked}
        className="size-4 accent-accent"
      />
      <span className="sr-only">{label}</span>
      {locked ? <span className="text-xs text-ink-3">not yours to give</span> : null}
    </label>
  );
}

/** The title, the level and the permissions of a role. */
export function RoleFields({
  fields,
  groups,
}: {
  fields: Readonly<Record<'title' | 'level' | 'permissions', FieldMetadata<unknown>>>;
  groups: readonly AreaGroup<OfferedPermission>[];
}) {
  const chosen = [fields.permissions.initialValue].flat();
  const box = (permission: OfferedPermission | null, label: string) => (
    <PermissionBox
      permission={permission}
      label={label}
      name={fields.permissions.name}
      checked={permission !== null && chosen.includes(permission.key)}
    />
  );
  return (
    <>
      <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
        <TextField field={fields.title} label={LABELS.title} />
        <TextField
          field={fields.level}
          label={LABELS.level}
          inputMode="numeric"
          hint="1 to 30. Users can’t change users with a higher privilege level."
        />
      </Panel>
      <Section title="Permissions">
        {fields.permissions.errors ? (
          <p id={fields.permissions.errorId} className="mb-2 text-xs text-danger">
            {String(fields.permissions.errors[0])}
          </p>
        ) : null}
        <Panel className="max-w-[46rem]">
          <div id={fields.permissions.id}>
            <PermissionMatrix
              caption="Permissions of the role"
              groups={groups}
              columns={[
                { head: 'Read', cell: ({ label, read }) => box(read, `Read ${label}`) },
                { head: 'Write', cell: ({ label, write }) => box(write, `Write ${label}`) },
              ]}
            />
          </div>
        </Panel>
      </Section>
    </>
  );
}
