import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { BASE_RATES } from '@tapeline/domain/facilities/terms-labels.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import type { z } from 'zod';
import { StepChart } from '../../components/charts/step-chart.tsx';
import { DateText, Percent, Unknown } from '../../components/figures/figures.tsx';
import { formatRate } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { FileField, SelectField, TextareaField, TextField } from '../../components/forms/fields.tsx';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import type { ActionAnswer } from '../../http/screen.server.ts';
import type { fixingSchema, importFormSchema } from './table-form.ts';
import type { TablePage } from './table-page.server.ts';
import { FIXING_LABELS } from './table-words.ts';

const CHOICES = BASE_RATES.map((rate) => ({ value: rate, label: rate }));

/** The latest fixing of each base rate, and how they changed. */
export function RatesOverTime({ page }: { page: TablePage }) {
  const drawn = page.chart.filter(({ steps }) => steps.length > 0);
  return (
    <>
      <KeyFigures
        label="Latest fixings"
        figures={page.chart.map(({ rate, latest }) => ({
          label: rate,
          value: latest ? (
            <Percent value={latest.rate} digits="stored" zero="figure" />
          ) : (
            <Unknown reason={`No fixing of ${rate}`} />
          ),
          note: latest ? (
            <>
              <DateText value={latest.date} />, {daysBetween(latest.date, page.today)} days ago
            </>
          ) : (
            'no fixing yet'
          ),
        }))}
      />
      {drawn.length > 0 ? (
        <StepChart
          title="Base rates"
          note="percent, last two years"
          zero={false}
          until={page.today}
          format={formatRate}
          series={drawn.map(({ rate, steps }) => ({
            label: rate,
            steps: steps.map((step) => ({ date: step.date, value: toNumber(step.rate) })),
          }))}
        />
      ) : null}
    </>
  );
}

export function FixingsTable({ page }: { page: TablePage }) {
  const { values, total, version, mayWrite } = page;
  return (
    <TableSection
      title="Fixings"
      note="A fixing applies from its date until the next one"
      caption="Fixings of base rates"
      rows={values}
      rowKey={(value) => `${value.title} ${value.date}`}
      empty={
        <EmptyState title="No fixings yet">
          Interest at a base rate is unknown until its fixings are entered or imported.
        </EmptyState>
      }
      columns={[
        { head: 'Base rate', cell: (value) => value.title },
        { head: 'Date', date: (value) => value.date },
        { head: 'Rate (%)', percent: (value) => value.rate, bare: true, digits: 4, zero: 'figure' },
        ...(mayWrite
          ? [
              {
                head: <span className="sr-only">Action</span>,
                cell: (value: TablePage['values'][number]) => (
                  <ActionForm
                    intent="removeFixing"
                    values={{ title: value.title, date: value.date ?? '', tableVersion: String(version) }}
                    tone="quiet"
                  >
                    Remove
                    <span className="sr-only">
                      {' '}
                      {value.title} of {value.date}
                    </span>
                  </ActionForm>
                ),
              },
            ]
          : []),
      ]}
      below={<Pagination total={total} limit={page.limit} noun="fixings" />}
    />
  );
}

export function AddFixing({ page, answer }: { page: TablePage; answer: ActionAnswer | undefined }) {
  const [form, fields] = useShortForm<z.input<typeof fixingSchema>>('add-fixing', {
    lastResult: answer?.intent === 'fixing' ? answer.lastResult : null,
    defaultValue: { date: page.today },
    required: ['rate'],
    chosen: ['title', 'date'],
  });
  return (
    <PanelSection title="Enter a fixing" note="It replaces the fixing of the same day" padded>
      <ScreenForm form={form} intent="fixing" labels={FIXING_LABELS}>
        <HiddenField name="tableVersion" value={page.version} />
        <div className="grid gap-3 sm:grid-cols-3">
          <SelectField field={fields.title} label={FIXING_LABELS.title} choices={CHOICES} empty="Choose a rate" />
          <TextField field={fields.date} label={FIXING_LABELS.date} type="date" />
          <TextField field={fields.rate} label={FIXING_LABELS.rate} unit="%" inputMode="decimal" autoComplete="off" />
        </div>
        <FormActions submit="Save fixing" submitting="Saving" tone="plain" />
      </ScreenForm>
    </PanelSection>
  );
}

export function ImportFixings({ page, answer }: { page: TablePage; answer: ActionAnswer | undefined }) {
  const [form, fields] = useShortForm<z.input<typeof importFormSchema>>('import-fixings', {
    lastResult: answer?.intent === 'import' ? answer.lastResult : null,
  });
  const problems = fields.fixings.errors ?? [];
  return (
    <PanelSection title="Import fixings" note="All lines or none" padded>
      <ScreenForm form={form} intent="import" labels={{ fixings: 'Fixings as CSV' }} encType="multipart/form-data">
        <HiddenField name="tableVersion" value={page.version} />
        <TextareaField
          field={fields.fixings}
          label="Fixings as CSV"
          hint="Base rate, date and rate in percent on each line: SOFR,2026-10-30,4.31"
          rows={6}
          spellCheck={false}
          className="[&_textarea]:font-mono [&_textarea]:text-xs"
        />
        {problems.length > 1 ? (
          <ul aria-label="Lines with errors" className="list-disc pl-4 text-xs text-danger">
            {problems.slice(1).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : null}
        <FileField
          field={fields.file}
          label="Or a CSV file"
          hint="Replaces the text above"
          accept=".csv,.txt,text/csv"
        />
        <FormActions submit="Import" submitting="Importing" tone="plain" />
      </ScreenForm>
    </PanelSection>
  );
}
