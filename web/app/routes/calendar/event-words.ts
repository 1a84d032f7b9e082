import type { CalendarEvent, EventKind } from '@tapeline/domain/calendar/calendar-event.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BriefcaseBusiness,
  FileSpreadsheet,
  FileText,
  HandCoins,
  IdCard,
  Landmark,
  type LucideIcon,
  PackageCheck,
  Receipt,
  ReceiptText,
  ShieldCheck,
  Undo2,
} from 'lucide-react';
import { writtenAmount } from '../../components/figures/format.ts';
import { paths } from '../../paths.ts';

/** Each kind of event: its name in the plural, and its icon. */
export const KIND_WORDS: Readonly<Record<EventKind, { label: string; icon: LucideIcon }>> = {
  call: { label: 'Capital calls', icon: ArrowDownToLine },
  distribution: { label: 'Distributions', icon: ArrowUpFromLine },
  draw: { label: 'Draws', icon: HandCoins },
  repayment: { label: 'Repayments', icon: Undo2 },
  invoice: { label: 'Invoices', icon: Receipt },
  tape: { label: 'Loan tapes', icon: FileSpreadsheet },
  note: { label: 'Notes', icon: Landmark },
  covenant: { label: 'Covenants', icon: ShieldCheck },
  deliverable: { label: 'Deliverables', icon: PackageCheck },
  fund: { label: 'Fund timeline', icon: BriefcaseBusiness },
  statement: { label: 'Statements', icon: ReceiptText },
  report: { label: 'Reports', icon: FileText },
  record: { label: 'Investor records', icon: IdCard },
};

const NOTE_DATES: Readonly<Record<string, string>> = {
  revolvingEnd: 'revolving period ends',
  gracePeriod: 'grace period ends',
  firstPrincipalRepayment: 'first principal repayment',
  termination: 'terminates',
  maturity: 'matures',
};
const STAGES: Readonly<Record<string, string>> = { start: 'begins', end: 'ends', date: '' };

/** What happens, in a few words: "Capital call 9 due". */
export function eventTitle({ kind, name, part, status }: CalendarEvent): string {
  switch (kind) {
    case 'call':
      return part === 'netted' ? `Capital call ${name} due, netted` : `Capital call ${name} due`;
    case 'distribution':
      return part === 'netted' ? `Distribution ${name}, netted` : `Distribution ${name}`;
    case 'draw':
      return status === 'Approved' ? `Draw ${name} due` : `Draw ${name} requested`;
    case 'repayment':
      return `Repayment ${name}`;
    case 'invoice':
      return status === 'Active' ? `Invoice ${name} due` : `Invoice ${name} drafted`;
    case 'tape':
      return `Tape for ${formatCalendarDate(name ?? '')} due`;
    case 'note':
      return `${name} ${NOTE_DATES[part ?? ''] ?? ''}`;
    case 'covenant':
      return part === 'cure' ? `${name}: last day to cure` : `Test of ${name}`;
    case 'deliverable':
      return `${name} due`;
    case 'fund':
      return `${name} ${STAGES[part ?? ''] ?? ''}`.trim();
    case 'statement':
      return 'Capital account statements';
    case 'report':
      return 'Fund report';
    case 'record':
      return 'Record expires';
  }
}

/** Its amounts in full, one per currency: "1,200,000.00 EUR". */
export const eventAmounts = ({ amounts }: Pick<CalendarEvent, 'amounts'>): string[] =>
  (amounts ?? []).map(writtenAmount);

/** Where the event's document is shown to this kind of user. */
export function eventPath({ kind, id, partyId, part }: CalendarEvent, type: UserType): string | null {
  switch (kind) {
    case 'call':
      return paths.capitalCall(id);
    case 'distribution':
      return paths.distribution(id);
    case 'draw':
      return paths.draw(id);
    case 'repayment':
      return paths.repayment(id);
    case 'invoice':
      return paths.invoice(id);
    case 'tape':
      return type === 'company' ? paths.newTape({ company: id }) : paths.tapes({ company: id });
    case 'note':
      return partyId && paths.transaction(partyId, { note: id });
    case 'covenant':
      return paths.covenant(id);
    case 'deliverable':
      return paths.deliverable(id, part ? { period: part } : {});
    case 'fund':
      return `${paths.fund(id, { view: 'terms' })}#timeline`;
    case 'statement':
    case 'report':
      return partyId && paths.fund(partyId, { view: 'documents' });
    case 'record':
      return paths.investor(id, { view: 'details' });
  }
}

/** Identifies the event within a calendar. */
export const eventKey = ({ kind, id, day, part, name }: CalendarEvent): string =>
  [kind, id, day, ...(kind === 'fund' ? [name] : []), part ?? ''].join('/');
