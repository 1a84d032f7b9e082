import type { AmendmentPreview } from '@tapeline/db/operations/amendments/amendments.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';

/** What an amendment changes in words. */
export const AmendmentChanges = ({ changes }: { changes: readonly string[] }) => (
  <PanelSection title="What it changes" padded>
    <ul className="flex flex-col gap-1 text-sm">
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  </PanelSection>
);

/** The effect of an amendment before it is stored: the terms in words, and the invoices already sent that it changes. */
export function AmendmentEffect({ preview: { changes, effects } }: { preview: AmendmentPreview }) {
  return (
    <section aria-label="Review of the amendment">
      <Notice tone={effects.length > 0 ? 'warning' : 'info'}>
        {effects.length > 0
          ? 'It changes figures of invoices that are sent. They stay as they are: the next invoice has the adjustments. Nothing is stored yet.'
          : 'It changes no invoice that is sent. Nothing is stored yet.'}
      </Notice>
      <AmendmentChanges changes={changes} />
      {effects.length > 0 ? (
        <TableSection
          title="Invoices already sent"
          note="the next invoice has each adjustment"
          narrow="cards"
          rows={effects.map((effect) => ({ ...effect, key: `${effect.invoice} ${effect.fee ?? ''}` }))}
          rowKey={({ key }) => key}
          rowTo={({ invoice }) => paths.invoice(invoice)}
          columns={[
            {
              head: 'Invoice',
              card: 'name',
              name: ({ number, fee }) => `Invoice ${number}, ${fee ?? 'Interest'}`,
              length: 44,
            },
            {
              head: 'Period',
              card: 'date',
              cell: ({ from, to }) => (
                <>
                  <DateText value={from} /> to <DateText value={to} />
                </>
              ),
            },
            { head: 'Invoiced', money: ({ invoiced: sum, currency }) => ({ sum, currency }), zero: 'figure' },
            { head: 'Amended', money: ({ accrued: sum, currency }) => ({ sum, currency }), zero: 'figure' },
            {
              head: 'Adjustment',
              card: 'amount',
              money: ({ adjustment: sum, currency }) => ({ sum, currency }),
              withCurrency: true,
              zero: 'figure',
            },
          ]}
        />
      ) : null}
    </section>
  );
}
