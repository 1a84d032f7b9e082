import type { SubmissionResult } from '@conform-to/react';
import { useField } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createNavs, splitNav } from '@tapeline/db/operations/capital/navs.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { Name } from '../../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { inputClass, Problem, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { numberInput, shownNumber } from '../../../components/forms/typed-number.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel, PanelSection, Section } from '../../../components/page/section.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { capitalLabel } from '../capital-form.ts';
import { ChooseFund } from '../choose-fund.tsx';
import { commitmentsOfForm } from '../commitments-of-form.server.ts';
import { capitalCrumbs } from '../crumbs.ts';
import { type FundOfForm, fundOfUrl } from '../fund-of-form.server.ts';
import { SHARE_DIGITS } from '../shares.tsx';
import { MAX_ROWS, navForm, navFormDescription, splitForm } from './nav-form.ts';

export const handle = capitalCrumbs<{ fund: FundOfForm | null }>('New NAV', 'navs', ({ fund }) => fund);

export const loader = readScreen('funds/write', (screen) =>
  screen.db(async (session) => {
    const { fund, choice } = await fundOfUrl(session, screen);
    const today = todayOf(session);
    const commitments = fund ? await commitmentsOfForm(session, fund, today) : [];
    return { fund, choice, today, commitments: commitments.slice(0, MAX_ROWS), total: commitments.length };
  }),
);

export const action = act({
  split: intent({
    permission: 'funds/write',
    schema: splitForm,
    async run({ fund: id, cutOffDate, gross, net, status }, screen) {
      const rows = await screen.dryRun(async (session) => {
        const { classes, ...fund } = await getFund(session, id);
        const parts = await splitNav(session, { fund: id, cutOffDate, gross, net });
        const partOf = new Map(parts.map((part) => [part.commitment, part]));
        const shown = await commitmentsOfForm(session, { ...fund, classes }, cutOffDate);
        return shown.slice(0, MAX_ROWS).map((commitment) => ({
          commitment: commitment.id,
          gross: partOf.get(commitment.id)?.gross ?? '',
          net: partOf.get(commitment.id)?.net ?? '',
        }));
      });
      const initialValue = { fund: id, cutOffDate, gross, net, status: status ?? 'Draft', rows };
      return Response.json({ intent: 'split', done: false, lastResult: { initialValue }, isSplit: true });
    },
  }),
  create: intent({
    permission: 'funds/write',
    schema: navForm,
    async run({ fund: id, cutOffDate, status, rows }, { db }) {
      const entered = rows.flatMap((row, index) =>
        row.gross === undefined || row.net === undefined
          ? []
          : [{ commitment: row.commitment, gross: row.gross, net: row.net, index }],
      );
      await db(async (session) => {
        const fund = await getFund(session, id);
        const known = new Map((await commitmentsOfForm(session, fund, cutOffDate)).map((one) => [one.id, one]));
        const bodies = entered.map(({ commitment, gross, net, index }) => {
          const found = known.get(commitment);
          if (!found) {
            throw new Refusal('badRequest', 'Reload the page: a commitment is no longer in force', {
              flags: { [`rows.${index}.gross`]: 'has no commitment in force' },
            });
          }
          const investor = { id: found.investorId, kind: found.investorKind };
          return { fund: id, investor, Class: found.Class, cutOffDate, gross, net, currency: fund.currency, status };
        });
        await createNavs(session, bodies);
      });
      return redirect(paths.fund(id, { view: 'navs' }));
    },
  }),
});

interface Answer {
  lastResult?: SubmissionResult<string[]>;
  isSplit?: boolean;
}
interface ShownRow {
  commitment: string;
  gross: string;
  net: string;
}
type Page = ReturnType<typeof useLoaderData<typeof loader>>;
type Row = Page['commitments'][number] & { index: number };

/** The NAV of each investor, one row a commitment. */
function InvestorRows({ page, currency }: { page: Page; currency: string }) {
  const [rows] = useField<ShownRow[]>('rows');
  const items = rows.getFieldList();
  const cell = (index: number, part: 'gross' | 'net', label: string) => {
    const field = items[index]?.getFieldset()[part];
    if (!field) return null;
    const problem = field.errors?.[0];
    return (
      <>
        <input
          id={field.id}
          name={field.name}
          key={field.key}
          defaultValue={shownNumber(field.initialValue ?? '', currency)}
          {...numberInput(currency)}
          inputMode="decimal"
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? field.errorId : undefined}
          className={inputClass('figures w-40 text-right')}
        />
        <Problem field={field} label={label} />
      </>
    );
  };
  const ofClass: Column<Row>[] = page.commitments.some(({ className }) => className !== null)
    ? [{ head: 'Class', cell: (row) => row.className }]
    : [];
  return (
    <>
      {rows.errors ? (
        <p id={rows.errorId} className="px-3 pt-3 text-xs text-danger">
          {rows.errors[0]}
        </p>
      ) : null}
      <DataTable
        narrow="list"
        caption="NAV of each investor"
        rows={page.commitments.map((commitment, index) => ({ ...commitment, index }))}
        columns={[
          {
            head: 'Investor',
            cell: (row) => (
              <>
                <input type="hidden" name={`rows[${row.index}].commitment`} value={row.id} />
                <Name length={40}>{row.title}</Name>
              </>
            ),
          },
          ...ofClass,
          { head: 'Share (%)', figure: (row) => row.percentage, digits: SHARE_DIGITS },
          {
            head: `Gross NAV (${currency})`,
            numeric: true,
            cell: (row) => cell(row.index, 'gross', `Gross NAV of ${row.title}`),
          },
          {
            head: `Net NAV (${currency})`,
            numeric: true,
            cell: (row) => cell(row.index, 'net', `Net NAV of ${row.title}`),
          },
        ]}
      />
    </>
  );
}

