import { DateText, Money, Name, Unknown } from '../../components/figures/figures.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Columns, MoreLink, Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { OwnDocuments } from '../capital/own-documents.tsx';
import { paths } from '../paths.ts';
import type { DashboardView } from './dashboard.server.ts';

type Own = NonNullable<DashboardView['own']>;

function Statements({ statements: { rows, total } }: { statements: NonNullable<Own['statements']> }) {
  return (
    <Section
      title="Capital account statements"
      note={rows.length < total ? `the latest ${rows.length} of ${total}` : 'latest first'}
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="Your capital account statements"
          rows={rows}
          rowKey={(row) => row.id}
          empty={<EmptyState title="No statements yet">Statements are listed here once they are published.</EmptyState>}
          columns={[
            { key: 'fund', head: 'Fund', cell: ({ fund }) => (fund === null ? <Unknown /> : <Name>{fund}</Name>) },
            { key: 'cutOff', head: 'As of', cell: ({ cutOffDate }) => <DateText value={cutOffDate} /> },
            {
              key: 'closing',
              head: 'Closing NAV',
              numeric: true,
              cell: ({ closing, currency }) =>
                closing === null ? (
                  <Unknown reason="See the uploaded statement" />
                ) : (
                  <Money value={{ sum: closing, currency }} withCurrency zero="figure" />
                ),
            },
            {
              key: 'file',
              head: 'Statement',
              cell: ({ fileId }) =>
                fileId === null ? (
                  <Unknown reason="The file is being made" />
                ) : (
                  <a href={paths.download(fileId)} className="tap-text text-accent hover:underline">
                    PDF
                  </a>
                ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

/** What an investor has to pay, was paid, and its statements. */
export function OwnCapital({ own: { calls, distributions, statements } }: { own: Own }) {
  return (
    <>
      {calls ? (
        <Section
          title="Calls to pay"
          note="the earliest due date first; the notice has the wire instructions"
          more={<MoreLink to={paths.capitalCalls()}>All calls</MoreLink>}
        >
          <OwnDocuments rows={calls.rows} total={calls.rows.length} noun="calls to pay" amount="To pay" />
        </Section>
      ) : null}
      <Columns>
        {distributions ? (
          <Section
            title="Latest distributions"
            more={<MoreLink to={paths.distributions()}>All distributions</MoreLink>}
          >
            <OwnDocuments
              rows={distributions.rows}
              total={distributions.rows.length}
              noun="distributions"
              amount="Paid to you"
            />
          </Section>
        ) : null}
        {statements ? <Statements statements={statements} /> : null}
      </Columns>
    </>
  );
}
