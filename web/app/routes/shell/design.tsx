import { redirect } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { FileText, Plus, Table2 } from 'lucide-react';
import { z } from 'zod';
import { ChartGallery } from '../../components/charts/gallery.tsx';
import { DateText, Figure, Money, Mono, ShareBar, ShortNumber } from '../../components/figures/figures.tsx';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { CheckboxField, FileField, SelectField, TextareaField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { Chip, StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { ProgressSteps } from '../../components/page/progress-steps.tsx';
import { Columns, Panel, PanelSection, Section } from '../../components/page/section.tsx';
import { TableSkeleton } from '../../components/page/skeleton.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { errorAnswer } from '../../http/errors.server.ts';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { exampleDescription, exampleSchema } from './example-form.ts';

export const handle = named('Design');

/** Every UI component on one page, with sample figures, as a reference for developers. Not available in production. */
export const loader = readScreen(null, ({ context }) => {
  if (context.environment.nodeEnv === 'production') throw errorAnswer(context, 'notFound');
  return null;
});

export const action = act({
  save: intent({ permission: null, schema: exampleSchema, run: async () => redirect(paths.design()) }),
  remove: intent({ permission: null, schema: z.object({}), run: async () => redirect(paths.design()) }),
});

const RULES = [
  { rule: 'FICO is at least 640', stage: 'Eligibility', assets: 612, amount: '8811204.10', points: '4.10' },
  {
    rule: 'Remaining term is at most 60 months',
    stage: 'Eligibility',
    assets: 318,
    amount: '4702377.85',
    points: '2.19',
  },
  { rule: 'Days past due is at most 30', stage: 'Performance', assets: 611, amount: '-8240660.91', points: '3.83' },
  { rule: 'Any one state at most 12%', stage: 'Concentration', assets: 0, amount: null, points: null },
];

function ExampleForm() {
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('example', exampleDescription, {
    lastResult: answer && 'lastResult' in answer ? answer.lastResult : null,
  });
  return (
    <Panel padded>
      <ScreenForm
        form={form}
        intent="save"
        labels={{ title: 'Title', company: 'Borrower', advanceRatePercent: 'Advance rate' }}
        encType="multipart/form-data"
      >
        <TextField field={fields.title} label="Title" hint="2 to 150 characters" />
        <SelectField
          field={fields.company}
          label="Borrower"
          empty="Choose a borrower"
          choices={[{ value: 'northwind', label: 'Northwind' }]}
        />
        <TextField field={fields.advanceRatePercent} label="Advance rate" inputMode="decimal" unit="%" />
        <TextField field={fields.cutOffDate} label="Cut-off date" type="date" suggestsMonthEnds />
        <TextareaField field={fields.note} label="Note" rows={2} />
        <FileField field={fields.files} label="Files" accept=".xlsx,.csv" multiple />
        <CheckboxField field={fields.calculate} label="Also calculate the borrowing base" />
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={paths.home()}>Cancel</LinkButton>
        </FormActions>
      </ScreenForm>
    </Panel>
  );
}

export default function Design() {
  return (
    <>
      <PageHeader
        title="Borrowing base, 31 Oct 2026"
        chip={<StatusChip dot status="Completed" />}
        facts={[
          'Northwind Consumer Loans',
          <b key="note">Senior note</b>,
          <>
            contract <b>v4, active since 1 Jul 2026</b>
          </>,
        ]}
        actions={
          <>
            <LinkButton to="#certificate" icon={FileText}>
              Certificate PDF
            </LinkButton>
            <LinkButton to="#excel" icon={Table2}>
              Excel
            </LinkButton>
            <Button tone="primary" icon={Plus}>
              Request a draw
            </Button>
          </>
        }
      />
      <Notice tone="warning" action={<a href="#errored">Review errored rows</a>}>
        38 of 14,650 rows could not be processed as assets. Correct and reprocess them, or discard them.
      </Notice>
      <KeyFigures
        figures={[
          {
            label: 'Net borrowing base',
            value: <Money value="156106227.73" />,
            unit: 'USD',
            note: '+2.4% from 30 Sep',
            tone: 'good',
            to: '#waterfall',
            trend: [148, 150, 149, 153, 156],
          },
          { label: 'Balance', value: <Money value="131250000" />, unit: 'USD', note: '6 draws, 2 repayments' },
          { label: 'Availability', value: <Money value="24856227.73" />, unit: 'USD', note: 'of 175.0M committed' },
          {
            label: 'Weighted advance rate',
            value: <Figure value="84.6" />,
            unit: '%',
            note: 'default 80%, two cases',
          },
          {
            label: 'Excess concentration',
            value: <Money value="6214905.44" />,
            unit: 'USD',
            note: '3.3% of pool',
            tone: 'danger',
          },
        ]}
      />
      <ProgressSteps
        label="Progress of the tape"
        steps={[
          { label: 'Read', state: 'done', note: '14,650 rows · 0.4 s' },
          { label: 'Transform', state: 'running', note: '1 of 2 batches', fraction: 0.5 },
          { label: 'Finalize', state: 'waiting', note: 'unique, consistent' },
          { label: 'Publish', state: 'failed', note: 'storage did not answer' },
        ]}
      />
      <ChartGallery />
      <Tabs
        label="Parts"
        tabs={[
          { label: 'Assets', to: paths.design(), count: 14612 },
          { label: 'Errors', to: '?view=errored', count: 38 },
        ]}
      />
      <Columns split="wide">
        <TableSection
          title="Rules"
          note="each asset counted under the first rule it fails"
          more={<a href="#all">All 14 rules</a>}
          rows={RULES}
          rowKey={(row) => row.rule}
          columns={[
            { head: 'Rule', cell: (row) => row.rule, total: 'Total excluded' },
            { head: 'Stage', quiet: true, wideOnly: true, cell: (row) => row.stage },
            { head: 'Assets', figure: (row) => row.assets, total: 1541 },
            {
              head: 'Amount (USD)',
              money: (row) => row.amount,
              unknown: 'The tape has no state column',
              total: '30357684.55',
            },
            { head: 'Share', percent: (row) => row.points, total: '14.13' },
            {
              head: <span className="sr-only">Share (bar)</span>,
              cell: (row) => <ShareBar fraction={Number(row.points ?? 0) / 4.1} tone="chart-2" />,
            },
          ]}
        />
        <PanelSection title="States and figures" padded className="flex flex-wrap items-center gap-3">
          <Chip>Draft</Chip>
          {[
            'Active',
            'Processing',
            'Pending',
            'Rejected',
            'current',
            'pastDue',
            'chargedOff',
            'inEligible',
            'nonPerforming',
          ].map((status) => (
            <StatusChip key={status} status={status} />
          ))}
          <Mono>NW-0048812</Mono>
          <DateText value="2026-10-31" />
          <DateText time value="2026-11-02T09:14:00Z" />
          <ShortNumber value="214880412.36" />
          <Figure value={null} unknown="No tape yet" />
          <Button>Advance rate</Button>
          <Button disabled>Not now</Button>
          <ActionForm intent="remove">Run again</ActionForm>
          <ConfirmForm
            intent="remove"
            label="Remove"
            title="Remove tape?"
            consequence="Its assets leave every list. The file is kept."
            confirm="Remove"
          />
        </PanelSection>
      </Columns>
      <Columns>
        <Section title="A form">
          <ExampleForm />
        </Section>
        <div>
          <PanelSection title="Nothing yet">
            <EmptyState
              title="No loan tapes yet"
              action={
                <LinkButton tone="primary" to={paths.home()}>
                  Upload a tape
                </LinkButton>
              }
            >
              Upload a spreadsheet of loans, and its assets are here.
            </EmptyState>
          </PanelSection>
          <Section title="Loading">
            <TableSkeleton rows={5} />
          </Section>
        </div>
      </Columns>
    </>
  );
}