function NavFields({ page, answer }: { page: Page; answer: Answer | undefined }) {
  const fund = page.fund!;
  const { today, commitments, total } = page;
  const [form] = useScreenForm('nav', navFormDescription, {
    lastResult: answer?.lastResult,
    defaultValue: {
      fund: fund.id,
      cutOffDate: today,
      status: 'Draft',
      rows: commitments.map(({ id }) => ({ commitment: id })),
      ...answer?.lastResult?.initialValue,
    },
    shouldValidate: 'onSubmit',
  });
  return (
    <ScreenForm form={form} intent="create" labels={capitalLabel} currency={fund.currency}>
      <HiddenField name="fund" />
      <Totals currency={fund.currency} />
      <Section title="NAV of each investor" note="a row that stays empty is not stored">
        {total > commitments.length ? (
          <Notice tone="warning">
            The {commitments.length} largest of {total} commitments are shown. Enter the others through the API.
          </Notice>
        ) : null}
        <Panel>
          <InvestorRows page={page} currency={fund.currency} />
        </Panel>
      </Section>
      <FormActions submit="Save" submitting="Saving" cancelTo={paths.fund(fund.id, { view: 'navs' })} />
    </ScreenForm>
  );
}

/** The date and status, and the NAV of the fund that can be split. */
function Totals({ currency }: { currency: string }) {
  const [cutOffDate] = useField<string>('cutOffDate');
  const [status] = useField<string>('status');
  const [gross] = useField<string>('gross');
  const [net] = useField<string>('net');
  const sum = { unit: currency, inputMode: 'decimal', required: false, marksOptional: false } as const;
  return (
    <>
      <PanelSection title="NAV" className={FORM_GRID}>
        <TextField
          field={cutOffDate}
          label="Cut-off date"
          type="date"
          suggestsMonthEnds
          hint="The day that the NAV is of"
        />
        <SelectField
          field={status}
          label="Status"
          hint="A draft enters no figure, and investors do not see it"
          choices={[
            { value: 'Draft', label: 'Draft' },
            { value: 'Active', label: 'Active' },
          ]}
        />
      </PanelSection>
      <PanelSection
        title="Split the NAV of the fund"
        note="optional: by the commitments on the cut-off date"
        className={FORM_GRID}
      >
        <TextField field={gross} label="Gross NAV" {...sum} />
        <TextField field={net} label="Net NAV" {...sum} />
        <div className="sm:col-span-2">
          <Button type="submit" name="otherIntent" value="split" formNoValidate>
            Split over the investors
          </Button>
        </div>
      </PanelSection>
    </>
  );
}

export default function NewNav() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const { fund, choice, commitments } = page;
  if (!fund) return choice ? <ChooseFund title="New NAV" choice={choice} backTo={paths.funds()} /> : null;
  if (commitments.length === 0 || fund.status === 'Draft') {
    return (
      <EmptyState title="No NAV yet" action={<LinkButton to={paths.fund(fund.id)}>Back to the fund</LinkButton>}>
        The fund has to be Active, with commitments that are in force.
      </EmptyState>
    );
  }
  return (
    <>
      <PageHeader
        title="New NAV"
        facts={[
          <b key="fund">{fund.title}</b>,
          `figures in ${fund.currency}`,
          `today ${formatCalendarDate(page.today)}`,
        ]}
      />
      {answer?.isSplit ? <Notice>The rows below are split by commitment. Nothing is stored yet.</Notice> : null}
      <NavFields
        key={answer?.isSplit ? JSON.stringify(answer.lastResult?.initialValue) : 'entry'}
        page={page}
        answer={answer}
      />
    </>
  );
}
