import { Form, Link, useLoaderData } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type DecimalText, isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { MAX_SHOWN_SCENARIOS } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { Money, Name, Percent } from '../../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../../components/page/section.tsx';
import { type Column, TableSection } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { SignedMoney } from '../borrowing-bases/comparison/signed-money.tsx';
import { ChoiceLinks } from '../tapes/choice-bar.tsx';
import { ChangedAssets } from './changed-assets.tsx';
import { ScenarioChip, ScenarioWatermark } from './watermark.tsx';
import { readWhatIf, type SideBySideLine, type WhatIfPage } from './what-if.server.ts';

export const handle = named<typeof loader>(
  ({ transaction, noteId, noteTitle, base }) => [
    { label: transaction.title, to: paths.transaction(transaction.id) },
    [noteTitle, paths.transaction(transaction.id, { note: noteId })],
    [`Borrowing base, ${formatCalendarDate(base.cutOffDate)}`, paths.borrowingBase(base.id)],
    'What if',
  ],
  ({ transaction, noteTitle, base }) =>
    `What if ${formatCalendarDate(base.cutOffDate)}, ${transaction.title}, ${noteTitle}`,
);

export const loader = readScreen('borrowingBase/read', readWhatIf);

function Figure({ value, line, currency }: { value: DecimalText | null; line: SideBySideLine; currency: string }) {
  if (line.unit === 'percent') return <Percent value={value} zero="figure" unknown="Unknown" />;
  return (
    <Money
      value={value === null ? null : { sum: value, currency }}
      zero={line.isLevel ? 'figure' : 'dash'}
      unknown="Unknown"
      className="!text-inherit"
    />
  );
}

function Change({ value, line, currency }: { value: DecimalText | null; line: SideBySideLine; currency: string }) {
  if (value === null) return 'unknown';
  if (isZero(value)) return 'no change';
  if (line.unit === 'money') return <SignedMoney value={value} currency={currency} />;
  return (
    <>
      {isNegative(value) ? null : '+'}
      <Percent value={value} />
    </>
  );
}

/** The certificate, and beside it each scenario with its difference. */
function SideBySide({ page }: { page: WhatIfPage }) {
  const { currency } = page.base;
  const strong = ({ isLevel }: SideBySideLine) => (isLevel ? 'font-semibold' : undefined);
  return (
    <TableSection
      title="Side by side"
      note={`${currency} · each scenario with its difference from the certificate`}
      caption="The certificate and its scenarios, line by line"
      rows={page.lines}
      rowKey={({ label }) => label}
      columns={[
        { head: 'Line', wraps: true, cell: (line) => <span className={strong(line)}>{line.label}</span> },
        {
          head: `Certificate, ${formatCalendarDate(page.base.cutOffDate)}`,
          numeric: true,
          cell: (line) => (
            <span className={strong(line)}>
              <Figure value={line.certificate} line={line} currency={currency} />
            </span>
          ),
        },
        ...page.opened.map(
          ({ id, title }, index): Column<SideBySideLine> => ({
            head: (
              <Link to={paths.scenario(id)} className="tap-text font-semibold text-scenario hover:underline">
                {title}
              </Link>
            ),
            numeric: true,
            cell: (line) => {
              const found = line.scenarios[index];
              return found ? (
                <span className="text-scenario">
                  <span className={strong(line)}>
                    <Figure value={found.now} line={line} currency={currency} />
                  </span>
                  <span className="block text-2xs text-ink-3">
                    <Change value={found.change} line={line} currency={currency} />
                  </span>
                </span>
              ) : null;
            },
          }),
        ),
      ]}
    />
  );
}

/** Which scenarios are shown, and what each changes. */
function Chosen({ page }: { page: WhatIfPage }) {
  return (
    <PanelSection title="Scenarios" note={`up to ${MAX_SHOWN_SCENARIOS} side by side`} padded>
      <Form method="get" preventScrollReset className="no-print mb-3 flex flex-wrap items-center gap-x-5 gap-y-2">
        {page.scenarios.map(({ id, title, isShown }) => (
          <label key={id} className="tap-text inline-flex items-center gap-2 text-sm">
            <input key={`${isShown}`} type="checkbox" name="scenario" value={id} defaultChecked={isShown} />
            {title}
          </label>
        ))}
        <Button type="submit">Show</Button>
      </Form>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
        {page.shown.map(({ id, title, words, problem }) => (
          <div key={id} className="min-w-0">
            <dt className="font-medium">
              <Link to={paths.scenario(id)} className="tap-text text-scenario hover:underline">
                {title}
              </Link>
            </dt>
            <dd className="break-words text-ink-2">
              {problem ?? (
                <ul>
                  {words.map((change) => (
                    <li key={change}>{change}</li>
                  ))}
                </ul>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  );
}

export default function WhatIfScreen() {
  const page = useLoaderData<typeof loader>() as WhatIfPage;
  const { base, transaction, noteTitle, opened, assets } = page;
  const shownIds = page.shown.map(({ id }) => id);
  return (
    <>
      <ScenarioWatermark />
      <PageHeader
        title="What if"
        chip={<ScenarioChip />}
        facts={[
          <>
            <Name>{transaction.title}</Name>, <b>{noteTitle}</b>
          </>,
          `borrowing base of ${formatCalendarDate(base.cutOffDate)}`,
        ]}
        actions={
          <>
            {page.mayChange ? <LinkButton to={paths.newScenario({ base: base.id })}>New scenario</LinkButton> : null}
            <LinkButton to={paths.borrowingBase(base.id)}>Borrowing base</LinkButton>
          </>
        }
      />
      <Notice tone="info">
        Scenarios show what this certificate would be. Draws, checks, trends and exports use the certificate only.
      </Notice>
      {page.scenarios.length === 0 ? (
        <Panel>
          <EmptyState title="No scenarios">
            {page.mayChange ? (
              <Link to={paths.newScenario({ base: base.id })} className="tap-text text-accent underline">
                Create the first one
              </Link>
            ) : (
              'Nobody has kept a scenario of this certificate.'
            )}
          </EmptyState>
        </Panel>
      ) : (
        <Chosen page={page} />
      )}
      {opened.length > 0 ? <SideBySide page={page} /> : null}
      {opened.length > 1 && assets ? (
        <div className="no-print mb-3">
          <ChoiceLinks
            label="Loans of"
            choices={opened.map(({ id, title }) => ({
              label: title,
              to: paths.whatIf(base.id, { scenario: shownIds, assets: id }),
              isCurrent: id === assets.id,
            }))}
          />
        </div>
      ) : null}
      {assets ? <ChangedAssets assets={assets} base={base} /> : null}
    </>
  );
}
