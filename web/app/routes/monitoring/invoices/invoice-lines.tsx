import { pricingText } from '@tapeline/domain/interest/pricing-text.ts';
import { INVOICE_LINE_LABELS, INVOICE_RULE_LABELS } from '@tapeline/domain/invoices/labels.ts';
import {
  correctionText,
  dayCountText,
  type InvoiceLine,
  invoiceTotal,
  unknownText,
} from '@tapeline/domain/invoices/lines.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { Money } from '../../../components/figures/figures.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { DataTable, TableSection } from '../../../components/tables/data-table.tsx';

const ruleOf = (line: InvoiceLine, currency: string): string => {
  const { rule, basis, times } = line;
  return [
    correctionText(line, currency) ?? INVOICE_RULE_LABELS[rule],
    basis && `of the ${basis.toLowerCase()}`,
    dayCountText(line),
    times && `${times.count} × ${times.each}`,
  ]
    .filter(Boolean)
    .join(', ');
};

/** What an invoice asks for, and what a person needs to calculate each line again. */
export function InvoiceLines({ lines, currency }: { lines: readonly InvoiceLine[]; currency: string }) {
  const total = invoiceTotal(lines);
  const pieces = lines.flatMap(({ title, corrects, pieces: all }, line) =>
    all.map((piece, index) => ({ ...piece, line, title, isCorrection: Boolean(corrects), key: `${line}/${index}` })),
  );
  const accrued = lines.find(({ rule }) => rule === 'accrued')?.accrued;
  return (
    <>
      <TableSection
        title="Lines"
        caption="Lines of the invoice"
        narrow="cards"
        rows={lines.map((line, index) => ({ ...line, key: String(index) }))}
        rowKey={({ key }) => key}
        columns={[
          { head: 'Line', card: 'name', cell: ({ title }) => title, oneLine: true, total: 'Total' },
          { head: 'Pays', quiet: true, cell: ({ kind }) => INVOICE_LINE_LABELS[kind] },
          {
            head: 'How it comes about',
            card: 'date',
            wraps: true,
            quiet: true,
            cell: (line) => (line.unknown ? unknownText(line.unknown) : ruleOf(line, currency)),
          },
          {
            // In one line beside a text that takes several.
            head: `Amount\u00a0(${currency})`,
            card: 'amount',
            money: ({ amount }) => amount && { sum: amount, currency },
            zero: 'figure',
            unknown: ({ unknown }) => (unknown ? unknownText(unknown) : ''),
            ...(total === null ? {} : { total: { sum: total, currency } }),
          },
        ]}
      />
      {pieces.length === 0 ? null : (
        <PanelSection
          title="Calculation"
          note="the first day of each period counts, the last does not; each line is rounded once"
        >
          <DataTable
            caption="Calculation of the lines"
            rows={pieces}
            rowKey={({ key }) => key}
            // What is asked for is read first; corrections are opened by who checks them.
            groupOf={({ line, title, isCorrection }) => ({
              key: String(line),
              title: <span className="text-xs font-medium text-ink-2">{title}</span>,
              isOpen: !isCorrection,
              titlesOne: true,
            })}
            columns={[
              { head: 'From', date: ({ from }) => from },
              { head: 'To', date: ({ to }) => to },
              { head: 'Days', figure: ({ days }) => days, zero: 'figure', unknown: 'It is charged once' },
              { head: `On (${currency})`, money: ({ basis }) => ({ sum: basis, currency }), zero: 'figure' },
              ...(pieces.some((piece) => pricingText(piece))
                ? [{ head: 'Pricing', quiet: true, cell: pricingText, wraps: true }]
                : []),
              { head: 'Rate (%)', percent: ({ rate }) => rate, bare: true, digits: 4, zero: 'figure' },
              {
                head: `Unrounded (${currency})`,
                figure: ({ amount }) => amount,
                digits: minorUnitDigits(currency) + 4,
                zero: 'figure',
              },
            ]}
          />
          {accrued ? (
            <p className="border-t border-line p-3.5 text-sm text-ink-2">
              Interest accrued to the end of the period{' '}
              <Money value={{ sum: accrued.to, currency }} withCurrency zero="figure" />, less{' '}
              <Money value={{ sum: accrued.from, currency }} withCurrency zero="figure" /> accrued to its beginning.
            </p>
          ) : null}
        </PanelSection>
      )}
    </>
  );
}
