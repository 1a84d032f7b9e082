import type { Letterhead, WireDetails } from '../../capital/notice-parts.ts';
import { closingOf, numeric } from '../../capital/print/letter.ts';
import { formatCalendarDate } from '../../dates/calendar-day.ts';
import { labelOf } from '../../documents/labels.ts';
import { pricingText } from '../../interest/pricing-text.ts';
import { type DecimalText, isZero } from '../../money/decimal.ts';
import { formatFigure, formatRate } from '../../money/format-figure.ts';
import { minorUnitDigits } from '../../money/minor-units.ts';
import type { PrintedBlock, PrintedDocument, PrintedRow } from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText } from '../../printing/printed-figures.ts';
import { INVOICE_RULE_LABELS, type InvoiceLineKind, WATERFALL_LABELS, waterfallOrderOf } from '../labels.ts';
import { correctionText, dayCountText, type InvoiceLine, invoiceTotal } from '../lines.ts';

/** What an invoice is printed from. */
export interface PrintedInvoice {
  readonly letterhead: Letterhead;
  readonly borrower: { readonly formalName: string; readonly address: readonly string[] };
  readonly facility: string;
  readonly note: string;
  readonly number: number;
  readonly reference: string;
  readonly currency: string;
  readonly from: string;
  /** The day after the last one. */
  readonly to: string;
  readonly dueDate: string;
  /** Null for a draft. */
  readonly issuedOn: string | null;
  /** When it was prepared or issued: the date of the file. */
  readonly datedAt: string;
  readonly lines: readonly InvoiceLine[];
  readonly waterfall: readonly InvoiceLineKind[];
  readonly received: DecimalText;
  readonly description: string | null;
  readonly wire: WireDetails | null;
}

/** "Interest, 9% on 10,000,000.00 for 73 days". */
function calculation(invoice: PrintedInvoice): PrintedBlock[] {
  const amount = amountsIn(invoice.currency);
  const rows = invoice.lines.flatMap((line) =>
    line.pieces.map(
      (piece): PrintedRow => ({
        cells: [
          line.title,
          `${formatCalendarDate(piece.from)} to ${formatCalendarDate(piece.to)}`,
          piece.days === null ? '' : String(piece.days),
          amount(piece.basis),
          formatRate(piece.rate),
          formatFigure(piece.amount, minorUnitDigits(invoice.currency) + 4),
        ],
        ...(pricingText(piece) ? { remark: pricingText(piece) } : {}),
      }),
    ),
  );
  if (rows.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'How the amounts come about',
      note: 'the first day of each period counts, the last does not; each line is rounded once',
      columns: [
        { head: 'Line', width: 2 },
        { head: 'Period', width: 2.4 },
        numeric('Days', 0.6),
        numeric('On', 1.7),
        numeric('Rate', 0.9),
        numeric(`Unrounded (${invoice.currency})`, 1.9),
      ],
      rows,
    },
  ];
}

/** An invoice to a borrower, to be printed. */
export function printInvoice(invoice: PrintedInvoice): PrintedDocument {
  const { letterhead, currency, lines, facility, note, number, reference, from, to, dueDate, received } = invoice;
  const amount = amountsIn(currency);
  const total = invoiceTotal(lines);
  const order = labelOf(WATERFALL_LABELS, waterfallOrderOf(invoice.waterfall));
  return {
    title: 'Invoice',
    subtitle: joined(`Invoice ${number}`, facility, note),
    issuer: letterhead.name,
    logo: letterhead.logo,
    contact: letterhead.contact,
    reference,
    issuedAt: invoice.datedAt,
    footer: joined(facility, `invoice ${number}`, invoice.borrower.formalName, 'confidential'),
    facts: [],
    blocks: [
      ...(invoice.issuedOn === null
        ? [
            {
              kind: 'notices' as const,
              notices: ['Draft. This invoice is not issued, and its figures can still change.'],
            },
          ]
        : []),
      {
        kind: 'addressee',
        name: invoice.borrower.formalName,
        lines: invoice.borrower.address,
        facts: [
          ...(invoice.issuedOn ? [{ label: 'Issue date', value: formatCalendarDate(invoice.issuedOn) }] : []),
          { label: 'Period', value: `${formatCalendarDate(from)} to ${formatCalendarDate(to)}` },
          { label: 'Facility', value: joined(facility, note) },
        ],
      },
      {
        kind: 'figures',
        figures: [
          { label: 'Amount due', value: total === null ? 'n/a' : moneyText(total, currency) },
          ...(isZero(received) ? [] : [{ label: 'Received', value: moneyText(received, currency) }]),
          { label: 'Due date', value: formatCalendarDate(dueDate) },
          { label: 'Payment reference', value: reference, isCode: true },
        ],
      },
      {
        kind: 'table',
        title: 'This invoice',
        isRoomy: true,
        columns: [{ head: 'Line', width: 5 }, numeric(`Amount (${currency})`, 1.6)],
        rows: lines.map((line) => ({
          cells: [line.title, amount(line.amount)],
          remark: joined(correctionText(line, currency) ?? INVOICE_RULE_LABELS[line.rule], dayCountText(line)),
        })),
        total: ['Total', amount(total)],
      },
      ...calculation(invoice),
      { kind: 'text', text: `A payment is applied in this order: ${order.toLowerCase()}.`, isSmall: true },
      ...closingOf({ trailingDescription: invoice.description, signatory: null }, invoice.wire, reference),
    ],
  };
}
