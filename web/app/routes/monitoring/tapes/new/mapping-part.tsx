import { Link } from '@remix-run/react';
import { useState } from 'react';
import type { AnyField } from '../../../../components/forms/described-fields.tsx';
import { SelectField } from '../../../../components/forms/fields.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { paths } from '../../../../paths.ts';
import { versionChoice } from '../tape-words.ts';
import type { UploadChoices } from '../upload-choices.server.ts';
import { NEW_COMPANY, SUGGESTED } from '../upload-form.schema.ts';
import { ProposedColumns } from './proposed-columns.tsx';
import { isFitting, type ProposedRules } from './proposed-rules.ts';
import type { FilledTape } from './tape-values.server.ts';

/** How a file's columns are mapped: by a version of the company's mapping, or by the columns that are suggested. */
export function MappingPart({
  fields,
  tape,
  proposed,
  initial,
  used,
  choices,
  companyId,
  hydrated,
}: {
  fields: Record<string, AnyField>;
  tape: FilledTape;
  proposed: ProposedRules;
  /** The mapping that is chosen first. */
  initial: string;
  /** The suggested columns that are chosen first. */
  used: string | readonly string[];
  choices: UploadChoices;
  companyId: string;
  hydrated: boolean;
}) {
  const [mapping, setMapping] = useState(initial);
  if (!fields.mapping || !fields.use) return null;
  const isKnown = companyId !== '' && companyId !== NEW_COMPANY;
  const nameOf = (id: string) => choices.companies.find((company) => company.id === id)?.name ?? 'Borrower';
  const versions = choices.mappings.filter((each) => !hydrated || each.companyId === companyId);
  const { mapping: current, columns } = proposed;
  const isRead = proposed.headers.length > 0;
  const label =
    isRead && isFitting(proposed)
      ? `Version ${current?.version}: the file has all columns that it reads`
      : 'Current mapping';
  return (
    <>
      {current && !isFitting(proposed) ? (
        <Notice tone="warning">
          Version {current.version} of the borrower’s mapping reads{' '}
          {current.lacking
            .slice(0, 10)
            .map((header) => `“${header}”`)
            .join(', ')}
          {current.lacking.length > 10 ? ` and ${current.lacking.length - 10} more` : ''}, which this file lacks or has
          twice. The changed mapping below becomes version {current.version + 1}.
        </Notice>
      ) : null}
      <SelectField
        field={fields.mapping}
        label="Mapping"
        defaultValue={initial}
        onChange={(event) => setMapping(event.target.value)}
        choices={[
          ...(columns.length > 0 && choices.mayMakeMapping
            ? [{ value: SUGGESTED, label: 'Suggested from this file' }]
            : []),
          ...(isKnown || !hydrated ? [{ value: '', label }] : []),
          ...versions.map((version) => ({
            value: version.id,
            label: `${hydrated ? '' : `${nameOf(version.companyId)}: `}${versionChoice(version)}`,
          })),
        ]}
      />
      {columns.length > 0 && choices.mayMakeMapping && (mapping === SUGGESTED || !hydrated) ? (
        <ProposedColumns
          field={fields.use}
          initial={used}
          columns={columns}
          headers={proposed.headers}
          more={
            isKnown ? (
              <Link
                to={paths.newMapping({
                  company: companyId,
                  file: tape.fileId,
                  date: String(fields.cutOffDate?.value ?? ''),
                })}
                className="font-medium text-accent hover:underline"
              >
                Change it in the mapping editor
              </Link>
            ) : null
          }
        />
      ) : null}
    </>
  );
}
