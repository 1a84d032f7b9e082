import type { FieldMetadata } from '@conform-to/react';
import { useLocation } from '@remix-run/react';
import { type ComponentProps, useState } from 'react';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import type { AnyField } from '../../../../components/forms/described-fields.tsx';
import { SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { CountryField, CurrencyField } from '../../../../components/organizations/country-field.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { OTHER_INTENT } from '../../../../http/list-edits.ts';
import type { UploadChoices } from '../upload-choices.server.ts';
import { NEW_COMPANY } from '../upload-form.schema.ts';
import { readKeptLatest } from './kept-latest.ts';
import { LatestNotice, LatestOffer } from './latest-part.tsx';
import { MappingPart } from './mapping-part.tsx';
import { readProposedRules } from './proposed-rules.ts';
import { TapeCheck } from './tape-check.tsx';
import type { FilledTape } from './tape-values.server.ts';

const LABELS: Readonly<Record<string, string>> = {
  companyId: 'Borrower',
  'newCompany.name': 'Borrower name',
  'newCompany.country': 'Country',
  'newCompany.currency': 'Borrower currency',
  cutOffDate: 'Cut-off date',
  mainCurrency: 'Main currency',
  sheetName: 'Sheet',
  mapping: 'Mapping',
  use: 'Columns',
};

/** The name of a field in the list of errors, with its file if there are several. */
export function tapeLabel(name: string, tapes: readonly { readonly name: string }[]): string {
  const [, index, field = name] = /^tapes\[(\d+)\]\.(.*)$/.exec(name) ?? [];
  const label = LABELS[field] ?? { exchangeRates: 'Rates', otherAttachments: 'Other documents' }[field] ?? field;
  return index === undefined || tapes.length === 1 ? label : `${tapes[Number(index)]?.name ?? ''}, ${label}`;
}

/** The search of the page's address, with the file to look at again. */
function withLook(search: string, index: number): string {
  const params = new URLSearchParams(search);
  params.set('look', String(index));
  return `?${params}`;
}

type CardField = AnyField & { getFieldset(): Record<string, AnyField> };

/** One file with what was found in it: whose it is, of which day, in which currency, and how its columns are mapped. */
export function TapeCard({
  field,
  index,
  tape,
  isLooked,
  choices,
  ofCheck,
}: {
  field: unknown;
  index: number;
  tape: FilledTape;
  /** Whether the file was looked at again, so that its own values hold and not those of the form. */
  isLooked: boolean;
  choices: UploadChoices;
  ofCheck: Pick<ComponentProps<typeof TapeCheck>, 'answered' | 'isTurn' | 'onEnd'>;
}) {
  const hydrated = useHydrated();
  const fields = (field as CardField).getFieldset();
  const group = fields.newCompany as CardField;
  const newCompany = group.getFieldset() as Record<string, FieldMetadata<string>>;
  const [companyId, setCompanyId] = useState(String(fields.companyId?.initialValue ?? ''));
  const { pathname, search } = useLocation();
  const lookId = `${fields.companyId?.id ?? ''}-look`;
  const valueIn = (name: 'fileId' | 'key' | 'name' | 'proposed' | 'latest' | 'mapping' | 'sheetName'): string =>
    isLooked ? tape[name] : String(fields[name]?.initialValue ?? tape[name]);
  const proposed = readProposedRules(valueIn('proposed'));
  const kept = readKeptLatest(valueIn('latest'));
  const isNew = companyId === NEW_COMPANY;
  const known = choices.companies.some(({ id }) => id === tape.companyId);
  const companies = [
    ...(choices.mayCreateCompany ? [{ value: NEW_COMPANY, label: 'New borrower' }] : []),
    ...(known || tape.companyName === null ? [] : [{ value: tape.companyId, label: tape.companyName }]),
    ...choices.companies.map(({ id, name }) => ({ value: id, label: name })),
  ];
  if (!proposed || !fields.companyId || !fields.cutOffDate || !fields.mainCurrency || !fields.sheetName) return null;
  const look = () => document.getElementById(lookId)?.click();
  return (
    <Panel padded className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="min-w-0 text-base font-semibold break-words">{valueIn('name')}</h2>
        <p className="text-xs text-ink-3">
          {tape.dataRow === null
            ? `${tape.size}, not read yet: it is checked when it is processed`
            : `${tape.size}, ${formatCount(proposed.headers.length, 'column')}, data from row ${tape.dataRow}`}
        </p>
      </div>
      {proposed.other ? <Notice tone="warning">{proposed.other}</Notice> : null}
      {proposed.latest ? (
        <LatestOffer latest={proposed.latest} action={`${pathname}${withLook(search, index)}`} />
      ) : null}
      {kept ? <LatestNotice latest={kept} /> : null}
      {(['fileId', 'key', 'name', 'proposed', 'latest'] as const).map((name) => (
        <input key={name} type="hidden" name={fields[name]?.name ?? ''} value={valueIn(name)} />
      ))}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField
          field={fields.companyId}
          label="Borrower"
          empty="Choose a borrower"
          hint={tape.hints.company}
          choices={companies}
          onChange={(event) => {
            setCompanyId(event.target.value);
            if (event.target.value !== '') setTimeout(look);
          }}
        />
        <TextField
          key={kept && isLooked ? tape.fileId : ''}
          field={fields.cutOffDate}
          label="Cut-off date"
          type="date"
          suggestsMonthEnds
          hint={tape.hints.cutOffDate}
          {...(kept && isLooked ? { defaultValue: tape.cutOffDate } : {})}
        />
        <SelectField
          field={fields.mainCurrency}
          label="Main currency"
          empty="The borrower’s currency"
          choices={CURRENCY_CHOICES}
          hint={tape.hints.mainCurrency}
        />
        {proposed.sheets.length > 1 ? (
          <SelectField
            field={fields.sheetName}
            label="Sheet"
            choices={proposed.sheets.map((name) => ({ value: name, label: name }))}
            hint={`${proposed.sheets.length} sheets`}
            onChange={() => setTimeout(look)}
          />
        ) : (
          <input type="hidden" name={fields.sheetName.name} value={valueIn('sheetName')} />
        )}
      </div>
      <div className={hydrated ? 'hidden' : undefined}>
        <Button
          id={lookId}
          type="submit"
          name={OTHER_INTENT}
          value="look"
          formAction={`${pathname}${withLook(search, index)}`}
          formNoValidate
        >
          Look at the file again with this borrower and sheet
        </Button>
      </div>
      {choices.mayCreateCompany &&
      (isNew || !hydrated) &&
      newCompany.name &&
      newCompany.country &&
      newCompany.currency ? (
        <fieldset className="grid gap-4 rounded-md border border-line p-3 sm:grid-cols-3">
          <legend className="px-1 text-xs font-medium text-ink-2">New borrower</legend>
          <TextField field={newCompany.name} label="Borrower name" marksOptional={false} />
          <CountryField field={newCompany.country} />
          <CurrencyField field={newCompany.currency} label="Borrower currency" />
        </fieldset>
      ) : null}
      <MappingPart
        key={`${valueIn('fileId')} ${proposed.sheetName} ${proposed.mapping?.id} ${proposed.columns.length}`}
        initial={valueIn('mapping')}
        used={isLooked ? tape.use : ((fields.use?.initialValue as string | readonly string[] | undefined) ?? [])}
        {...{ fields, tape, proposed, choices, companyId, hydrated }}
      />
      <TapeCheck index={index} tape={tape} {...ofCheck} />
    </Panel>
  );
}
