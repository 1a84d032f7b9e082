import { useActionData, useLoaderData } from '@remix-run/react';
import type { ShownDeparture } from '@tapeline/db/operations/tapes/departures.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { DEPARTURES, ROLL_LINE_LABELS } from '@tapeline/domain/pools/roll-forward.ts';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { SelectField, TextareaField } from '../../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../../components/forms/form-layout.ts';
import { FormPage } from '../../../../components/forms/form-page.tsx';
import { StoredFileField } from '../../../../components/forms/stored-file-field.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { departureFormDescription } from './departure-form.ts';
import { readDepartures, saveDepartures } from './departures.server.ts';

export const handle = named<typeof loader>(
  ({ tape }) => [{ label: tape.name, to: paths.tapeForward(tape.id) }, 'Loans that left'],
  ({ tape }) => `Loans that left, ${tape.name}`,
);

export const loader = readDepartures;

export const action = saveDepartures;

const LABELS = pick(ROLL_LINE_LABELS, ...DEPARTURES);

/** What was said, and the form to say more. */
export default function DeparturesScreen() {
  const { tape, departures, unexplained, ids } = useLoaderData<typeof loader>();
  const { total, before } = unexplained;
  return (
    <FormPage
      noun="statement"
      stored={null}
      title="Loans that left"
      facts={[
        tape.name,
        `${formatCalendarDate(before)} to ${formatCalendarDate(tape.cutOffDate)}`,
        total === 0 ? 'all of them are explained' : `${formatCount(total, 'loan')} unexplained`,
      ]}
      description={departureFormDescription}
      answer={useActionData<typeof action>()}
      values={{ ids: ids.join('\n') }}
      submit="Say what happened"
      submitting="Saving"
      encType="multipart/form-data"
      shouldValidate="onSubmit"
      cancelTo={paths.tapeForward(tape.id)}
      above={departures.length > 0 ? <Said departures={departures} /> : null}
    >
      {(fields) => (
        <PanelSection
          title="What happened"
          note="shown in the roll-forward, and counted in the borrower’s reporting score"
          className={FORM_GRID}
        >
          <SelectField field={fields.kind} label="They were" choices={choicesOf(LABELS)} empty="Choose" />
          <StoredFileField
            name="upload"
            label="Document"
            stored={{ name: 'document', value: String(fields.document.value ?? '') }}
          />
          <TextareaField
            field={fields.ids}
            label="Ids of the loans"
            hint={
              ids.length === 0 && total > 0
                ? 'One per line, as on the earlier tape'
                : 'One per line. Remove any that left for another reason'
            }
            rows={8}
          />
          <TextareaField
            field={fields.reason}
            label="Reason"
            hint="For example: bill of sale of 14 October to Calder Funding II"
            rows={2}
          />
        </PanelSection>
      )}
    </FormPage>
  );
}

/** Ids that a statement shows. */
const SHOWN_IDS = 5;

function idsInWords({ assetIds }: Pick<ShownDeparture, 'assetIds'>): string {
  const more = assetIds.length - SHOWN_IDS;
  return `${assetIds.slice(0, SHOWN_IDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const Said = ({ departures }: { departures: readonly ShownDeparture[] }) => (
  <TableSection
    title="Explained so far"
    note="the latest entry counts if two name the same loan"
    narrow="list"
    rows={departures}
    rowKey={({ id }) => id}
    columns={[
      {
        head: 'What happened',
        cell: (row) => (
          <>
            <span className="block font-medium">{LABELS[row.kind]}</span>
            <span className="block whitespace-normal text-xs text-ink-2">{row.reason}</span>
            {row.document ? (
              <a href={paths.download(row.document)} className="tap-text text-xs text-accent hover:underline">
                Document
              </a>
            ) : null}
          </>
        ),
      },
      {
        head: 'Loans',
        wraps: true,
        cell: (row) => (
          <>
            {formatCount(row.assetIds.length, 'loan')}
            <span className="block text-xs text-ink-2">{idsInWords(row)}</span>
          </>
        ),
      },
      {
        head: 'Entered',
        wideOnly: true,
        cell: (row) => (
          <>
            <Name>{row.enteredBy}</Name>, <DateText value={row.enteredAt} time />
          </>
        ),
      },
      {
        head: '',
        cell: (row) => (
          <ActionForm intent="remove" values={{ departure: row.id }} tone="quiet">
            Take back
          </ActionForm>
        ),
      },
    ]}
  />
);
